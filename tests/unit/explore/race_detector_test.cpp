// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/race_detector.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

/// Feeds one deed per step.
class Story {
 public:
  Story() = default;
  /// Looks for these two accesses alone.
  explicit Story(const AccessPair& only) : detector_(MemoryOrders::SequentiallyConsistent, only) {}

  Story& add(std::uint32_t thread, DeedKind kind, std::uint64_t address, std::uint32_t size = 4,
             AccessKey key = no_access) {
    Deed deed;
    deed.key = key;
    deed.kind = kind;
    deed.thread = thread;
    deed.address = address;
    deed.size = size;
    detector_.follow(step_++, std::vector{deed});
    return *this;
  }
  [[nodiscard]] bool races() const { return detector_.race().has_value(); }
  [[nodiscard]] const DetectedRace& race() const { return *detector_.race(); }

 private:
  RaceDetector detector_;
  std::uint32_t step_ = 0;
};

constexpr std::uint64_t x = 0x1000, y = 0x2000, m = 0x3000;

Story two_threads() {
  Story story;
  story.add(0, DeedKind::Spawn, 1).add(0, DeedKind::Spawn, 2);
  return story;
}

TEST(RaceDetector, SeesUnorderedWrites) {
  Story story = two_threads();
  story.add(1, DeedKind::Write, x).add(2, DeedKind::Write, x);
  ASSERT_TRUE(story.races());
  EXPECT_EQ(story.race().first.step, 2U);
  EXPECT_EQ(story.race().second.step, 3U);
}

TEST(RaceDetector, PassesOverWhatIsNotLookedFor) {
  Story story(AccessPair{5, 7});
  story.add(0, DeedKind::Spawn, 1).add(0, DeedKind::Spawn, 2);
  story.add(1, DeedKind::Write, x, 4, 4).add(1, DeedKind::Write, x, 4, 5).add(1, DeedKind::Write, x, 4, 6);
  EXPECT_FALSE(story.add(2, DeedKind::Write, x, 4, 8).races());
  EXPECT_FALSE(story.add(2, DeedKind::Write, x, 4, 5).races());
  EXPECT_TRUE(story.add(2, DeedKind::Write, x, 4, 7).races());
  EXPECT_EQ(story.race().first.step, 3U);
}

TEST(RaceDetector, LetsReadersShare) {
  EXPECT_FALSE(two_threads().add(1, DeedKind::Read, x).add(2, DeedKind::Read, x).races());
}

TEST(RaceDetector, MeetsEveryReaderWithAWriter) {
  EXPECT_TRUE(two_threads().add(1, DeedKind::Read, x).add(2, DeedKind::Read, x).add(2, DeedKind::Write, x).races());
}

TEST(RaceDetector, ComparesBytes) {
  EXPECT_FALSE(two_threads().add(1, DeedKind::Write, x, 4).add(2, DeedKind::Write, x + 4, 4).races());
  EXPECT_TRUE(two_threads().add(1, DeedKind::Write, x, 4).add(2, DeedKind::Write, x + 3, 1).races());
}

TEST(RaceDetector, FollowsCreationAndJoin) {
  Story story;
  story.add(0, DeedKind::Write, x).add(0, DeedKind::Spawn, 1).add(1, DeedKind::Write, x);
  story.add(1, DeedKind::ThreadEnd, 1).add(0, DeedKind::Join, 1).add(0, DeedKind::Write, x);
  EXPECT_FALSE(story.races());
  EXPECT_TRUE(Story().add(0, DeedKind::Spawn, 1).add(0, DeedKind::Write, x).add(1, DeedKind::Write, x).races());
}

TEST(RaceDetector, TheHandleOfANewThreadIsUnclearToIt) {
  const auto creation = [] {
    return std::vector<Deed>{{.kind = DeedKind::Spawn, .thread = 0, .address = 1, .key = 7},
                             {.kind = DeedKind::Write, .thread = 0, .size = 8, .address = x, .key = 7}};
  };
  RaceDetector early;
  early.follow(0, creation());
  early.follow(1, std::vector<Deed>{{.kind = DeedKind::Read, .thread = 1, .size = 4, .address = x + 4}});
  EXPECT_FALSE(early.race().has_value());
  EXPECT_FALSE(early.unclear().empty());
  RaceDetector later;
  later.follow(0, creation());
  later.follow(1, std::vector<Deed>{{.kind = DeedKind::Release, .thread = 0, .address = m}});
  later.follow(2, std::vector<Deed>{{.kind = DeedKind::Acquire, .thread = 1, .address = m},
                                    {.kind = DeedKind::Read, .thread = 1, .size = 8, .address = x}});
  EXPECT_TRUE(later.unclear().empty());
}

