// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program per thing that calls do: to what they call, and to memory, by the actions of models.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class TransferCalls : public testing::TestWithParam<ProgramCase> {};
TEST_P(TransferCalls, Says) { check(GetParam()); }

const ProgramCase calls[] = {
    {"WhatIsCalledRuns", "x",
     "void g(void) { x = 1; } THREAD(f) { g(); return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"EveryFunctionAPointerMayBe", "x",
     "void g(void) { y = 1; } void h(void) { x = 1; } THREAD(f) { void (*q)(void) = ANY ? g : h; q(); return 0; }"
     "int main(void) { START(f); x = 2; return 0; }"},
    {"APointerThatMayBeAnything", "a call through a pointer whose targets are not known",
     "THREAD(f) { ((void (*)(void))(long)ANY)(); return 0; } int main(void) { START(f); return 0; }"},
    {"APointerThatMayBeData", "a call through a pointer whose targets are not known",
     "void g(void) {} THREAD(f) { void (*q)(void) = ANY ? g : (void (*)(void))&x; q(); return 0; }"
     "int main(void) { START(f); return 0; }"},
    {"NeitherBodyNorModel", "which has neither a body nor a model",
     "THREAD(f) { lib_unknown(); return 0; } int main(void) { START(f); return 0; }"},
    {"Recursion", "recursion of 'down'",
     "int down(int k) { return k ? down(k - 1) : 0; } THREAD(f) { down(ANY); return 0; }"
     "int main(void) { START(f); return 0; }"},
    {"Assembly", "inline assembly",
     "THREAD(f) { __asm__ volatile(\"incl (%0)\" : : \"r\"(&x)); return 0; } int main(void) { START(f); return 0; }"},
    {"AssemblyThatTouchesNoMemory", "proved",
     "THREAD(f) { __asm__ volatile(\"nop\" : : : \"memory\"); return 0; } int main(void) { START(f); return 0; }"},
    {"AVariableThatNobodyDefines", "the variable 'elsewhere' is defined outside of the program",
     "extern int elsewhere; THREAD(f) { elsewhere = 1; return 0; } int main(void) { START(f); return 0; }"},
    {"AVariableThatNobodyDefinesBeforeThereAreThreads", "proved",
     "extern int elsewhere; THREAD(f) { return 0; } int main(void) { elsewhere = 1; START(f); return 0; }"},
    {"AConstantThatNobodyDefines", "proved",
     "extern const int elsewhere; THREAD(f) { x = elsewhere; return 0; } int main(void) { START(f); return 0; }"},
    {"AVariableThatModelsKnow", "proved",
     "extern int optind; THREAD(f) { optind = 1; return 0; } int main(void) { START(f); return 0; }"},
    {"AVariableByItsOtherName", "__environ",
     "extern char **__environ; extern int setenv(const char *, const char *, int);"
     "THREAD(f) { __environ = 0; return 0; }"
     "int main(void) { START(f); setenv(\"A\", \"1\", 1); return 0; }"},
    {"AVariableByBothItsNames", "__environ",
     "extern char **__environ, **environ; THREAD(f) { __environ = 0; return 0; }"
     "int main(void) { START(f); environ = 0; return 0; }"},
    {"WhatIsReturned", "y",
     "int *g(void) { return ANY ? &x : &y; } THREAD(f) { *g() = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ACallBackByAGlobal", "x",
     "void g(void) { x = 1; } THREAD(f) { hook = g; lib_hook(); return 0; }"
     "int main(void) { START(f); x = 2; return 0; }"},
    {"ACallBackThatIsNotKnown", "the library calls a function that is not known",
     "THREAD(f) { hook = (void (*)(void))(long)ANY; lib_hook(); return 0; } int main(void) { START(f); return 0; }"},
    {"ACallBackByAnArgument", "is not treated yet",
     "void g(int *q) { *q = 1; } THREAD(f) { lib_apply(g, &x); return 0; } int main(void) { START(f); return 0; }"},
    {"AFunctionThatIsCalledFromOutside", "is not treated yet",
     "void g(int k, int *q) { *q = k; } int main(void) { lib_handler(g, &x); START(0); return 0; }"},
    {"MaskedEntries", "is not treated yet",
     "THREAD(f) { lib_mask(); return 0; } int main(void) { START(f); return 0; }"},
    {"WhatNobodyTreats", "signal handler is not treated",
     "void g(int k) { x = k; } THREAD(f) { lib_signal(g); return 0; } int main(void) { START(f); return 0; }"},
    {"AnExceptionForANumber", "proved",
     "THREAD(f) { return 0; } int main(void) { lib_map(0, -1, ANY); START(f); return 0; }"},
    {"AnExceptionForANumberIsNoneForAnAddress", "a place of one's own is not treated",
     "THREAD(f) { return 0; } int main(void) { lib_map(ANY ? (void *)0 : &x, -1, 0); START(f); return 0; }"},
    {"BitsThatAreNotSet", "proved",
     "THREAD(f) { return 0; } int main(void) { lib_map(0, ANY, 2); START(f); return 0; }"},
    {"BitsThatAreSet", "a shared file is not treated",
     "THREAD(f) { return 0; } int main(void) { lib_map(0, ANY, 3); START(f); return 0; }"},
    {"BitsThatMayBeSet", "a shared file is not treated",
     "THREAD(f) { return 0; } int main(void) { lib_map(0, 4, ANY); START(f); return 0; }"},
    {"AnAssumptionCutsOffWhatItExcludes", "proved",
     "THREAD(f) { int k = ANY; __VERIFIER_assume(k > 3); if (k <= 3) x = 1; return 0; }"
     "int main(void) { START(f); x = 2; return 0; }"},
    {"AnAssumptionCutsOffNothingElse", "x",
     "THREAD(f) { int k = ANY; __VERIFIER_assume(k > 3); if (k == 4) x = 1; return 0; }"
     "int main(void) { START(f); x = 2; return 0; }"},
};

