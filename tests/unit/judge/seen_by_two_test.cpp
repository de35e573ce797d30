// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads and "the others": what is kept apart there is kept apart, however many the others are. Models with copies
// of one thread are enumerated; the judge is told of one thread that is started as often.
#include "judge/thread_graphs/seen_by_two.h"

#include <gtest/gtest.h>

#include <random>

#include "judge/random_models.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/one_hot.h"
#include "judge/thread_graphs/print_model.h"
#include "judge/thread_graphs/settled_variables.h"
#include "judge/thread_graphs/slice.h"
#include "judge/transaction/settle.h"
#include "proof/transaction/checker.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

/// In every pair of threads that may come to the two places.
bool are_apart_by_two(const Model& reduced, const PlacePair& pair, const std::string& where) {
  bool is_asked = false;
  for (const auto& [first, second] : threads_that_meet(reduced, pair)) {
    is_asked = true;
    std::optional<Model> seen = seen_by_two(reduced, first, second);
    if (!seen) return false;
    take_numbers_apart(*seen);
    drop_variables(*seen);
    number(*seen);
    Effort effort{20'000};
    const Settled settled = settle(*seen, {pair}, effort);
    if (settled.claims.empty()) return false;
    for (const Claims& claims : settled.claims) {
      const auto proof = check_in_one(*seen, claims.annotation, claims.apart, {});
      EXPECT_TRUE(proof) << where << ": " << proof.error() << "\n" << text_of(*seen);
    }
  }
  return is_asked;
}

/// Many threads of one kind, each of which says that it is busy, and waits while somebody is.
///
///   lock; while (busy) { unlock; lock; } busy := 1; unlock;  VISIT;  lock; busy := 0; unlock
struct Busy {
  Act test = guard(x(0), Predicate::Eq, n(0));
  Act taking = set(0, n(1), {0, 1}), giving = set(0, n(0), {0, 1});
  std::vector<Act> starts{start(1), start(1)};
  std::vector<WrittenStep> more = {};  ///< of the thread

  [[nodiscard]] Model make() const {
    WrittenThread worker{"worker",
                         {{2, 3, {take(0)}},
                          {3, 4, {test}},
                          {4, 5, {taking}},
                          {5, 6, {give(0)}},
                          {6, 7, {visit(0)}},
                          {7, 8, {take(0)}},
                          {8, 9, {giving}},
                          {9, 0, {give(0)}}}};
    worker.steps.insert(worker.steps.end(), more.begin(), more.end());
    WrittenThread main{"main", {}};
    PointIndex at = Thread::begin;
    for (const Act& one : starts) {
      main.steps.push_back({at, at + 1, {one}});
      ++at;
    }
    main.steps.push_back({at, Thread::ended, {}});
    return model({{"busy", 0, {-3, 3}}}, {"m"}, {main, worker});
  }
  [[nodiscard]] bool is_apart() const {
    Model out = unfinished(make());
    reduce(out, false);
    return are_apart_by_two(out, {place(0), place(0)}, "busy");
  }
};

TEST(SeenByTwo, WhoIsBusyIsAlone) {
  EXPECT_TRUE(Busy{}.is_apart());
  EXPECT_TRUE((Busy{.starts = {start(1), start(1), start(1), start(1), start(1)}}.is_apart()));
}
TEST(SeenByTwo, WhoeverDoesNotAskIsNotAlone) {
  EXPECT_FALSE((Busy{.test = guard(x(0), Predicate::Sge, n(0))}.is_apart()));
  EXPECT_FALSE((Busy{.taking = set(0, x(0), {0, 1})}.is_apart()));
}
TEST(SeenByTwo, OthersGiveBackOnlyWhatTheyHave) {
  // Somebody who never was busy says that nobody is.
  EXPECT_FALSE((Busy{.more = {{2, 8, {take(0)}}}}.is_apart()));
}
TEST(SeenByTwo, OneThreadMeetsNobodyOfItsKind) {
  Model alone = unfinished(Busy{.starts = {start(1)}}.make());
  EXPECT_TRUE(threads_that_meet(alone, {place(0), place(0)}).empty());
}
TEST(SeenByTwo, MainMayStartThemInALoop) {
  Model out = Busy{}.make();
  out.threads[0].points[2].edges = {{2, {start(1)}}, {Thread::ended, {}}};
  out = unfinished(std::move(out));
  reduce(out, false);
  EXPECT_TRUE(are_apart_by_two(out, {place(0), place(0)}, "busy"));
}
TEST(SeenByTwo, WhatOneIsHandedIsNotTheNextOnes) {
  // x is handed over; who has got 1 comes to the place, also when 2 has been handed to another one since.
  Model out = model({{"x", 0, {-3, 3}}, {"go", 0, {0, 1}}}, {},
                    {{"main",
                      {{2, 3, {set(0, n(1), {-3, 3}), start(1)}},
                       {3, 4, {set(0, n(1), {-3, 3}), start(1)}},
                       {4, 5, {set(0, n(2), {-3, 3}), start(1)}},
                       {5, 0, {set(1, n(1), {0, 1})}}}},
                     {"t",
                      {{2, 3, {guard(x(1), Predicate::Eq, n(1))}},
                       {3, 0, {guard(x(0), Predicate::Ne, n(1))}},
                       {3, 4, {guard(x(0), Predicate::Eq, n(1))}},
                       {4, 0, {visit(0)}}}}});
  out = unfinished(std::move(out));
  take_arguments_at_begin(out, {0});
  reduce(out, false);
  EXPECT_FALSE(are_apart_by_two(out, {place(0), place(0)}, "handed"));
}
TEST(SeenByTwo, SumsCountToo) {
  const Act up = set(0, x(0, 1), {-3, 3}), down = set(0, x(0, -1), {-3, 3});
  EXPECT_TRUE((Busy{.taking = up, .giving = down}.is_apart()));
  EXPECT_FALSE((Busy{.taking = up, .giving = set(0, x(0, -2), {-3, 3})}.is_apart()));
}

struct CountedPairs {
  std::size_t models = 0, apart = 0, together = 0;
};

/// Main that starts the first of so many again and again: in a loop, or one by one.
WrittenThread starts_one(WrittenThread main, std::uint32_t copies, bool in_loop) {
  for (WrittenStep& step : main.steps)
    for (Act& act : step.acts) {
      if (Start* begun = std::get_if<Start>(&act)) begun->thread = begun->thread <= copies ? 1 : 2;
      if (Join* joined = std::get_if<Join>(&act)) joined->thread = 2;
    }
  if (!in_loop) return main;
  main.steps.erase(main.steps.begin(), main.steps.begin() + copies);
  main.steps.push_back({Thread::begin, Thread::begin, {start(1)}});
  main.steps.push_back({Thread::begin, Thread::begin + copies, {}});
  return main;
}

/// One thread as several that are the same, and one that is told to have been started so often.
void look_at_copies(std::uint32_t seed, CountedPairs& counted) {
  std::mt19937 random(seed);
  const std::uint32_t copies = 2 + random() % 2;
  const bool has_another = random() % 2 == 0;
  const WrittenThread copied = RandomThread(random, 1).make("copied", {}, {});
  const WrittenThread another = RandomThread(random, random() % 2).make("another", {}, {});
  std::vector<Act> starts;
  for (ThreadIndex t = 1; t <= copies; ++t) starts.push_back(start(t));
  if (has_another) {
    starts.push_back(start(copies + 1));
    if (random() % 3 == 0) starts.push_back(join(copies + 1));
  }
  const WrittenThread main = RandomThread(random, 0).make("main", starts, {});
  const WrittenThread main_of_one = starts_one(main, copies, random() % 2 == 0);
  std::vector<WrittenThread> all{main}, one{main_of_one, copied};
  all.insert(all.end(), copies, copied);
  if (has_another) {
    all.push_back(another);
    one.push_back(another);
  }
  const std::vector<SharedVariable> shared{{"x", 0, small_range}, {"y", 1, small_range}};
  const Model whole = model(shared, {"a", "b"}, all, 1), raw = unfinished(model(shared, {"a", "b"}, one, 1));
  Executions executions(whole);
  if (!executions.run(20'000) || !unruly_locks(raw).empty()) return;
  ++counted.models;
  const SliceOptions ways[] = {{.only = {0}, .depth = 1}, {.depth = 1, .has_addresses = true, .has_all_guards = true}};
  for (const PlacePair& pair : all_pairs()) {
    counted.together += executions.met.contains(pair) ? 1U : 0U;
    for (std::size_t how = 0; how <= std::size(ways); ++how) {
      Model part = how < std::size(ways) ? slice(raw, SliceGround(raw), pair, ways[how]) : raw;
      reduce(part, how % 2 == 0);
      const std::string where = "seed " + std::to_string(seed) + ", way " + std::to_string(how);
      if (!are_apart_by_two(part, pair, where)) continue;
      ++counted.apart;
      ASSERT_FALSE(executions.met.contains(pair)) << where;
    }
  }
}

TEST(SeenByTwoRandom, NothingThatIsApartMeets) {
  CountedPairs counted;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) look_at_copies(seed, counted);
  EXPECT_GT(counted.models, 7U);
  EXPECT_GT(counted.apart, 3U);
  EXPECT_GT(counted.together, 7U);
}

/// Long: HEDDLE_SEEDS=3000 tries the seeds from 1 to 3000.
TEST(SeenByTwoRandom, NothingThatIsApartMeetsWithMoreSeeds) {
  const char* seeds = std::getenv("HEDDLE_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "HEDDLE_SEEDS is not set";
  CountedPairs counted;
  for (std::uint32_t seed = 1; seed <= std::stoul(seeds); ++seed) look_at_copies(seed, counted);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
