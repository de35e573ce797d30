// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program per thing that taking, giving back and making a lock does: weakened, two threads seem to exclude each
// other that do not.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class TransferLocks : public testing::TestWithParam<ProgramCase> {};
TEST_P(TransferLocks, Says) { check(GetParam()); }

const ProgramCase mutexes[] = {
    {"ALockExcludes", "proved",
     "THREAD(f) { LOCK(m); x = 1; UNLOCK(m); return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"AReleasedLockIsGone", "x",
     "THREAD(f) { LOCK(m); UNLOCK(m); x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"AReleaseThroughAPointerThatMayBeTheLock", "x",
     "THREAD(f) { LOCK(m); pthread_mutex_t *q = ANY ? &m : &n; pthread_mutex_unlock(q); x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"APointerThatMayBeTwoLocks", "x",
     "THREAD(f) { pthread_mutex_t *q = ANY ? &m : &n; pthread_mutex_lock(q); x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"ATriedLockMayFail", "x",
     "THREAD(f) { pthread_mutex_trylock(&m); x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"ATriedLockThatFailedSaysSo", "y",
     "THREAD(f) { if (pthread_mutex_trylock(&m)) y = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"ATriedLockThatWasTaken", "proved",
     "THREAD(f) { if (!pthread_mutex_trylock(&m)) x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"ReadersDoNotExcludeEachOther", "x",
     "THREAD(f) { pthread_rwlock_rdlock(&w); x = 1; return 0; }"
     "int main(void) { START(f); pthread_rwlock_rdlock(&w); x = 2; return 0; }"},
    {"AReaderAndAWriter", "proved",
     "THREAD(f) { pthread_rwlock_rdlock(&w); y = x; return 0; }"
     "int main(void) { START(f); pthread_rwlock_wrlock(&w); x = 2; return 0; }"},
    {"AnUnlockOfWhatIsNotHeldMayFail", "y",
     "THREAD(f) { if (pthread_mutex_unlock(&n)) y = 1; return 0; } int main(void) { START(f); y = 2; return 0; }"},
    {"ALockOnOnePathOnly", "x",
     "THREAD(f) { if (ANY) LOCK(m); x = 1; return 0; } int main(void) { START(f); LOCK(m); x = 2; return 0; }"},
    {"AnErrorCheckingMutexRefuses", "y",
     "pthread_mutexattr_t k; pthread_mutex_t e; THREAD(f) { pthread_mutex_lock(&e); if (pthread_mutex_lock(&e)) y = 1;"
     "return 0; } int main(void) { pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, 2);"
     "pthread_mutex_init(&e, &k); START(f); y = 2; return 0; }"},
    {"ATakenAgainMutexIsHeldOnce", "x",
     "pthread_mutexattr_t k; pthread_mutex_t e; THREAD(f) { pthread_mutex_lock(&e); pthread_mutex_lock(&e);"
     "pthread_mutex_unlock(&e); x = 1; return 0; } int main(void) { pthread_mutexattr_init(&k);"
     "pthread_mutexattr_settype(&k, 2); pthread_mutex_init(&e, &k); START(f);"
     "pthread_mutex_lock(&e); x = 2; pthread_mutex_unlock(&e); return 0; }"},
    {"AMutexOfUnknownKindIsHeldOnce", "x",
     "THREAD(f) { LOCK(m); LOCK(m); UNLOCK(m); x = 1; return 0; }"
     "int main(void) { START(f); LOCK(m); x = 2; UNLOCK(m); return 0; }"},
    {"ARecursiveMutexIsHeldTwice", "proved",
     "pthread_mutexattr_t k; pthread_mutex_t e; THREAD(f) { pthread_mutex_lock(&e); pthread_mutex_lock(&e);"
     "pthread_mutex_unlock(&e); x = 1; return 0; } int main(void) { pthread_mutexattr_init(&k);"
     "pthread_mutexattr_settype(&k, 1); pthread_mutex_init(&e, &k); START(f);"
     "pthread_mutex_lock(&e); x = 2; pthread_mutex_unlock(&e); return 0; }"},
    {"WhatALockProtectedMayHaveChanged", "y",
     "THREAD(f) { LOCK(m); ready = 1; UNLOCK(m); y = 1; return 0; } int main(void) { START(f);"
     "LOCK(m); ready = 0; UNLOCK(m); LOCK(m); int now = ready; UNLOCK(m); if (now) y = 2; return 0; }"},
    {"WhatAWaitProtectedMayHaveChanged", "y",
     "THREAD(f) { LOCK(m); ready = 1; UNLOCK(m); y = 1; return 0; } int main(void) { START(f);"
     "LOCK(m); ready = 0; while (!ready) pthread_cond_wait(&c, &m); y = 2; UNLOCK(m); return 0; }"},
    {"ALockOfANameIsNotTreated", "is not treated yet",
     "THREAD(f) { lib_named_lock(); return 0; } int main(void) { START(f); return 0; }"},
};

