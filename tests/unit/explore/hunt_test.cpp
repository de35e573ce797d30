// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many suspected races at once, on the toy executor.
#include "explore/hunt/hunt.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/hunt/approach.h"
#include "explore/toy_executor.h"
#include "explore/watch/pair_watch.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

using toy::ToySubject;

/// Main creates two threads and joins them.
std::vector<std::string> two_threads(const std::string& first, const std::string& second) {
  return {"f1 f2 j1 j2", first, second};
}

/// Operation number `at` of the thread.
AccessKey key(ThreadIndex thread, std::uint64_t at) { return (AccessKey{thread} << 32U) | at; }

struct Hunted {
  std::vector<AccessPair> pairs;
  std::vector<ConfirmedRace> races;
  HuntResult result;

  [[nodiscard]] bool has(AccessKey a, AccessKey b) const {
    return std::ranges::any_of(pairs, [&](const AccessPair& pair) { return pair.is(a, b); });
  }
};

Hunted hunted(ToySubject& subject, const std::vector<AccessPair>& suspected, const HuntOptions& options = {}) {
  Hunted out;
  HuntNews news;
  news.found = [&](const AccessPair& pair, const ConfirmedRace& race) {
    out.pairs.push_back(pair);
    out.races.push_back(race);
  };
  out.result = hunt(subject, suspected, options, news);
  return out;
}

TEST(Hunt, ConfirmsEveryPairAndEachScheduleReplays) {
  ToySubject subject(two_threads("S0=1 r5 S1=1", "S0=2 r6 S1=2"));
  const Hunted found = hunted(subject, {{key(1, 0), key(2, 0)}, {key(1, 2), key(2, 2)}});
  EXPECT_EQ(found.pairs.size(), 2U);
  EXPECT_TRUE(found.has(key(1, 0), key(2, 0)));
  EXPECT_TRUE(found.has(key(1, 2), key(2, 2)));
  for (const ConfirmedRace& race : found.races) EXPECT_TRUE(replay(subject, race.schedule).has_value());
}

TEST(Hunt, TellsOfRacesThatNobodySuspected) {
  ToySubject subject(two_threads("S0=1", "L0"));
  EXPECT_TRUE(hunted(subject, {}).has(key(1, 0), key(2, 0)));
  HuntOptions none;
  none.unsuspected = 0;
  EXPECT_TRUE(hunted(subject, {}, none).pairs.empty());
}

TEST(Hunt, ConfirmsNothingThatIsOrdered) {
  ToySubject locked(two_threads("l0 S0=1 u0", "l0 S0=2 u0"));
  const Hunted found = hunted(locked, {{key(1, 1), key(2, 1)}});
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_EQ(found.result.reached, std::vector<std::uint32_t>{2});
  ToySubject message(two_threads("S0=1 p0", "s0 S0=2"));
  EXPECT_TRUE(hunted(message, {{key(1, 0), key(2, 1)}}).pairs.empty());
}

TEST(Hunt, SaysHowMuchOfAPairWasReached) {
  ToySubject subject(two_threads("S0=1", "L1"));
  const Hunted found = hunted(subject, {{key(1, 0), key(9, 0)}, {key(8, 0), key(9, 0)}, {key(1, 0), key(2, 0)}});
  EXPECT_EQ(found.result.reached, (std::vector<std::uint32_t>{1, 0, 2}));
  EXPECT_TRUE(found.pairs.empty());
}

TEST(Hunt, ApproachAndSearchFindARaceThatALockHidesInMostOrders) {
  ToySubject subject(two_threads("S0=1 l0 u0", "l0 u0 S0=2"));
  const std::vector<AccessPair> suspected{{key(1, 0), key(2, 2)}};
  HuntOptions approach_only;
  approach_only.makes_runs = false;
  approach_only.events = 0;
  EXPECT_EQ(hunted(subject, suspected, approach_only).pairs.size(), 1U);
  HuntOptions search_only;
  search_only.makes_runs = false;
  search_only.budget = 0;
  EXPECT_EQ(hunted(subject, suspected, search_only).pairs.size(), 1U);
}

TEST(Hunt, LeavesOutPairsThatOnlyLackAnOrderIfAskedTo) {
  ToySubject subject(two_threads("S0=1 v0=1", "q0=1 S0=2"));
  const std::vector<AccessPair> suspected{{key(1, 0), key(2, 1)}};
  HuntOptions options;
  options.takes_unordered = false;
  for (const ConfirmedRace& race : hunted(subject, suspected, options).races)
    EXPECT_EQ(race.schedule.ending, race::Schedule::Ending::Race);
}

TEST(Approach, HoldsAThreadUntilTheOtherOneArrives) {
  const ToySubject subject(two_threads("r1 S0=1 l0 u0", "l0 u0 r2 r2 r2 S0=2"));
  const ApproachResult found = approach(subject, {key(1, 1), key(2, 5)}, {});
  ASSERT_TRUE(found.race.has_value());
  EXPECT_EQ(found.race->race.first_operation.key, key(1, 1));
  EXPECT_EQ(found.race->race.second_operation.key, key(2, 5));
  EXPECT_GT(found.cost, 0U);
}

TEST(Approach, LetsGoOfAThreadThatOthersWaitFor) {
  const ToySubject subject(two_threads("S0=1 p0", "s0 S0=2"));
  const ApproachResult found = approach(subject, {key(1, 0), key(2, 1)}, {});
  EXPECT_FALSE(found.race.has_value());
}

TEST(PairWatch, SeesAccessesThatALaterOneOfTheSameThreadHides) {
  const AccessKey first = key(1, 0), second = key(1, 1), other = key(2, 0);
  PairWatch watch(std::vector<AccessPair>{{first, other}, {second, other}});
  RaceDetector clocks;
  clocks.watch(&watch);
  const auto deed = [](AccessKey which, ThreadIndex thread, DeedKind kind) {
    Deed out;
    out.kind = kind;
    out.thread = thread;
    out.size = 4;
    out.address = 64;
    out.key = which;
    return out;
  };
  clocks.follow(0, std::vector<Deed>{deed(first, 1, DeedKind::Write), deed(second, 1, DeedKind::Write)});
  clocks.follow(1, std::vector<Deed>{deed(other, 2, DeedKind::Read)});
  EXPECT_EQ(watch.met().size(), 2U);
  EXPECT_FALSE(clocks.race().has_value()) << "the watch is told instead";
  EXPECT_EQ(watch.makers(other), std::set<ThreadIndex>{2});
  EXPECT_TRUE(watch.makers(key(7, 7)).empty());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