TEST(RaceDetector, FollowsLocks) {
  Story story = two_threads();
  story.add(1, DeedKind::Acquire, m).add(1, DeedKind::Write, x).add(1, DeedKind::Release, m);
  EXPECT_FALSE(Story(story).add(2, DeedKind::Acquire, m).add(2, DeedKind::Write, x).races());
  EXPECT_TRUE(Story(story).add(2, DeedKind::Write, x).races());
  EXPECT_TRUE(Story(story).add(1, DeedKind::Write, y).add(2, DeedKind::Acquire, m).add(2, DeedKind::Write, y).races());
}

TEST(RaceDetector, OrdersReadersOfALockAgainstWritersOnly) {
  Story story = two_threads();
  story.add(1, DeedKind::AcquireShared, m).add(1, DeedKind::Write, x).add(1, DeedKind::ReleaseShared, m);
  EXPECT_TRUE(Story(story).add(2, DeedKind::AcquireShared, m).add(2, DeedKind::Write, x).races());
  EXPECT_FALSE(Story(story).add(2, DeedKind::Acquire, m).add(2, DeedKind::Write, x).races());
}

TEST(RaceDetector, OrdersByAtomicsAndRacesThemWithPlainAccesses) {
  EXPECT_FALSE(two_threads().add(1, DeedKind::AtomicWrite, x).add(2, DeedKind::AtomicWrite, x).races());
  EXPECT_TRUE(two_threads().add(1, DeedKind::AtomicWrite, x).add(2, DeedKind::Read, x).races());
  Story message = two_threads();
  message.add(1, DeedKind::Write, y).add(1, DeedKind::AtomicWrite, x).add(2, DeedKind::AtomicRead, x);
  EXPECT_FALSE(message.add(2, DeedKind::Read, y).races());
  Story readers = two_threads();
  readers.add(1, DeedKind::Write, y).add(1, DeedKind::AtomicRead, x).add(2, DeedKind::AtomicRead, x);
  EXPECT_TRUE(readers.add(2, DeedKind::Read, y).races());
}

TEST(RaceDetector, RacesAnAccessInsideASectionWithOneOutside) {
  Story story = two_threads();
  story.add(1, DeedKind::SectionBegin, 0).add(1, DeedKind::Write, x).add(1, DeedKind::SectionEnd, 0);
  EXPECT_TRUE(Story(story).add(2, DeedKind::Read, x).races());
  EXPECT_FALSE(Story(story).add(2, DeedKind::SectionBegin, 0).add(2, DeedKind::Write, x).races());
}

TEST(RaceDetector, OrdersSectionsThatTouchTheSameBytes) {
  Story story = two_threads();
  story.add(1, DeedKind::Write, y).add(1, DeedKind::SectionBegin, 0).add(1, DeedKind::Write, x);
  story.add(1, DeedKind::SectionEnd, 0).add(2, DeedKind::SectionBegin, 0);
  EXPECT_FALSE(
      Story(story).add(2, DeedKind::Read, x).add(2, DeedKind::SectionEnd, 0).add(2, DeedKind::Write, y).races());
  EXPECT_TRUE(
      Story(story).add(2, DeedKind::Read, x + 4).add(2, DeedKind::SectionEnd, 0).add(2, DeedKind::Write, y).races());
}

TEST(RaceDetector, TakesFreeForAWriteOfTheWholeObject) {
  EXPECT_TRUE(two_threads().add(1, DeedKind::Read, x + 8).add(2, DeedKind::Free, x, 16).races());
}

/// What a call does to a lock of 40 bytes.
Deed use_of(std::uint32_t thread, DeedKind kind) {
  return {.kind = kind, .is_lock = true, .is_use = true, .thread = thread, .size = 40, .address = m};
}

