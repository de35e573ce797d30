// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program per thing that an instruction or a terminator does to a state: weakened, the analysis misses the race.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class TransferInstructions : public testing::TestWithParam<ProgramCase> {};
TEST_P(TransferInstructions, Says) { check(GetParam()); }

const ProgramCase memory[] = {
    {"AStoreIsAWrite", "x", "THREAD(f) { x = 1; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"ALoadIsARead", "x", "THREAD(f) { y = x; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"AWideLoadIsARead", "big",
     "struct { long a[4]; } big, other; THREAD(f) { other = big; return 0; }"
     "int main(void) { START(f); big.a[3] = 2; return 0; }"},
    {"AWideStoreIsAWrite", "big",
     "struct { long a[4]; } big, other; THREAD(f) { big = other; return 0; }"
     "int main(void) { START(f); y = (int)big.a[3]; return 0; }"},
    {"AStoreOfSixteenBytesForgets", "y",
     "__int128 big; THREAD(f) { y = 1; return 0; }"
     "int main(void) { int *q = (int *)&big; *q = 0; big = ANY; START(f); if (*q) y = 2; return 0; }"},
    {"AFilledRangeIsWritten", "data",
     "THREAD(f) { memset(data, 0, sizeof data); return 0; } int main(void) { START(f); data[9] = 2; return 0; }"},
    {"AFilledRangeForgets", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { data[9] = 0; memset(data, 1, sizeof data); START(f); if (data[9]) y = 2; return 0; }"},
    {"AFillOfUnknownLengthGoesOn", "data",
     "THREAD(f) { memset(data, 0, (unsigned)ANY); return 0; } int main(void) { START(f); data[9] = 2; return 0; }"},
    {"AnAccessThroughAnyPointerStandsInTheWay", "an access through an address that is not known",
     "THREAD(f) { **(int **)arg = 1; return 0; }"
     "int main(void) { int *unset; pthread_t q; pthread_create(&q, 0, f, (void *)(long)ANY); return 0; }"},
    {"AnUninitialisedPointerIsNotNothing", "an access through an address that is not known",
     "int main(void) { START(0); int *unset = (int *)(long)ANY; *unset = 1; return 0; }"},
    {"ARelaxedStoreOfAnAddressOrdersNothing", "passed on by an atomic access that orders nothing",
     "int *_Atomic shared; THREAD(f) { int *q = malloc(4); *q = 1;"
     "__c11_atomic_store(&shared, q, __ATOMIC_RELAXED); return 0; } int main(void) { START(f); return 0; }"},
    {"ARelaxedLoadOfAnAddressOrdersNothing", "passed on by an atomic access that orders nothing",
     "int *_Atomic shared; THREAD(f) { int *q = malloc(4);"
     "__c11_atomic_store(&shared, q, __ATOMIC_RELEASE); return 0; }"
     "int main(void) { START(f); int *q = __c11_atomic_load(&shared, __ATOMIC_RELAXED); return q != 0; }"},
    {"AReleasedAddressIsFine", "proved",
     "int *_Atomic shared; THREAD(f) { int *q = malloc(4); *q = 1;"
     "__c11_atomic_store(&shared, q, __ATOMIC_RELEASE); return 0; } int main(void) { START(f); return 0; }"},
    {"StepsStay", "proved",
     "unsigned long __VERIFIER_nondet_ulong(void); struct { long f, g, h; } three[4];"
     "THREAD(f) { unsigned long n = __VERIFIER_nondet_ulong(); if (n < 1000) *(long *)((char *)three + 24 * n) = 1; "
     "return 0; }"
     "int main(void) { START(f); three[0].g = 2; return 0; }"},
    {"StepsThatWrapAround", "three",
     "unsigned long __VERIFIER_nondet_ulong(void); struct { long f, g, h; } three[4];"
     "THREAD(f) { unsigned long n = __VERIFIER_nondet_ulong(); *(long *)((char *)three + 24 * n) = 1; return 0; }"
     "int main(void) { START(f); three[0].g = 2; return 0; }"},
    {"StepsOfASumThatWrapsAround", "three",
     "unsigned long __VERIFIER_nondet_ulong(void); struct { long f, g, h; } three[4];"
     "THREAD(f) { unsigned long n = __VERIFIER_nondet_ulong(), m = __VERIFIER_nondet_ulong(); if (n < 1ul << 58 && m < "
     "1ul << 58) *(long *)((char *)three + (24 * n + 24 * m)) = 1; return 0; }"
     "int main(void) { START(f); three[0].g = 2; return 0; }"},
    {"StepsOfANumberThatIsCut", "three",
     "unsigned long __VERIFIER_nondet_ulong(void); struct { long f, g, h; } three[4];"
     "THREAD(f) { unsigned __int128 n = __VERIFIER_nondet_ulong(); *(long *)((char *)three + (unsigned long)(24 * n)) "
     "= 1; return 0; }"
     "int main(void) { START(f); three[0].g = 2; return 0; }"},
};

const ProgramCase atomics[] = {
    {"AnUpdateIsAWrite", "plain",
     "int plain; THREAD(f) { __atomic_fetch_add(&plain, 1, 5); return 0; }"
     "int main(void) { START(f); return plain; }"},
    {"AnUpdateChangesTheVariable", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { a = 0; __c11_atomic_fetch_add(&a, 1, 5); START(f); if (a) y = 2; return 0; }"},
    {"AnExchangeIsAWrite", "plain",
     "int plain; THREAD(f) { __atomic_exchange_n(&plain, 1, 5); return 0; }"
     "int main(void) { START(f); return plain; }"},
    {"AnExchangeThatChangesGoesOn", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { a = ANY; int old = __c11_atomic_exchange(&a, 1, 5); START(f); if (old != 1) y = 2; return 0; }"},
    {"AnExchangeThatChangesNothingGoesOn", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { a = ANY; int old = __c11_atomic_exchange(&a, 1, 5); START(f); if (old == 1) y = 2; return 0; }"},
    {"ACompareThatFailsGoesOn", "y",
     "THREAD(f) { y = 1; return 0; } int main(void) { a = ANY; int old = 1;"
     "int done = __c11_atomic_compare_exchange_strong(&a, &old, 7, 5, 5); START(f); if (!done) y = 2; return 0; }"},
    {"ACompareThatSucceedsGoesOn", "y",
     "THREAD(f) { y = 1; return 0; } int main(void) { a = ANY; int old = 1;"
     "int done = __c11_atomic_compare_exchange_strong(&a, &old, 7, 5, 5); START(f); if (done) y = 2; return 0; }"},
    {"AWeakCompareMayFailForNoReason", "y",
     "THREAD(f) { y = 1; return 0; } int main(void) { a = 1; int old = 1;"
     "int done = __c11_atomic_compare_exchange_weak(&a, &old, 7, 5, 5); START(f); if (!done) y = 2; return 0; }"},
    {"AFailedCompareTellsWhatWasFound", "y",
     "THREAD(f) { y = 1; return 0; } int main(void) { a = ANY; int old = 1;"
     "__c11_atomic_compare_exchange_strong(&a, &old, 7, 5, 5); START(f); if (old == 3) y = 2; return 0; }"},
    {"ARelaxedExchangeOfAnAddressOrdersNothing", "passed on by an atomic access that orders nothing",
     "int *_Atomic shared; THREAD(f) { int *q = malloc(4);"
     "__c11_atomic_exchange(&shared, q, __ATOMIC_RELAXED); return 0; } int main(void) { START(f); return 0; }"},
    {"ARelaxedUpdateOfAnAddressOrdersNothing", "passed on by an atomic access that orders nothing",
     "int *_Atomic shared; THREAD(f) { shared = malloc(4); return 0; }"
     "int main(void) { START(f); __c11_atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED); return 0; }"},
};

const ProgramCase values[] = {
    {"AChoiceMayBeEither", "y",
     "THREAD(f) { int *q = ANY ? &x : &y; *q = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"AChoiceMayBeTheOther", "x",
     "THREAD(f) { int *q = ANY ? &x : &y; *q = 1; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"AConditionMayBeTrue", "y",
     "THREAD(f) { if (ANY < 5) y = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"AConditionMayBeFalse", "y",
     "THREAD(f) { if (ANY < 5) return 0; y = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"AComparisonThatIsKeptMayBeFalse", "y",
     "THREAD(f) { int less = ANY < 5; if (!less) y = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"ANarrowNumberWraps", "y",
     "THREAD(f) { unsigned char k = (unsigned char)ANY; if (k < 255) return 0; k++; if (k == 0) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ACutNumberIsAnother", "y",
     "THREAD(f) { int k = ANY; if (k < 256 || k > 300) return 0; if ((char)k == 7) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"AnExtendedNumberKeepsItsSign", "y",
     "THREAD(f) { int k = ANY; long l = k; if (l < 0) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ANumberWithoutSignIsNotNegative", "y",
     "THREAD(f) { int k = ANY; unsigned long l = (unsigned)k; if (l > 0x7fffffff) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"MaskedAddressesStayInTheirObject", "both",
     "THREAD(f) { *(int *)(((long)&both & ~7L) | 4) = 1; return 0; }"
     "int main(void) { START(f); both.second = 2; return 0; }"},
    {"AProductAsAnIndex", "data",
     "THREAD(f) { int i = ANY, j = ANY; if (i < 0 || i > 7 || j < 0 || j > 7) return 0; data[i * j] = 1; return 0; }"
     "int main(void) { START(f); data[49] = 2; return 0; }"},
    {"AnIndexWithAStep", "data",
     "THREAD(f) { int i = ANY; if (i < 0 || i > 7) return 0; data[2 * i + 1] = 1; return 0; }"
     "int main(void) { START(f); data[15] = 2; return 0; }"},
    {"AnIndexIntoWhatMayBeMissing", "far",
     "extern int far[64] __attribute__((weak)); THREAD(f) { int i = ANY; if (i < 0 || i > 7) return 0; far[i] = 1;"
     "return 0; } int main(void) { START(f); far[5] = 2; return 0; }"},
    {"AnAddressInParts", "x",
     "THREAD(f) { unsigned long at = (unsigned long)&x; unsigned low = (unsigned)at, high = (unsigned)(at >> 32);"
     "*(int *)((unsigned long)high << 32 | low) = 1; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"AMissingVariableMayBeThere", "y",
     "extern int may_miss __attribute__((weak)); THREAD(f) { if (!&may_miss) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"AThreadLocalThatOthersKnow", "own",
     "static _Thread_local int own; int *where; THREAD(f) { *where = 1; return 0; }"
     "int main(void) { where = &own; START(f); own = 2; return 0; }"},
    {"AThreadLocalOfEachThread", "proved",
     "static _Thread_local int own; THREAD(f) { own = 1; return 0; } int main(void) { START(f); own = 2; return 0; }"},
    {"ANegatedTruthMayBeTrue", "y",
     "THREAD(f) { _Bool k = ANY != 0; _Bool l = !k; if (l) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
};

const ProgramCase control[] = {
    {"ASwitchTakesEveryLabel", "y",
     "THREAD(f) { switch (ANY) { case 1: x = 1; break; case 7: y = 1; break; } return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ASwitchMayTakeNoLabel", "y",
     "THREAD(f) { switch (ANY) { case 1: break; case 7: break; default: y = 1; } return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"AJumpThroughATableTakesEveryLabel", "x y z",
     "THREAD(f) { static void *to[] = {&&first, &&second, &&third}; goto *to[ANY]; first: x = 1; return 0;"
     "second: y = 1; return 0; third: z = 1; return 0; } int main(void) { START(f); x = y = z = 2; return 0; }"},
    {"ANumberThatIsPartOfTwoAddresses", "x y",
     "int *table[2] = {&x, &y}; THREAD(f) { **(int **)((char *)table + 4) = 1; return 0; }"
     "int main(void) { START(f); x = y = 2; return 0; }"},
    {"AJumpThroughPartOfATable", "x y",
     "THREAD(f) { static void *to[] = {&&first, &&second, &&third}; goto *to[ANY & 1]; first: x = 1; return 0;"
     "second: y = 1; return 0; third: z = 1; return 0; } int main(void) { START(f); x = y = z = 2; return 0; }"},
    {"ALoopRunsOn", "y",
     "THREAD(f) { for (int i = 0; i < 100; i++) if (i == 77) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ALoopWithoutABoundRunsOn", "y",
     "THREAD(f) { for (int i = 0; ANY; i++) if (i == 777) y = 1; return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"WhatCatchesAnException", "y",
     "THREAD(f) { try { throw 1; } catch (int) { y = 1; } return 0; }"
     "int main() { START(f); y = 2; return 0; }",
     "unit.cpp"},
    {"AnExceptionPassesThrough", "y",
     "struct Guard { ~Guard() { z = 1; } }; void inner() { Guard g; throw 1; }"
     "THREAD(f) { try { inner(); } catch (int) { y = 1; } return 0; } int main() { START(f); y = 2; return 0; }",
     "unit.cpp"},
    {"ManyStatesOfWhichTheLastCounts", "y",
     "pthread_mutex_t l[4]; THREAD(f) { int not_got = 0; if (pthread_mutex_trylock(&l[0])) not_got++;"
     "if (pthread_mutex_trylock(&l[1])) not_got++; if (pthread_mutex_trylock(&l[2])) not_got++;"
     "if (pthread_mutex_trylock(&l[3])) not_got++; y = 1; return 0; }"
     "int main(void) { START(f); LOCK(l[0]); LOCK(l[1]); LOCK(l[2]); LOCK(l[3]); y = 2; return 0; }"},
    {"ManyStatesAtOnePoint", "y",
     "pthread_mutex_t l[5]; THREAD(f) { int got = 0; for (int i = 0; i < 5; i++) got = ANY;"
     "if (!pthread_mutex_trylock(&l[0])) got++; if (!pthread_mutex_trylock(&l[1])) got++;"
     "if (!pthread_mutex_trylock(&l[2])) got++; if (!pthread_mutex_trylock(&l[3])) got++;"
     "if (!pthread_mutex_trylock(&l[4])) y = 1; return 0; }"
     "int main(void) { START(f); LOCK(l[0]); LOCK(l[1]); LOCK(l[2]); LOCK(l[3]); y = 2; return 0; }"},
};

INSTANTIATE_TEST_SUITE_P(Atomics, TransferInstructions, testing::ValuesIn(atomics), name_of);
INSTANTIATE_TEST_SUITE_P(Values, TransferInstructions, testing::ValuesIn(values), name_of);
INSTANTIATE_TEST_SUITE_P(Control, TransferInstructions, testing::ValuesIn(control), name_of);
INSTANTIATE_TEST_SUITE_P(Memory, TransferInstructions, testing::ValuesIn(memory), name_of);

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
