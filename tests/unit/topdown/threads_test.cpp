// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program per thing that starting, ending and joining threads does: weakened, a thread seems not to run that does.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class TransferThreads : public testing::TestWithParam<ProgramCase> {};
TEST_P(TransferThreads, Says) { check(GetParam()); }

const ProgramCase starting[] = {
    {"TheThreadRunsBesideItsCreator", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"NotBeforeItIsCreated", "proved", "THREAD(f) { x = 1; return 0; } int main(void) { x = 2; START(f); return 0; }"},
    {"InstancesRunBesideEachOther", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { for (int i = 0; i < 2; i++) START(f); return 0; }"},
    {"InstancesOneAfterTheOther", "proved",
     "THREAD(f) { x = 1; return 0; } int main(void) { for (int i = 0; i < 2; i++) {"
     "pthread_create(&one, 0, f, 0); pthread_join(one, 0); } return 0; }"},
    {"AnEntryWithoutABody", "a thread whose entry is not known or has no body",
     "void *elsewhere(void *); int main(void) { START(elsewhere); return 0; }"},
    {"OneOfTwoEntries", "x",
     "THREAD(f) { return 0; } THREAD(g) { x = 1; return 0; }"
     "int main(void) { void *(*h)(void *) = ANY ? f : g; START(h); x = 2; return 0; }"},
    {"WhatTheThreadIsGivenIsKnownToBoth", "x",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { START_WITH(f, &x); x = 2; return 0; }"},
    {"EverythingAThreadIsEverGiven", "y",
     "THREAD(f) { *(int *)arg = 1; return 0; }"
     "int main(void) { for (int i = 0; i < 2; i++) START_WITH(f, i ? &y : &z); y = 2; return 0; }"},
    {"AThreadOfAThread", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { START(g); return 0; } int main(void) { START(f); x = 2; return 0; }"},
    {"WhatTravelsThroughManyThreads", "y",
     "_Atomic int first, second, third, fourth; THREAD(f) { if (fourth) y = 1; return 0; }"
     "THREAD(g) { if (third) fourth = 1; return 0; } THREAD(h) { if (second) third = 1; return 0; }"
     "THREAD(i) { if (first) second = 1; return 0; } THREAD(j) { first = 1; return 0; }"
     "int main(void) { START(f); START(g); START(h); START(i); START(j); y = 2; return 0; }"},
    {"ThreadsOfTwoInstances", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { START(g); return 0; }"
     "int main(void) { for (int i = 0; i < 2; i++) START(f); return 0; }"},
    {"WhereTheHandleIsWritten", "one",
     "THREAD(f) { return (void *)one; } int main(void) { START(f); pthread_create(&one, 0, f, 0); return 0; }"},
    {"WhatHasEndedAtEveryStart", "x",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { x = 2; return 0; } int main(void) { pthread_create(&one, 0, f, 0);"
     "if (ANY) pthread_join(one, 0); START(g); return 0; }"},
    {"WhatHasEndedAtSomeStart", "x",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { x = 2; return 0; } int main(void) { pthread_create(&one, 0, f, 0);"
     "if (ANY) y = 1; else pthread_join(one, 0); START(g); return 0; }"},
    {"WhatHasEndedAtTheStart", "proved",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { x = 2; return 0; } int main(void) { pthread_create(&one, 0, f, 0);"
     "pthread_join(one, 0); START(g); return 0; }"},
};

const ProgramCase joining[] = {
    {"WhatWasJoinedHasEnded", "proved",
     "THREAD(f) { x = 1; return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"JoinedOnOnePathOnly", "x",
     "THREAD(f) { x = 1; return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); if (ANY) pthread_join(one, 0); x = 2; return 0; }"},
    {"OneOfTwoHandles", "x",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { return 0; } int main(void) { pthread_create(&one, 0, f, 0);"
     "pthread_create(&two, 0, g, 0); pthread_join(ANY ? one : two, 0); x = 2; return 0; }"},
    {"TheOtherOfTwoHandles", "x",
     "THREAD(f) { return 0; } THREAD(g) { x = 1; return 0; } int main(void) { pthread_create(&one, 0, f, 0);"
     "pthread_create(&two, 0, g, 0); pthread_join(ANY ? one : two, 0); x = 2; return 0; }"},
    {"OneOfSeveralInstances", "x",
     "THREAD(f) { LOCK(m); x = 1; UNLOCK(m); return 0; }"
     "int main(void) { for (int i = 0; i < 2; i++) pthread_create(&one, 0, f, 0);"
     "pthread_join(one, 0); x = 2; return 0; }"},
    {"StartedAgain", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&one, 0, f, 0);"
     "if (i == 1) x = 2; pthread_join(one, 0); } return 0; }"},
    {"ItsThreadsAreStartedAgain", "x",
     "THREAD(g) { LOCK(m); x = 1; UNLOCK(m); return 0; } THREAD(f) { pthread_t h; pthread_create(&h, 0, g, 0); "
     "pthread_join(h, 0);"
     "return 0; } int main(void) { for (int i = 0; i < 2; i++) { pthread_create(&one, 0, f, 0);"
     "if (i == 1) x = 2; pthread_join(one, 0); } return 0; }"},
    {"TheThreadsOfAJoinedThread", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { START(g); return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"WhatAJoinedThreadJoined", "proved",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { pthread_t h; pthread_create(&h, 0, g, 0); pthread_join(h, 0);"
     "return 0; } int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"WhatAJoinedThreadJoinedOnOnePath", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { pthread_t h; pthread_create(&h, 0, g, 0);"
     "if (ANY) pthread_join(h, 0); return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"WhatAThreadThatExitsJoined", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { pthread_t h; pthread_create(&h, 0, g, 0);"
     "if (ANY) pthread_exit(0); pthread_join(h, 0); return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"ATriedJoinMayFail", "y",
     "THREAD(f) { y = 1; return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); if (pthread_tryjoin_np(one, 0)) y = 2; return 0; }"},
    {"TheResultOfAThread", "an access through an address that is not known",
     "THREAD(f) { return &y; } THREAD(g) { y = 1; return 0; } int main(void) { START(g); int *q = &z;"
     "pthread_create(&one, 0, f, 0); pthread_join(one, (void **)&q); *q = 2; return 0; }"},
    {"WhereTheResultIsWritten", "p",
     "THREAD(f) { return 0; } THREAD(g) { return p; } int main(void) { START(g);"
     "pthread_create(&one, 0, f, 0); pthread_join(one, (void **)&p); return 0; }"},
    {"ADetachedThreadGoesOn", "x",
     "THREAD(f) { x = 1; return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_detach(one); x = 2; return 0; }"},
    {"AThreadThatIsDetachedCannotBeJoined", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { pthread_create(&one, 0, f, 0); pthread_detach(one);"
     "pthread_join(one, 0); x = 2; return 0; }"},
    {"AThreadThatDetachesItselfCannotBeJoined", "x",
     "THREAD(f) { pthread_detach(pthread_self()); x = 1; return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"AnotherThreadThatDetachesItself", "proved",
     "THREAD(g) { pthread_detach(pthread_self()); return 0; } THREAD(f) { x = 1; return 0; }"
     "int main(void) { START(g); pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"AJoinThatSucceeds", "proved",
     "THREAD(f) { x = 1; return 0; } int main(void) { pthread_create(&one, 0, f, 0); if (ANY) pthread_detach(one);"
     "if (pthread_join(one, 0) == 0) x = 2; return 0; }"},
    {"AJoinThatFails", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { pthread_create(&one, 0, f, 0); if (ANY) pthread_detach(one);"
     "if (pthread_join(one, 0) != 0) x = 2; return 0; }"},
    {"AThreadThatJoinsItself", "x",
     "THREAD(f) { if (pthread_join(pthread_self(), 0)) x = 1; return 0; }"
     "int main(void) { START(f); x = 2; return 0; }"},
    {"TwoThreadsThatJoinOne", "x",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { pthread_join(one, 0); return 0; }"
     "int main(void) { pthread_create(&one, 0, f, 0); START(g); pthread_join(one, 0); x = 2; return 0; }"},
    {"CreatedDetached", "x",
     "THREAD(f) { x = 1; return 0; } int main(void) { long a[8]; pthread_attr_init(a);"
     "pthread_attr_setdetachstate(a, 1); pthread_create(&one, a, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"CreatedJoinable", "proved",
     "THREAD(f) { x = 1; return 0; } THREAD(g) { return 0; } int main(void) { long a[8], b[8];"
     "pthread_attr_init(a); pthread_attr_init(b); pthread_attr_setdetachstate(a, 1);"
     "pthread_create(&two, a, g, 0); pthread_create(&one, b, f, 0); pthread_join(one, 0); x = 2; return 0; }"},
    {"AloneAgain", "proved",
     "THREAD(f) { x = 1; return 0; } int main(void) { pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 5;"
     "if (x != 5) *(int *)(long)ANY = 1; return 0; }"},
    {"NotAloneWhileAThreadOfAThreadRuns", "x",
     "THREAD(g) { x = 1; return 0; } THREAD(f) { START(g); return 0; } int main(void) {"
     "pthread_create(&one, 0, f, 0); pthread_join(one, 0); x = 5; if (x != 5) y = 2; return 0; }"},
};

#define CREATE_ALL "for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, &data[i]); "
#define JOIN_ALL "for (int i = 0; i < 4; i++) pthread_join(t[i], 0); "
const ProgramCase instances[] = {
    {"AllAreJoined", "proved",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { " CREATE_ALL JOIN_ALL "data[2] = 2; return 0; }"},
    {"NotAllAreJoined", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { " CREATE_ALL
     "for (int i = 0; i < 3; i++) pthread_join(t[i], 0); data[3] = 2; return 0; }"},
    {"TheSameIsJoinedAgainAndAgain", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { " CREATE_ALL
     "for (int i = 0; i < 4; i++) pthread_join(t[0], 0); data[3] = 2; return 0; }"},
    {"HandlesAreOverwritten", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { " CREATE_ALL "t[1] = t[0]; " JOIN_ALL
     "data[1] = 2; return 0; }"},
    {"AllOfTwoLoopsAreJoined", "proved",
     "THREAD(f) { *(int *)arg = 1; return 0; } THREAD(g) { return (void *)(long)y; } pthread_t v[4]; int main(void) {"
     "for (int i = 0; i < 4; i++) pthread_create(&v[i], 0, g, 0); " CREATE_ALL JOIN_ALL "data[1] = 2;"
     "for (int i = 0; i < 4; i++) pthread_join(v[i], 0); y = 2; return 0; }"},
    {"HandlesOfTheSecondLoopAreOverwritten", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } THREAD(g) { return 0; } pthread_t v[4]; int main(void) {"
     "for (int i = 0; i < 4; i++) pthread_create(&v[i], 0, g, 0); " CREATE_ALL "t[1] = t[0]; " JOIN_ALL
     "data[1] = 2; return 0; }"},
    {"HandlesAreOverwrittenByAnother", "data t",
     "THREAD(g) { t[1] = t[0]; return 0; } THREAD(f) { *(int *)arg = 1; return 0; }"
     "int main(void) { START(g); " CREATE_ALL JOIN_ALL "data[1] = 2; return 0; }"},
    {"HandlesAtIrregularPlaces", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) {"
     "for (int i = 0; i < 4; i++) pthread_create(&t[i < 2 ? i : 1], 0, f, &data[i]); " JOIN_ALL
     "data[2] = 2; return 0; }"},
    {"ArgumentsAtIrregularPlaces", "data",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) {"
     "for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, &data[i < 2 ? i : 1]); return 0; }"},
    {"TheSlotOfTheNext", "proved",
     "THREAD(f) { *(int *)arg += 1; return 0; } int main(void) {"
     "for (int i = 0; i < 4; i++) { data[i] = i; pthread_create(&t[i], 0, f, &data[i]); } return 0; }"},
    {"TheSlotOfTheLast", "data",
     "THREAD(f) { *(int *)arg += 1; return 0; } int main(void) {"
     "for (int i = 1; i < 5; i++) { data[i - 1] = i; pthread_create(&t[i], 0, f, &data[i]); } return 0; }"},
    {"AnIndexBesideTheArgument", "data",
     "THREAD(f) { int k = ANY; if (k >= 0 && k < 8) ((int *)arg)[k] = 1; return 0; } int main(void) { " CREATE_ALL
     "return 0; }"},
    {"LocksOfEachInstance", "x",
     "THREAD(f) { pthread_mutex_lock((pthread_mutex_t *)arg); x = 1; return 0; } pthread_mutex_t each[4];"
     "int main(void) { for (int i = 0; i < 4; i++) START_WITH(f, &each[i]); return 0; }"},
};

const ProgramCase ends[] = {
    {"WhatRunsAtExit", "x",
     "void last(void) { x = 2; } THREAD(f) { x = 1; return 0; } int main(void) { atexit(last); START(f); return 0; }"},
    {"WhatRunsAtTheCallOfExit", "x",
     "void last(void) { x = 2; } THREAD(f) { x = 1; return 0; } int main(void) { atexit(last); START(f); exit(0); }"},
    {"WhatRunsWhenMainExitsItsThread", "x",
     "void last(void) { x = 2; } THREAD(f) { x = 1; return 0; }"
     "int main(void) { atexit(last); START(f); pthread_exit(0); }"},
    {"OneAtExitBehindTheOther", "x y",
     "int one_ran, other_ran; void some(void) { if (other_ran) x = 2; one_ran = 1; }"
     "void other(void) { if (one_ran) y = 2; other_ran = 1; } THREAD(f) { x = y = 1; return 0; }"
     "int main(void) { atexit(some); atexit(other); START(f); return 0; }"},
    {"AFunctionAtExitThatIsNotKnown", "a function to run at the end that is not known",
     "int main(void) { atexit((void (*)(void))(long)ANY); START(0); return 0; }"},
    {"AFunctionAtTheEndOfAThread", "a function to run at the end that is not known",
     "void last(int *q) { *q = 1; } THREAD(f) { lib_at_thread_exit(last, &x); return 0; }"
     "int main(void) { START(f); return 0; }"},
    {"AConstructor", "x",
     "THREAD(f) { x = 1; return 0; } __attribute__((constructor)) void before(void) { START(f); }"
     "int main(void) { x = 2; return 0; }"},
    {"ADestructor", "x",
     "THREAD(f) { x = 1; return 0; } __attribute__((destructor)) void behind(void) { x = 2; }"
     "int main(void) { START(f); return 0; }"},
    {"AThreadThatEndsInsideFrames", "runs the destructors of its frames",
     "struct Guard { ~Guard() { y = 1; } }; void inner() { Guard g; pthread_exit(0); }"
     "THREAD(f) { inner(); return 0; } int main() { START(f); return 0; }",
     "unit.cpp"},
};

const ProgramCase frames[] = {
    {"ALocalVariableOfAFunctionThatReturns", "k",
     "THREAD(f) { *(int *)arg = 1; return 0; } void go(void) { int k = 0; pthread_create(&one, 0, f, &k); }"
     "int main(void) { go(); pthread_join(one, 0); return 0; }"},
    {"ALocalVariableOfAFunctionThatWaits", "proved",
     "THREAD(f) { *(int *)arg = 1; return 0; } void go(void) { int k = 0; pthread_create(&one, 0, f, &k);"
     "pthread_join(one, 0); } int main(void) { go(); go(); return 0; }"},
    {"ALocalVariableOfMain", "proved",
     "THREAD(f) { *(int *)arg = 1; return 0; } int main(void) { int k = 0; pthread_create(&one, 0, f, &k); return 0; "
     "}"},
    {"ALocalVariableOfAThreadThatExits", "k",
     "THREAD(g) { y = *(int *)arg; return 0; } THREAD(f) { int k = 0; pthread_t h; pthread_create(&h, 0, g, &k);"
     "pthread_exit(0); } int main(void) { START(f); return 0; }"},
    {"TheHandleThatANewThreadReads", "one",
     "THREAD(f) { pthread_t h = one; return (void *)h; } int main(void) { pthread_create(&one, 0, f, 0); return 0; }"},
};

INSTANTIATE_TEST_SUITE_P(Frames, TransferThreads, testing::ValuesIn(frames), name_of);
INSTANTIATE_TEST_SUITE_P(Starting, TransferThreads, testing::ValuesIn(starting), name_of);
INSTANTIATE_TEST_SUITE_P(Joining, TransferThreads, testing::ValuesIn(joining), name_of);
INSTANTIATE_TEST_SUITE_P(Instances, TransferThreads, testing::ValuesIn(instances), name_of);
INSTANTIATE_TEST_SUITE_P(Ends, TransferThreads, testing::ValuesIn(ends), name_of);

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
