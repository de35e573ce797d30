// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "explore/evidence/few_preemptions.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/interpreted/machine_executor.h"
#include "explore/loaded_program.h"
#include "frontend/scratch_source.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

LoadedProgram load(const std::string& path, const std::vector<std::string>& flags = {}) {
  pipeline::Input options;
  options.sources.push_back({path, flags});
  return load_program(options);
}

Enumeration count(const LoadedProgram& loaded, SearchKind kind, bool at_accesses = false) {
  EnumerateOptions options;
  options.kind = kind;
  options.at_accesses = at_accesses;
  options.event_budget = 10'000'000;
  return enumerate(InterpretedProgram(*loaded.program, *loaded.models), options);
}

struct Counted {
  const char* source;
  std::vector<std::string> flags;
  std::uint64_t traces;
  bool is_small = false;  ///< small enough for all interleavings
};

class BenchPrograms : public testing::TestWithParam<Counted> {};

/// (N·K)!/(K!)^N for the counter, ((N+1)!)^3 for the readers; the quicksort's number is what every search agrees on.
TEST_P(BenchPrograms, HaveTheirNumberOfTraces) {
  const LoadedProgram loaded =
      load(HEDDLE_TEST_DATA "/../bench/programs/" + std::string(GetParam().source), GetParam().flags);
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  ASSERT_TRUE(loaded.models);
  std::vector<SearchKind> kinds{SearchKind::Classic, SearchKind::Source, SearchKind::Optimal};
  if (GetParam().is_small) kinds.push_back(SearchKind::Exhaustive);
  std::set<ContentHash> digests;
  for (const SearchKind kind : kinds) {
    const Enumeration seen = count(loaded, kind);
    EXPECT_TRUE(seen.statistics.complete);
    EXPECT_TRUE(seen.gaps.empty());
    EXPECT_FALSE(seen.race);
    EXPECT_EQ(seen.traces, GetParam().traces) << static_cast<int>(kind);
    digests.insert(seen.digest);
    if (kind != SearchKind::Optimal) continue;
    EXPECT_EQ(seen.statistics.executions, seen.traces);
    EXPECT_EQ(seen.statistics.sleep_blocked, 0U);
  }
  EXPECT_EQ(digests.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, BenchPrograms,
                         testing::Values(Counted{"counter.c", {"-DN=2", "-DK=2"}, 6, true},
                                         Counted{"counter.c", {"-DN=3", "-DK=1"}, 6, true},
                                         Counted{"counter.c", {"-DN=3", "-DK=3"}, 1'680},
                                         Counted{"counter.c", {"-DN=4", "-DK=2"}, 2'520},
                                         Counted{"readers.c", {"-DN=1"}, 8, true},
                                         Counted{"readers.c", {"-DN=3"}, 13'824},
                                         Counted{"quicksort.c", {"-DTHREADS=2", "-DITEMS=2"}, 8, true},
                                         Counted{"quicksort.c", {"-DTHREADS=3", "-DITEMS=2"}, 138},
                                         Counted{"quicksort.c", {"-DTHREADS=3", "-DITEMS=4"}, 2'874}));

LoadedProgram load_text(const std::string& text) {
  const frontend::ScratchFolder folder;
  return load(folder.write("program.c", text));
}

const std::string two_threads = R"(
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0); return 0; }
)";

TEST(Enumerate, AccessesAreStepsAtTheirOwnGrain) {
  const LoadedProgram loaded = load_text(
      "int x; void *first(void *p) { x++; return p; } void *second(void *p) { x++; return p; }" + two_threads);
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  for (const SearchKind kind : {SearchKind::Exhaustive, SearchKind::Source, SearchKind::Optimal}) {
    EXPECT_EQ(count(loaded, kind).traces, 1U);
    const Enumeration seen = count(loaded, kind, true);
    EXPECT_EQ(seen.traces, 4U) << "read read write write in both orders of the writes, and one thread after the other";
    EXPECT_TRUE(seen.race);
  }
  EXPECT_TRUE(count(loaded, SearchKind::Exhaustive, true).adjacent);
}

TEST(Enumerate, MemoryOrdersDecideAboutTheWeakRace) {
  const auto message = [](const std::string& store, const std::string& load) {
    return "int x; _Atomic int f; void *first(void *p) { x = 1; __c11_atomic_store(&f, 1, " + store +
           "); return p; } void *second(void *p) { if (__c11_atomic_load(&f, " + load + ")) x = 2; return p; }" +
           two_threads;
  };
  const std::string relaxed = "__ATOMIC_RELAXED", acquire = "__ATOMIC_ACQUIRE", release = "__ATOMIC_RELEASE";
  const auto races = [&](const std::string& store, const std::string& load) {
    const LoadedProgram loaded = load_text(message(store, load));
    const Enumeration seen = count(loaded, SearchKind::Optimal);
    EXPECT_FALSE(seen.race) << "sequentially consistent";
    return seen.weak_race.has_value();
  };
  EXPECT_FALSE(races(release, acquire));
  EXPECT_TRUE(races(relaxed, acquire));
  EXPECT_TRUE(races(release, relaxed));
}

TEST(Enumerate, TakingOnesOwnLockAgainIsNobodyElsesAffair) {
  const LoadedProgram loaded = load_text(R"(
typedef union { char size[48]; long align; } pthread_mutex_t;
typedef union { char size[8]; int align; } pthread_mutexattr_t;
int pthread_mutexattr_init(pthread_mutexattr_t *); int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *); int pthread_mutex_lock(pthread_mutex_t *);
pthread_mutex_t m;
void *first(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return p; }
void *second(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return p; }
__attribute__((constructor)) void start(void) {
  pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1); pthread_mutex_init(&m, &a);
})" + two_threads);
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  const Enumeration seen = count(loaded, SearchKind::Optimal);
  EXPECT_EQ(seen.traces, 2U);
  EXPECT_EQ(seen.statistics.sleep_blocked, 0U);
  EXPECT_EQ(seen.digest, count(loaded, SearchKind::Exhaustive).digest);
}

const std::string atomics = "int x; _Atomic int a, b;";

std::string threads(const std::string& first, const std::string& second) {
  return atomics + "void *first(void *p) { " + first + " return p; } void *second(void *p) { " + second +
         R"( return p; }
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int main(void) {
  pthread_t h, g;
  pthread_create(&h, 0, first, 0); pthread_create(&g, 0, second, 0); pthread_join(h, 0); pthread_join(g, 0);
  return 0;
})";
}

/// All searches have to agree about the traces of a program without a race.
Enumeration same_in_all(const LoadedProgram& loaded) {
  const Enumeration all = count(loaded, SearchKind::Exhaustive);
  EXPECT_TRUE(all.statistics.complete);
  EXPECT_TRUE(all.gaps.empty()) << *all.gaps.begin();
  for (const SearchKind kind : {SearchKind::Classic, SearchKind::Source, SearchKind::Optimal}) {
    const Enumeration seen = count(loaded, kind);
    EXPECT_EQ(seen.digest, all.digest) << static_cast<int>(kind);
    EXPECT_EQ(seen.livelocks, all.livelocks);
  }
  return all;
}

TEST(Spinning, StopsWithTheFirstRoundThatDidNothing) {
  const Enumeration seen = same_in_all(load_text(threads("x = 1; a = 1;", "while (!a) ; x = 2;")));
  EXPECT_EQ(seen.traces, 2U) << "the flag is read once before it is set, or only behind";
  EXPECT_FALSE(seen.race);
  EXPECT_EQ(seen.livelocks, 0U);
}

TEST(Spinning, IsALivelockIfNobodyCanEndIt) {
  EXPECT_EQ(same_in_all(load_text(threads("while (!a) ;", "while (!b) ;"))).livelocks, 1U);
  const Enumeration seen = same_in_all(load_text(threads("while (!a) ; b = 1;", "a = 1; while (!b) ; a = 0;")));
  EXPECT_EQ(seen.livelocks, 0U) << "in some traces a thread looked too early, but in none for ever";
  EXPECT_TRUE(same_in_all(load_text(threads("while (!a) ; b = 1;", "a = 1; a = 0; while (!b) ;"))).livelocks > 0);
}

TEST(Spinning, FindsTheRaceInsideAndBehindTheLoop) {
  const LoadedProgram inside = load_text(threads("x = 1; a = 1;", "while (!a) if (x) b = 1;"));
  const LoadedProgram behind = load_text(threads("a = 1; x = 1;", "while (!a) ; x = 2;"));
  for (const SearchKind kind : {SearchKind::Exhaustive, SearchKind::Classic, SearchKind::Source, SearchKind::Optimal})
    for (const bool at_accesses : {false, true}) {
      EXPECT_TRUE(count(inside, kind, at_accesses).race);
      EXPECT_TRUE(count(behind, kind, at_accesses).race);
    }
}

TEST(ThreadNumbers, DoNotDependOnWhichCreatorWasFaster) {
  const std::string child =
      "void *child(void *p) { return p; } typedef unsigned long pthread_t;"
      "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);";
  const std::string creates = "pthread_t h; pthread_create(&h, 0, child, 0); pthread_create(&h, 0, child, 0);";
  const Enumeration seen = same_in_all(load_text(child + threads(creates, creates)));
  EXPECT_EQ(seen.traces, 1U);
}

/// The third thread touches the lock while main holds it: the first must still get its turn before main.
TEST(Enumerate, WhoMeetsATakenLockHidesNobody) {
  const std::string head = R"(
typedef unsigned long pthread_t;
typedef union { char size[56]; long align; } lock_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(lock_t *); int pthread_mutex_trylock(lock_t *); int pthread_mutex_unlock(lock_t *);
int pthread_rwlock_wrlock(lock_t *); int pthread_rwlock_rdlock(lock_t *); int pthread_rwlock_unlock(lock_t *);
lock_t l;
)";
  const auto program = [&](const std::string& take, const std::string& hold, const std::string& meet,
                           const std::string& give) {
    return head + "void *first(void *p) { " + take + "(&l); " + give + "(&l); return p; } void *third(void *p) { " +
           meet + " return p; } int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); " + hold +
           "(&l); pthread_create(&b, 0, third, 0); pthread_join(b, 0); " + give + "(&l); return 0; }";
  };
  const std::string w = "pthread_rwlock_", m = "pthread_mutex_";
  EXPECT_EQ(same_in_all(load_text(program(m + "lock", m + "lock", m + "trylock(&l);", m + "unlock"))).traces, 2U);
  const std::string reads = w + "rdlock(&l); " + w + "unlock(&l);";
  EXPECT_EQ(same_in_all(load_text(program(w + "wrlock", w + "rdlock", reads, w + "unlock"))).traces, 2U);
}