const ProgramCase memory[] = {
    {"AWriteIsAWrite", "x", "THREAD(f) { lib_write(&x); return 0; } int main(void) { START(f); return x; }"},
    {"AReadIsARead", "x", "THREAD(f) { lib_read(&x); return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"AWriteForgets", "y",
     "THREAD(f) { y = 1; return 0; } int main(void) { x = 0; lib_write(&x); START(f); if (x) y = 2; return 0; }"},
    {"AWriteOfUnknownLength", "data",
     "THREAD(f) { lib_fill(data, ANY); return 0; } int main(void) { START(f); data[9] = 2; return 0; }"},
    {"WhatVariableArgumentsPointTo", "y",
     "THREAD(f) { lib_each(2, &x, &y); return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"AVariableArgumentListIsPassedOn", "a variable argument list is passed on",
     "void g(int k, ...) { __builtin_va_list l; __builtin_va_start(l, k); lib_list(l); }"
     "THREAD(f) { g(1, &x); return 0; } int main(void) { START(f); return 0; }"},
    {"EverythingThatCanBeReached", "is not treated yet",
     "THREAD(f) { lib_deep(&p); return 0; } int main(void) { START(f); return 0; }"},
    {"StateInsideTheLibrary", "state inside the library: count",
     "THREAD(f) { lib_count(); return 0; } int main(void) { START(f); lib_count(); return 0; }"},
    {"AnAtomicWriteIsAWrite", "p",
     "THREAD(f) { lib_store(&p, 0); return 0; } int main(void) { START(f); return p != 0; }"},
    {"AnAtomicReadIsAtomic", "proved",
     "THREAD(f) { lib_load(&p); return 0; } int main(void) { START(f); lib_store(&p, 0); return 0; }"},
    {"AnAtomicReadIsARead", "p", "THREAD(f) { lib_load(&p); return 0; } int main(void) { START(f); p = 0; return 0; }"},
    {"AnAtomicWriteOfAnAddress", "passed on by an atomic access that orders nothing",
     "THREAD(f) { lib_store(&p, malloc(4)); return 0; } int main(void) { START(f); return 0; }"},
    {"AnAtomicWriteChangesTheVariable", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { p = 0; lib_store(&p, &x); START(f); if (p) y = 2; return 0; }"},
    {"WhatAnAtomicReadReturns", "x",
     "THREAD(f) { *lib_load(&p) = 1; return 0; } int main(void) { p = &x; START(f); x = 2; return 0; }"},
    {"WhatIsCopied", "x",
     "int *q; THREAD(f) { x = 1; return 0; }"
     "int main(void) { p = &x; q = &y; lib_move(&q, &p); START(f); *q = 2; return 0; }"},
    {"AnAddressWithinAnother", "data",
     "THREAD(f) { data[5] = 1; return 0; }"
     "int main(void) { p = &y; lib_end_of(&p, data); START(f); *p = 2; return 0; }"},
    {"TheArgumentIsReturned", "x",
     "THREAD(f) { *lib_same(&x) = 1; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"SomethingWithinTheArgumentIsReturned", "data",
     "THREAD(f) { *lib_within(data) = 1; return 0; } int main(void) { START(f); data[5] = 2; return 0; }"},
    {"SomethingReachableIsReturned", "is not treated yet",
     "THREAD(f) { *lib_below(&p) = 1; return 0; } int main(void) { START(f); return 0; }"},
    {"AStaticBufferIsReturned", "state inside the library: buffer",
     "THREAD(f) { *lib_static() = 1; return 0; } int main(void) { START(f); *lib_static() = 2; return 0; }"},
    {"ABufferOfEachThread", "proved",
     "THREAD(f) { *lib_own() = 1; return 0; } int main(void) { START(f); *lib_own() = 2; return 0; }"},
    {"ABufferOfEachThreadThatOthersKnow", "state inside the library: own",
     "THREAD(f) { *p = 1; return 0; } int main(void) { p = lib_own(); START(f); *lib_own() = 2; return 0; }"},
    {"WhatABufferLeadsToIsTheBuffer", "state inside the library: buffer",
     "THREAD(f) { **(int **)lib_static() = 1; return 0; } int main(void) { START(f); *lib_static() = 2; return 0; }"},
    {"WhatABufferOfEachThreadLeadsTo", "proved",
     "THREAD(f) { **(int **)lib_own() = 1; return 0; } int main(void) { START(f); **(int **)lib_own() = 2; return 0; "
     "}"},
    {"WhatAWrittenBufferLeadsToIsTheBuffer", "state inside the library: count",
     "pthread_mutex_t m; THREAD(f) { LOCK(m); lib_count(); UNLOCK(m); return 0; }"
     "int main(void) { START(f); LOCK(m); int *q = *(int **)lib_counter(); UNLOCK(m); return *q; }"},
    {"ContentMovesWithAnAllocation", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { int **q = (int **)malloc(8); *q = &x;"
     "q = (int **)lib_grow((int *)q, 16); START(f); **q = 2; return 0; }"},
};

const ProgramCase own_values[] = {
    {"AKeyThatIsNotKnown", "a thread-specific value under a key that is not known",
     "THREAD(f) { pthread_getspecific((pthread_key_t)ANY); return 0; } int main(void) { START(f); return 0; }"},
    {"ADestructorOfValues", "x",
     "pthread_key_t k; void drop(void *q) { x = 1; } THREAD(f) { pthread_setspecific(k, &k); return 0; }"
     "int main(void) { pthread_key_create(&k, drop); START(f); x = 2; return 0; }"},
    {"ADestructorThatIsNotKnown", "a destructor of thread-specific data that is not known",
     "int main(void) { pthread_key_t k; pthread_key_create(&k, (void (*)(void *))(long)ANY); return 0; }"},
    {"WhatWasSetIsGot", "x",
     "pthread_key_t k; THREAD(f) { pthread_setspecific(k, &x); *(int *)pthread_getspecific(k) = 1; return 0; }"
     "int main(void) { pthread_key_create(&k, 0); START(f); x = 2; return 0; }"},
    {"TheKeyItself", "k",
     "pthread_key_t k; THREAD(f) { return (void *)(long)k; }"
     "int main(void) { START(f); pthread_key_create(&k, 0); return 0; }"},
};

INSTANTIATE_TEST_SUITE_P(Calls, TransferCalls, testing::ValuesIn(calls), name_of);
INSTANTIATE_TEST_SUITE_P(Memory, TransferCalls, testing::ValuesIn(memory), name_of);
INSTANTIATE_TEST_SUITE_P(OwnValues, TransferCalls, testing::ValuesIn(own_values), name_of);

/// Where the convention of calls copies a struct without an instruction that says so.
TEST(TransferCallsByValue, AStructIsRead) {
  const AnalysedProgram program(
      "struct big { long a[9]; } big; long g(struct big b_) { return b_.a[8]; } THREAD(f) { return (void *)g(big); }"
      "int main(void) { START(f); big.a[3] = 2; return 0; }",
      "unit.c", {frontend::DataModel::Ilp32});
  EXPECT_EQ(program.says(), "big");
}

/// Heap objects have names with places, so only the number of warnings is asked for.
TEST(TransferCallsHeap, AllocatedMemoryIsSharedWhenOthersKnowIt) {
  EXPECT_NE(AnalysedProgram("THREAD(f) { *(int *)arg = 1; return 0; }"
                            "int main(void) { int *q = malloc(4); START_WITH(f, q); *q = 2; return 0; }")
                .warnings(),
            "");
}
TEST(TransferCallsHeap, AFreeIsAWrite) {
  EXPECT_NE(AnalysedProgram("THREAD(f) { y = *(int *)arg; return 0; }"
                            "int main(void) { int *q = malloc(4); START_WITH(f, q); free(q); return 0; }")
                .warnings(),
            "");
}
TEST(TransferCallsHeap, AReallocationFrees) {
  EXPECT_NE(AnalysedProgram("THREAD(f) { y = *(int *)arg; return 0; }"
                            "int main(void) { int *q = malloc(4); START_WITH(f, q); lib_grow(q, 8); return 0; }")
                .warnings(),
            "");
}
TEST(TransferCallsHeap, AnAllocationThroughAPointerIsKnown) {
  EXPECT_NE(AnalysedProgram("THREAD(f) { *p = 1; return 0; }"
                            "int main(void) { lib_make(&p); START(f); *p = 2; return 0; }")
                .warnings(),
            "");
}
TEST(TransferCallsHeap, WhatLiesBehindSharedMemoryIsShared) {
  EXPECT_NE(AnalysedProgram("THREAD(g) { return 0; } THREAD(f) { **(int **)arg = 1; return 0; }"
                            "int main(void) { START(g); int **q = malloc(8);"
                            "int *r = malloc(4); *q = r; START_WITH(f, q); *r = 2; return 0; }")
                .warnings(),
            "");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