const ProgramCase sections[] = {
    {"SectionsExclude", "proved",
     "THREAD(f) { __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }"
     "int main(void) { START(f); __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }"},
    {"ASectionEnds", "x",
     "THREAD(f) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); x++; return 0; }"
     "int main(void) { START(f); __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }"},
    {"TheEndOfASectionThatMayNotHaveBegun", "the end of an atomic section that may not have begun",
     "THREAD(f) { __VERIFIER_atomic_end(); return 0; } int main(void) { START(f); return 0; }"},
    {"AnAtomicFunctionEnds", "x",
     "void __VERIFIER_atomic_f(void) { x++; } THREAD(f) { __VERIFIER_atomic_f(); x++; return 0; }"
     "int main(void) { START(f); __VERIFIER_atomic_f(); return 0; }"},
    {"AnAtomicFunctionExcludes", "proved",
     "void __VERIFIER_atomic_f(void) { x++; } THREAD(f) { __VERIFIER_atomic_f(); return 0; }"
     "int main(void) { START(f); __VERIFIER_atomic_f(); return 0; }"},
};

#define SPIN "while (__c11_atomic_exchange(&a, 1, 5)) {} "
#define FREE "__c11_atomic_store(&a, 0, 5); "
const ProgramCase flags[] = {
    {"AFlagExcludes", "proved",
     "THREAD(f) { " SPIN "x = 1; " FREE "return 0; } int main(void) { START(f); " SPIN "x = 2; " FREE "return 0; }"},
    {"AFlagTakenWithoutOrder", "x",
     "THREAD(f) { while (__c11_atomic_exchange(&a, 1, 0)) {} x = 1; " FREE "return 0; }"
     "int main(void) { START(f); " SPIN "x = 2; " FREE "return 0; }"},
    {"AFlagFreedWithoutOrder", "x",
     "THREAD(f) { " SPIN "x = 1; __c11_atomic_store(&a, 0, 0); return 0; }"
     "int main(void) { START(f); " SPIN "x = 2; " FREE "return 0; }"},
    {"AFlagTakenFromAnotherValue", "x",
     "THREAD(f) { int one_ = 1; if (__c11_atomic_compare_exchange_strong(&a, &one_, 2, 5, 5)) { x = 2; " FREE
     "} return 0; } int main(void) { START(f); int zero = 0;"
     "if (__c11_atomic_compare_exchange_strong(&a, &zero, 1, 5, 5)) { x = 1; " FREE "} return 0; }"},
    {"AFlagThatIsNotChanged", "x",
     "THREAD(f) { " SPIN "x = 1; " FREE "return 0; } int main(void) { START(f); int zero = 0;"
     "if (__c11_atomic_compare_exchange_strong(&a, &zero, 0, 5, 5)) x = 2; return 0; }"},
    {"AFlagThatSomebodyElseFrees", "x",
     "THREAD(f) { " SPIN "x = 1; " FREE "return 0; } THREAD(g) { " FREE "return 0; }"
     "int main(void) { START(f); START(g); " SPIN "x = 2; " FREE "return 0; }"},
    {"AFlagTriedOnce", "x",
     "THREAD(f) { " SPIN "x = 1; " FREE "return 0; }"
     "int main(void) { START(f); __c11_atomic_exchange(&a, 1, 5); x = 2; return 0; }"},
};