std::uint32_t preemptions_of(Course& course, const std::vector<ThreadIndex>& path) {
  course.restart();
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::vector<ThreadIndex> enabled = course.enabled();
    if (i > 0 && path[i] != path[i - 1] && std::ranges::binary_search(enabled, path[i - 1])) ++count;
    course.step(path[i], 0);
  }
  return count;
}

TEST(PreemptionBound, VisitsWhatAllExecutionsWithFewPreemptionsAre) {
  const LoadedProgram loaded = load_text(threads("a = 1; b = 1; a = 2;", "a = 3; b = 2; while (b == 1) ;"));
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  ExecutionLimits limits;
  limits.weakest = false;
  MachineExecutor executor(*loaded.program, *loaded.models, limits);
  Course course(executor);
  std::vector<std::vector<ThreadIndex>> paths;
  search(course, SearchKind::Exhaustive, {}, [&](const Trace&) {
    paths.push_back(course.path());
    return true;
  });
  std::map<std::uint32_t, std::uint64_t> expected;
  for (const std::vector<ThreadIndex>& path : paths) ++expected[preemptions_of(course, path)];
  ASSERT_GT(expected.size(), 3U);
  std::uint64_t sum = 0;
  for (std::uint32_t bound = 0; bound <= expected.rbegin()->first; ++bound) {
    EnumerateOptions options;
    options.kind = SearchKind::Exhaustive;
    options.preemptions = bound;
    const Enumeration seen = enumerate(InterpretedProgram(*loaded.program, *loaded.models), options);
    sum += expected[bound];
    EXPECT_TRUE(seen.statistics.complete);
    EXPECT_EQ(seen.statistics.executions, sum) << bound;
    EXPECT_EQ(seen.gaps.empty(), bound == expected.rbegin()->first) << "what the bound left out is remembered";
  }
}

TEST(PreemptionBound, FindsWhatNeedsThreeSwitchesAtTheRightPlaces) {
  const LoadedProgram loaded = load_text(threads("a = 1; if (b == 2) { a = 2; if (b == 3) x = 1; }",
                                                 "if (a == 1) { b = 2; if (a == 2) { b = 3; x = 2; } }"));
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  FewPreemptionsOptions options;
  options.most = 2;
  EXPECT_FALSE(find_with_few_preemptions(InterpretedProgram(*loaded.program, *loaded.models), options).race);
  options.most = 3;
  EXPECT_TRUE(find_with_few_preemptions(InterpretedProgram(*loaded.program, *loaded.models), options).race);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