class LockAsMemory : public testing::Test {
 protected:
  LockAsMemory() { add({.kind = DeedKind::Spawn, .thread = 0, .address = 1}); }
  void add(const Deed& deed) { detector_.follow(step_++, std::vector{deed}); }
  [[nodiscard]] bool races() const { return detector_.race().has_value(); }

  RaceDetector detector_;
  std::uint32_t step_ = 0;
};

TEST_F(LockAsMemory, MeetsAStoreToAnyOfItsBytes) {
  add(use_of(1, DeedKind::Acquire));
  add({.kind = DeedKind::Write, .thread = 0, .size = 1, .address = m + 39});
  ASSERT_TRUE(races());
  EXPECT_EQ(detector_.race()->first.deed.kind, DeedKind::Acquire);
}

TEST_F(LockAsMemory, MeetsAStoreThatCameBefore) {
  add({.kind = DeedKind::Write, .thread = 0, .size = 4, .address = m + 8});
  add(use_of(1, DeedKind::Acquire));
  ASSERT_TRUE(races());
  EXPECT_EQ(detector_.race()->first.step, 1U);
}

TEST_F(LockAsMemory, MeetsAStoreBetweenItsUses) {
  add(use_of(1, DeedKind::Acquire));
  add({.kind = DeedKind::Read, .thread = 1, .size = 4, .address = m});
  EXPECT_FALSE(races());
  add({.kind = DeedKind::Read, .thread = 0, .size = 4, .address = m});
  EXPECT_TRUE(races());
}

TEST_F(LockAsMemory, LeavesOtherBytesAlone) {
  add(use_of(1, DeedKind::Acquire));
  add({.kind = DeedKind::Write, .thread = 0, .size = 4, .address = m + 40});
  add({.kind = DeedKind::Write, .thread = 0, .size = 4, .address = m - 4});
  EXPECT_FALSE(races());
}

TEST_F(LockAsMemory, IsSharedByItsUsersAndByAtomicAccesses) {
  add(use_of(1, DeedKind::Uses));
  add(use_of(0, DeedKind::Uses));
  add({.kind = DeedKind::AtomicWrite, .thread = 0, .size = 4, .address = m});
  EXPECT_FALSE(races());
}

TEST_F(LockAsMemory, MayEndBehindTheUnlockThatOneHasWaitedFor) {
  add(use_of(1, DeedKind::Acquire));
  add(use_of(1, DeedKind::Release));
  add(use_of(0, DeedKind::Acquire));
  add(use_of(0, DeedKind::Release));
  add(use_of(0, DeedKind::SyncReset));
  add({.kind = DeedKind::Free, .thread = 0, .size = 64, .address = m - 8});
  EXPECT_FALSE(races());
}

TEST_F(LockAsMemory, MayNotEndBeforeAUseThatNothingOrders) {
  add(use_of(1, DeedKind::Acquire));
  add(use_of(1, DeedKind::Release));
  add(use_of(0, DeedKind::SyncReset));
  EXPECT_TRUE(races());
}

TEST_F(LockAsMemory, MayNotEndBesideALaterUse) {
  add(use_of(0, DeedKind::SyncReset));
  add(use_of(1, DeedKind::Acquire));
  EXPECT_TRUE(races());
}

TEST_F(LockAsMemory, IsTouchedByWhoWaitsForIt) {
  add(use_of(1, DeedKind::Asks));
  add(use_of(0, DeedKind::SyncReset));
  EXPECT_TRUE(races());
}

TEST_F(LockAsMemory, AskingOrdersNothing) {
  add({.kind = DeedKind::Write, .thread = 1, .size = 4, .address = x});
  add(use_of(1, DeedKind::Asks));
  add(use_of(0, DeedKind::Asks));
  add({.kind = DeedKind::Write, .thread = 0, .size = 4, .address = x});
  EXPECT_TRUE(races());
}

TEST_F(LockAsMemory, IsNotTouchedByTheRestOfACall) {
  add(use_of(1, DeedKind::Release));
  Deed leaves = use_of(1, DeedKind::Acquire);
  leaves.is_use = false;
  add(leaves);
  add(use_of(0, DeedKind::Acquire));
  add(use_of(0, DeedKind::SyncReset));
  EXPECT_FALSE(races());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
