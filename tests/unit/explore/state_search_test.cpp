// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/states/state_search.h"

#include <gtest/gtest.h>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/states/touched_bytes.h"
#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace {

StateSearchResult searched(const std::string& text, const StateSearchOptions& options = {}) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources.push_back({folder.write("case.c", prelude + text), {}});
  const Result<Program> program = pipeline::load(input);
  const Result<api::ApiModels> models = pipeline::load_models(input);
  if (!program) throw std::runtime_error(program.error().message);
  return prove_by_states(InterpretedProgram(*program, *models), options);
}

std::string two_threads(const std::string& first, const std::string& second, const std::string& end = "") {
  return "void *t1(void *p) { int f = 0; " + first + " return 0; }\nvoid *t2(void *p) { int f = 0; " + second +
         " return 0; }\nint main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); " +
         "pthread_create(&h2, 0, t2, 0); " + end + " return 0; }\n";
}

const std::string joins = "pthread_join(h1, 0); pthread_join(h2, 0); x = 7;";
const std::string spins = "while (__c11_atomic_exchange(&a, 1, 5)) ; x++; ";
const std::string frees = "a = 0;";

TEST(StateSearch, ThreadsThatWaitByLookingHaveFewStates) {
  const StateSearchResult found = searched(two_threads(spins + frees, spins + frees, joins));
  EXPECT_TRUE(found.proof) << found.why;
  EXPECT_LT(found.states, 300U);
}

TEST(StateSearch, AnAccessBehindTheLockIsSeen) {
  EXPECT_FALSE(searched(two_threads(spins + frees, spins + frees + " f = x;", joins)).proof);
  EXPECT_FALSE(searched(two_threads(spins + frees + " x++;", spins + frees)).proof);
}

TEST(StateSearch, WhatAThreadDidLastStaysUntilItGoesOn) {
  const std::string late = "LOCK(m); UNLOCK(m); x = 1;";
  EXPECT_FALSE(searched(two_threads(late, "LOCK(m); UNLOCK(m); LOCK(n); UNLOCK(n); x = 2;")).proof);
  EXPECT_TRUE(searched(two_threads(late + " b = 1;", "while (!b) ; x = 2;")).proof);
  EXPECT_FALSE(searched(two_threads("b = 1; x = 1;", "while (!b) ; x = 2;")).proof);
}

TEST(StateSearch, WhatAThreadDidLastMakesAnotherState) {
  const std::string input = "_Bool __VERIFIER_nondet_bool(void);\n", adds = "__atomic_fetch_add(&z, 0, 5);";
  EXPECT_TRUE(searched(input + two_threads("if (__VERIFIER_nondet_bool()) y = 0;", adds)).proof);
  EXPECT_FALSE(searched(input + two_threads("if (__VERIFIER_nondet_bool()) z = 0;", adds)).proof);
  EXPECT_FALSE(searched(input + two_threads("if (!__VERIFIER_nondet_bool()) z = 0;", adds)).proof);
}

TEST(StateSearch, AThreadThatWasJoinedHasDoneNothingAtTheSameTime) {
  EXPECT_TRUE(searched(two_threads("x = 1;", "y = 1;", joins)).proof);
  EXPECT_FALSE(searched(two_threads("x = 1;", "y = 1;", "pthread_join(h2, 0); x = 7;")).proof);
}

TEST(StateSearch, APlainAccessBesideAnAtomicOneIsSeenInBothOrders) {
  EXPECT_FALSE(searched(two_threads("__atomic_fetch_add(&z, 1, 5);", "z = 2;")).proof);
  EXPECT_FALSE(searched(two_threads("z = 2;", "__atomic_fetch_add(&z, 1, 5);")).proof);
  EXPECT_TRUE(searched(two_threads("__atomic_fetch_add(&z, 1, 5);", "__atomic_fetch_add(&z, 1, 5);")).proof);
}

TEST(StateSearch, ASectionIsAsGoodAsAnAtomicAccess) {
  EXPECT_TRUE(searched(two_threads("ATOMIC(z++);", "ATOMIC(z++);")).proof);
  EXPECT_FALSE(searched(two_threads("ATOMIC(z++);", "z++;")).proof);
  EXPECT_FALSE(searched(two_threads("z++;", "ATOMIC(__VERIFIER_assume(z == 1); z = 2);")).proof);
}

