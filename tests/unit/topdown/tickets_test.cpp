// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a counter deals out: x is the counter, m its lock, data the places.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class Tickets : public testing::TestWithParam<ProgramCase> {};
TEST_P(Tickets, AreTheThreadsOwn) { check(GetParam()); }

const ProgramCase programs[] = {
    {"UnderALock", "proved",
     "THREAD(f) { LOCK(m); if (x >= 60) { UNLOCK(m); return 0; } int t = x; x = t + 2; UNLOCK(m);"
     " data[t] = 1; data[t + 1] = 2; return 0; } int main(void) { while (ANY) START(f); return 0; }"},
    {"WiderThanTheStep", "data",
     "THREAD(f) { LOCK(m); if (x >= 60) { UNLOCK(m); return 0; } int t = x; x = t + 1; UNLOCK(m);"
     " data[t] = 1; data[t + 1] = 2; return 0; } int main(void) { while (ANY) START(f); return 0; }"},
    {"ByTwoSteps", "data",
     "int take(int by) { LOCK(m); int t = x < 60 ? x : -1; if (t >= 0) x = t + by; UNLOCK(m); return t; }"
     "THREAD(f) { int t = take(2); if (t >= 0) { data[t] = 1; data[t + 1] = 2; } return 0; }"
     "THREAD(g) { int t = take(1); if (t >= 0) data[t] = 1; return 0; }"
     "int main(void) { while (ANY) { START(f); START(g); } return 0; }"},
    {"InOneAtomicStep", "proved",
     "THREAD(f) { int t = __atomic_load_n(&x, 0), e = t; if (t >= 60) return 0;"
     " if (!__atomic_compare_exchange_n(&x, &e, t + 1, 0, 0, 0)) return 0; data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"InOneAtomicStepThatFailed", "data",
     "THREAD(f) { int t = __atomic_load_n(&x, 0), e = t; if (t >= 60) return 0;"
     " __atomic_compare_exchange_n(&x, &e, t + 1, 0, 0, 0); data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"AsManyAsTheCounterHas", "data",
     "unsigned char next; int all[256]; THREAD(f) { LOCK(m); unsigned char t = next; next = t + 1; UNLOCK(m); data[t & "
     "63] = 1;"
     " return 0; } int main(void) { while (ANY) START(f); return 0; }"},
    {"WrapAround", "wide",
     "unsigned next; int wide[8]; THREAD(f) { LOCK(m); unsigned t = next; next = t + 0x40000000; UNLOCK(m);"
     " wide[(int)t >> 28 & 7] = 1; if ((int)t >= 0 && t < 8) wide[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"OverflowIsUndefined", "proved",
     "THREAD(f) { LOCK(m); int t = x++; UNLOCK(m); data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"OverflowIsDefined", "data",
     "unsigned next; THREAD(f) { LOCK(m); int t = next++; UNLOCK(m); data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"OnlyOnOneWay", "data",
     "THREAD(f) { LOCK(m); int t = x; if (t >= 60) { UNLOCK(m); return 0; } if (ANY) x = t + 1; UNLOCK(m);"
     " data[t] = 1; return 0; } int main(void) { while (ANY) START(f); return 0; }"},
    {"OnlyAtFirst", "data",
     "int look(int step) { LOCK(m); int t = x; if (step && t < 60) x = t + 1; UNLOCK(m); return t; }"
     "THREAD(f) { int t = 0; for (int i = 0; i < 2; i++) t = look(i == 0); if (t >= 0 && t < 60) data[t] = 1; return "
     "0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"ReadAgain", "data",
     "int look(void) { LOCK(m); int t = x; UNLOCK(m); return t; }"
     "int take(void) { LOCK(m); int t = x; if (t < 60) x = t + 1; UNLOCK(m); return t; }"
     "THREAD(f) { take(); int t = look(); if (t >= 0 && t < 60) data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"UnderALockMadeOfAVariable", "proved",
     "THREAD(f) { while (__atomic_exchange_n(&y, 1, 5)) {} if (x >= 60) { __atomic_store_n(&y, 0, 5); return 0; }"
     " int t = x; x = t + 1; __atomic_store_n(&y, 0, 5); data[t] = 1; return 0; }"
     "int main(void) { while (ANY) START(f); return 0; }"},
    {"ReadUnderALockMadeOfAVariableThatWasGivenBack", "data",
     "THREAD(f) { while (__atomic_exchange_n(&y, 1, 5)) {} int t = x < 60 ? x : -1; __atomic_store_n(&y, 0, 5);"
     " while (__atomic_exchange_n(&y, 1, 5)) {} if (t >= 0) x = t + 1; __atomic_store_n(&y, 0, 5);"
     " if (t >= 0) data[t] = 1; return 0; } int main(void) { while (ANY) START(f); return 0; }"},
    {"SeenAfterTheLockWasGivenBack", "ready z",
     "THREAD(f) { while (__atomic_exchange_n(&y, 1, 5)) {} ready = 1; __atomic_store_n(&y, 0, 5);"
     " if (__atomic_load_n(&ready, 0) != 1) z = 1; return 0; }"
     "THREAD(g) { while (__atomic_exchange_n(&y, 1, 5)) {} ready = 0; __atomic_store_n(&y, 0, 5); return 0; }"
     "int main(void) { while (ANY) { START(f); START(g); } return 0; }"},
};

INSTANTIATE_TEST_SUITE_P(All, Tickets, testing::ValuesIn(programs), [](const auto& row) { return row.param.name; });

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
