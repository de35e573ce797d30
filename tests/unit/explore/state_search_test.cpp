// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/states/state_search.h"

#include <gtest/gtest.h>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/states/touched_bytes.h"
#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

StateSearchResult searched(const std::string& text, const StateSearchOptions& options = {},
                           const std::string& model = "") {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources.push_back({folder.write("case.c", prelude + text), {}});
  if (!model.empty()) input.model_files.push_back(folder.write("models.toml", model));
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

TEST(StateSearch, WhatASectionDoesBehindWhatLetsOthersGoOnIsMet) {
  EXPECT_FALSE(searched(two_threads("LOCK(m); ATOMIC(UNLOCK(m); z = 1);", "LOCK(m); z = 2; UNLOCK(m);")).proof);
  EXPECT_TRUE(searched(two_threads("LOCK(m); ATOMIC(z = 1; UNLOCK(m));", "LOCK(m); z = 2; UNLOCK(m);")).proof);
  EXPECT_FALSE(searched(two_threads("ATOMIC(sem_post(&s); z = 1);", "sem_wait(&s); z = 2;")).proof);
  EXPECT_TRUE(searched(two_threads("ATOMIC(z = 1; sem_post(&s));", "sem_wait(&s); z = 2;")).proof);
  EXPECT_FALSE(searched(two_threads("pthread_rwlock_rdlock(&w); ATOMIC(pthread_rwlock_unlock(&w); z = 1);",
                                    "pthread_rwlock_wrlock(&w); z = 2; pthread_rwlock_unlock(&w);"))
                   .proof);
}

TEST(StateSearch, WhatASectionDoesBehindACreationIsMet) {
  const auto with = [](const std::string& section) {
    return searched(
               "void *t(void *p) { z = 2; return 0; }\nvoid *u(void *p) { return 0; }\n"
               "int main(void) { pthread_t h; ATOMIC(" +
               section + "); return 0; }\n")
        .proof.has_value();
  };
  EXPECT_TRUE(with("z = 1; pthread_create(&h, 0, t, 0)"));
  EXPECT_FALSE(with("pthread_create(&h, 0, t, 0); z = 1"));
  EXPECT_FALSE(with("pthread_create(&h, 0, t, 0); z = 1; pthread_create(&h, 0, u, 0)"));
}

TEST(StateSearch, WhatMainDidAloneMeetsNobody) {
  std::string text = two_threads("sem_wait(&s); x++; sem_post(&s);", "sem_wait(&s); x++; sem_post(&s);");
  text.insert(text.find("pthread_create(&h1"), "sem_init(&s, 0, 1); ");
  EXPECT_TRUE(searched(text).proof);
  text.replace(text.find("&s, 0, 1"), 8, "&s, 0, 2");
  EXPECT_FALSE(searched(text).proof);
}

TEST(StateSearch, TheBytesOfASemaphoreMayBecomeThoseOfAnother) {
  std::string text = two_threads("sem_wait(&o); x++;", "x++;");
  text.insert(text.find("pthread_create(&h1"), "sem_init(&s, 0, 1); o = s; ");
  EXPECT_EQ(searched("sem_t o;\n" + text).why, "a lock is used as plain memory");
}

TEST(StateSearch, AThreadThatSeemsToRunMayBeAtItsEnd) {
  const std::string tries = "pthread_t h1; int pthread_tryjoin_np(pthread_t, void **);\n";
  const auto with = [&](const std::string& condition) {
    return searched(tries + "void *t1(void *p) { a = 1; x = 1; return 0; }\nint main(void) { " +
                    "pthread_create(&h1, 0, t1, 0); while (!a) ; if (" + condition + ") x = 2; return 0; }\n")
        .proof.has_value();
  };
  EXPECT_FALSE(with("pthread_tryjoin_np(h1, 0)"));
  EXPECT_TRUE(with("!pthread_tryjoin_np(h1, 0)"));
}

/// The same bytes in both, but in one of them only this machine says so; whichever is seen first.
TEST(StateSearch, ANumberThatWasRoundedIsNotTheSameNumber) {
  const std::string number = "union { float real; int bits; } q; float tenth = 0.1f;\n";
  const std::string makes = "if (a) q.real = 1.0f; else q.real = tenth * 10; b = 1;";
  const std::string reads = "a = 1; while (!b) ; if (q.bits != 0x3f800000) x = 1;";
  EXPECT_FALSE(searched(number + two_threads(makes, reads, "x = 3;")).proof);
  EXPECT_FALSE(searched(number + two_threads(reads, makes, "x = 3;")).proof);
}

TEST(StateSearch, WhatACallReadsBeforeItWaitsIsReadThen) {
  const std::string declared = "int take(pthread_mutex_t *, int *);\n";
  const std::string program = declared + two_threads("take(&m, &y); UNLOCK(m);", "LOCK(m); y = 1; UNLOCK(m);");
  const auto with = [&](const std::string& effects) {
    return searched(program, {}, "[[function]]\nname = \"take\"\neffects = [" + effects + "]\n").why;
  };
  EXPECT_EQ(with("{ acquire = 0 }"), "");
  EXPECT_EQ(with("{ read = 1, length = 4 }, { acquire = 0 }"), "a call touches memory before it waits");
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

// Inputs.

const std::string inputs =
    "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n"
    "int memcmp(const void *, const void *, unsigned long); int pthread_mutex_destroy(pthread_mutex_t *);\n"
    "#define INT __VERIFIER_nondet_int()\n";

bool is_proved(const std::string& text) { return searched(inputs + text).proof.has_value(); }

TEST(StateSearchInputs, EveryClassOfANumberIsTried) {
  const std::string locked = "LOCK(m); x++; UNLOCK(m);";
  EXPECT_TRUE(is_proved(two_threads("int n = INT; if (n > 3 && n < 9) { LOCK(m); x++; UNLOCK(m); }", locked)));
  EXPECT_FALSE(is_proved(two_threads("int n = INT; if (n > 3 && n < 9) x++;", locked)));
  EXPECT_FALSE(is_proved(two_threads("if (INT == 123456789) x++;", locked)));
  EXPECT_TRUE(is_proved(two_threads("int n = INT; if (n > 9 && n < 4) x++;", locked)));
  EXPECT_FALSE(
      is_proved(two_threads("int n = INT; LOCK(m); if (n < 5) UNLOCK(m); x++; if (n >= 5) UNLOCK(m);", locked)));
  EXPECT_TRUE(is_proved(two_threads("int n = INT; LOCK(m); x++; if (n < 5) y = 1; UNLOCK(m);", locked)));
}

TEST(StateSearchInputs, ASmallRangeIsTriedWithAllItsValues) {
  const auto with = [](const std::string& first, const std::string& second) {
    return is_proved("int k[4];\n" + two_threads("int i = INT; if (i < 0 || i > 3) return 0; " + first, second));
  };
  EXPECT_TRUE(with("k[i]++;", "x = 1;"));
  EXPECT_FALSE(with("k[i]++;", "k[2] = 1;"));
  EXPECT_TRUE(with("if (i != 2) k[i]++;", "k[2] = 1;"));
}

TEST(StateSearchInputs, AnUnknownNumberMayOnlyBeHandedOn) {
  const std::string locked = "LOCK(m); x = INT; UNLOCK(m);";
  EXPECT_TRUE(is_proved(two_threads(locked, locked)));
  EXPECT_TRUE(is_proved(two_threads("LOCK(m); x = INT; y = x + 1; UNLOCK(m);", locked)));
  for (const std::string decides :
       {"if (x > 3) y++;", "y = x > 3 ? 1 : 2; if (y == 1) z++;", "int c[2] = {0}; c[x & 1] = 1;",
        "switch (x) { case 1: y++; }", "while (x > y) y++;", "z = x / y;", "int *q = malloc(x); free(q);",
        "char c[4]; memcpy(c, &x, 4); if (c[1]) y++;", "int k = 1; memset(&k, x, 4); if (k) y++;",
        "if (memcmp(&x, &y, 4)) z++;", "if (x * 0 + y * x == 7) z++;"})
    EXPECT_FALSE(is_proved(two_threads("LOCK(m); x = INT; " + decides + " UNLOCK(m);", "LOCK(m); x = 1; UNLOCK(m); ")))
        << decides;
}

TEST(StateSearchInputs, AThreadThatOnlyAsksKeepsNobodyFromAnything) {
  const std::string asks = "for (;;) { if (INT == 5) break; }";
  EXPECT_FALSE(is_proved(two_threads(asks, "x = 1;", "x = 2;")));
  EXPECT_FALSE(is_proved(two_threads("for (;;) y = INT == 5;", "x = 1;", "x = 2;"))) << "it never ends";
  EXPECT_TRUE(is_proved(two_threads("for (;;) y = INT == 5;", "x = 1;", "z = 2;")));
  EXPECT_TRUE(is_proved(two_threads(asks, "LOCK(m); x = 1; UNLOCK(m);", "LOCK(m); x = 2; UNLOCK(m);")));
  EXPECT_TRUE(is_proved(
      two_threads("for (;;) { if (INT == 5) { LOCK(m); x = 4; UNLOCK(m); } }", "LOCK(m); x = 1; UNLOCK(m);")));
}

TEST(StateSearchInputs, WhatWasDoneBeforeAnInputIsStillDone) {
  EXPECT_FALSE(is_proved(two_threads("x = 1; if (INT > 3) y = 1;", "x = 2;")));
  EXPECT_FALSE(is_proved(two_threads("x = 1; if (INT > 3) y = 1;", "if (INT < 5) x = 2;")));
  EXPECT_FALSE(is_proved(two_threads("if (INT > 3) y = 1;", "y = 2;", "if (INT < 7) z = 1;")));
  EXPECT_FALSE(is_proved(two_threads("b = 1; x = 1; if (INT > 3) y = 1;", "while (!b) ; x = 2;")))
      << "in one order only";
}

TEST(StateSearchInputs, WhatIsDoneAloneIsBeforeEveryThread) {
  const std::string locked = "LOCK(m); x++; UNLOCK(m);";
  std::string text = two_threads(locked, locked, joins);
  text.insert(text.find("pthread_create(&h1"), "pthread_mutex_init(&m, 0); x = 3; if (INT > 4) x = 5; ");
  EXPECT_TRUE(is_proved(text));
  text.insert(text.find("pthread_create(&h2"), "pthread_mutex_init(&m, 0); ");
  EXPECT_FALSE(is_proved(text));
}

TEST(StateSearchInputs, ALockThatIsDestroyedMeetsItsUses) {
  const std::string locked = "LOCK(m); y++; UNLOCK(m);";
  EXPECT_TRUE(is_proved(two_threads(locked, locked, joins + " pthread_mutex_destroy(&m);")));
  EXPECT_FALSE(is_proved(two_threads(locked, locked, "pthread_join(h1, 0); pthread_mutex_destroy(&m);")));
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

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