#define WAIT "sem_wait(&s); "
#define POST "sem_post(&s); "
const ProgramCase semaphores[] = {
    {"ASemaphoreOfOneExcludes", "proved",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ASemaphoreOfTwo", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 2); START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ASemaphoreThatWasNotInitialised", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; } int main(void) { START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ASemaphoreWhoseCountIsWritten", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 1); *(int *)&s = 2; START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ASemaphoreOfTwoWhoseCountIsWritten", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 2); *(int *)&s = 1; START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ASemaphoreThatIsWrittenInsteadOfInitialised", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { *(int *)&s = 1; START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"APostWithoutAWait", "x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; } THREAD(g) { " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); START(g); " WAIT "x = 2; " POST "return 0; }"},
    {"APostOfOneOfSeveral", "x",
     "sem_t all[4]; THREAD(f) { sem_wait(&all[0]); x = 1; sem_post(&all[0]); return 0; }"
     "THREAD(g) { sem_post(&all[ANY & 3]); return 0; } int main(void) { sem_init(&all[0], 0, 1); START(f); START(g);"
     "sem_wait(&all[0]); x = 2; sem_post(&all[0]); return 0; }"},
    {"ATriedWaitMayFail", "x",
     "THREAD(f) { sem_trywait(&s); x = 1; return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); " WAIT "x = 2; " POST "return 0; }"},
    {"ATriedWaitThatFailedSaysSo", "y",
     "THREAD(f) { if (sem_trywait(&s)) y = 1; return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); y = 2; return 0; }"},
    {"ASemaphoreInitialisedAgain", "s x",
     "THREAD(f) { " WAIT "x = 1; " POST "return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); sem_init(&s, 0, 1); " WAIT "x = 2; " POST "return 0; }"},
    {"APostedSemaphoreIsGivenBack", "x",
     "THREAD(f) { " WAIT POST "x = 1; return 0; }"
     "int main(void) { sem_init(&s, 0, 1); START(f); " WAIT "x = 2; " POST "return 0; }"},
};

const ProgramCase once[] = {
    {"TheBodyExcludesWhatFollows", "proved",
     "void init(void) { x = 1; } THREAD(f) { pthread_once(&o, init); y = x; return 0; }"
     "int main(void) { START(f); pthread_once(&o, init); return x; }"},
    {"WhatFollowsDoesNotExcludeItself", "x",
     "void init(void) {} THREAD(f) { pthread_once(&o, init); x = 1; return 0; }"
     "int main(void) { START(f); pthread_once(&o, init); x = 2; return 0; }"},
    {"TheBodyRuns", "y",
     "void init(void) { y = 1; } THREAD(f) { pthread_once(&o, init); return 0; }"
     "int main(void) { START(f); y = 2; return 0; }"},
    {"ABodyThatIsNotKnown", "a once-function that is not known",
     "THREAD(f) { pthread_once(&o, (void (*)(void))(long)ANY); return 0; } int main(void) { START(f); return 0; }"},
    {"AControlThatIsWritten", "o x",
     "void init(void) { x = 1; } THREAD(f) { pthread_once(&o, init); return 0; }"
     "int main(void) { o = 0; START(f); pthread_once(&o, init); o = 0; return x; }"},
    {"InPlaceTheLosersShare", "x",
     "long guard; THREAD(f) { if (lib_begin_once(&guard)) lib_end_once(&guard); else x = 1; return 0; }"
     "int main(void) { START(f); if (lib_begin_once(&guard)) lib_end_once(&guard); else x = 2; return 0; }"},
    {"InPlaceTheEndShares", "x",
     "long guard; THREAD(f) { if (lib_begin_once(&guard)) { lib_end_once(&guard); x = 1; } else y = x; return 0; }"
     "int main(void) { START(f); if (lib_begin_once(&guard)) { lib_end_once(&guard); x = 2; } else z = x; return 0; }"},
    {"InPlaceTheBodyExcludes", "proved",
     "long guard; THREAD(f) { if (lib_begin_once(&guard)) { x = 1; lib_end_once(&guard); } y = x; return 0; }"
     "int main(void) { START(f); if (lib_begin_once(&guard)) { x = 2; lib_end_once(&guard); } return x; }"},
};

INSTANTIATE_TEST_SUITE_P(Mutexes, TransferLocks, testing::ValuesIn(mutexes), name_of);
INSTANTIATE_TEST_SUITE_P(Sections, TransferLocks, testing::ValuesIn(sections), name_of);
INSTANTIATE_TEST_SUITE_P(Flags, TransferLocks, testing::ValuesIn(flags), name_of);
INSTANTIATE_TEST_SUITE_P(Semaphores, TransferLocks, testing::ValuesIn(semaphores), name_of);
INSTANTIATE_TEST_SUITE_P(Once, TransferLocks, testing::ValuesIn(once), name_of);

TEST(TransferLocksHeld, AsTheReportNamesThem) {
  const AnalysedProgram program(
      "THREAD(f) { LOCK(m); LOCK(n); x = 1; return 0; } int main(void) { START(f); x = 2; return 0; }");
  EXPECT_EQ(program.locks("x"), (std::set<std::string>{"m", "n"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