TEST(StateSearch, MemoryThatIsFreedIsWritten) {
  const std::string made = "int *q;\n";
  const std::string main = "q = malloc(4); ";
  const auto with = [&](const std::string& first, const std::string& second) {
    std::string text = two_threads(first, second, joins);
    text.insert(text.find("pthread_create(&h1"), main);
    return searched(made + text).proof.has_value();
  };
  EXPECT_FALSE(with("free(q);", "*q = 1;"));
  EXPECT_FALSE(with("*q = 1;", "free(q);"));
  EXPECT_FALSE(with("a = 1; free(q);", "if (!a) *q = 1;"));  // no execution uses it when it is gone
  EXPECT_TRUE(with("LOCK(m); *q = 1; UNLOCK(m);", "LOCK(m); *q = 2; UNLOCK(m);"));
}

TEST(StateSearch, WeakerAtomicsAreNotForIt) {
  const StateSearchResult found = searched(two_threads("__c11_atomic_store(&a, 1, __ATOMIC_RELAXED);", "f = a;"));
  EXPECT_FALSE(found.proof);
  EXPECT_EQ(found.why, "an atomic access is weaker than sequential consistency");
}

TEST(StateSearch, WhatIsLearntWithoutAnOrderPutsNothingInOrder) {
  const std::string counts = "int v; sem_getvalue(&s, &v); if (v == 1) x = 2;";
  EXPECT_FALSE(searched(two_threads("x = 1; sem_post(&s);", counts)).proof);
  EXPECT_FALSE(searched(two_threads("x = 1; LOCK(m);", "if (pthread_mutex_trylock(&m)) x = 2;")).proof);
}

TEST(StateSearch, SectionsAndAtomicsAreNotOneThing) {
  EXPECT_EQ(searched(two_threads("ATOMIC(z++);", "__atomic_fetch_add(&z, 1, 5);")).why,
            "an atomic access meets a plain one inside an atomic section");
}

TEST(StateSearch, TheHandleOfAThreadMayComeLate) {
  EXPECT_FALSE(searched("pthread_t h; void *t(void *p) { x = h != 0; return 0; }\n"
                        "int main(void) { pthread_create(&h, 0, t, 0); return 0; }\n")
                   .proof);
}

TEST(StateSearch, ALockThatIsReadAsMemoryProvesNothing) {
  EXPECT_FALSE(searched(two_threads("LOCK(m); z++; UNLOCK(m);", "f = *(int *)&m;")).proof);
  EXPECT_EQ(searched(two_threads("LOCK(m); z++; UNLOCK(m);", "", joins + " x = *(int *)&m;")).why,
            "a lock is used as plain memory");
}

TEST(StateSearch, AThreadThatWaitsForItselfProvesNothing) {
  EXPECT_EQ(searched(two_threads("LOCK(m); LOCK(m);", "")).why, "a thread waits for a lock that it holds itself");
}

TEST(StateSearch, LimitsEndItWithoutAProof) {
  const std::string text = two_threads(spins + frees, spins + frees, joins);
  StateSearchOptions states, work, depth;
  states.states = 10;
  work.work = 1000;
  depth.deepest = 5;
  EXPECT_EQ(searched(text, states).why, "there are too many states");
  EXPECT_EQ(searched(text, work).why, "there are too many states");
  EXPECT_EQ(searched(text, depth).why, "an execution was cut at its limit");
}

TEST(StateSearch, WhatDependsOnAddressesProvesNothing) {
  EXPECT_FALSE(searched(two_threads("if ((unsigned long)&x % 64) z = 1;", "")).proof);
}

TEST(TouchedBytes, RangesThatMeetBecomeOne) {
  TouchedBytes one, other;
  one.add({100, 4}, true);
  one.add({108, 4}, true);
  one.add({104, 4}, true);
  other.add({100, 12}, true);
  Hasher a, b;
  one.add_to(a);
  other.add_to(b);
  EXPECT_EQ(a.finish(), b.finish());
}

TEST(TouchedBytes, ConflictNeedsAWrite) {
  TouchedBytes read, same, write, beside;
  read.add({100, 4}, false);
  same.add({102, 4}, false);
  write.add({103, 1}, true);
  beside.add({104, 4}, true);
  EXPECT_FALSE(read.conflicts_with(same));
  EXPECT_TRUE(read.meets(same));
  EXPECT_TRUE(read.conflicts_with(write));
  EXPECT_TRUE(write.conflicts_with(read));
  EXPECT_FALSE(read.conflicts_with(beside));
  EXPECT_FALSE(read.meets(beside));
}

TEST(TouchedBytes, EveryRangeIsLookedAt) {
  TouchedBytes many, last;
  for (std::uint64_t i = 0; i < 20; ++i) many.add({100 + 10 * i, 2}, true);
  last.add({291, 1}, false);
  EXPECT_TRUE(many.conflicts_with(last));
  EXPECT_TRUE(last.conflicts_with(many));
}

}  // namespace
}  // namespace heddle::explore
