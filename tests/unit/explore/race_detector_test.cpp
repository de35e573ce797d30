// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/race_detector.h"

#include <gtest/gtest.h>

namespace heddle::explore {
namespace {

using interpret::EventKind;

/// Feeds one event a step.
class Story {
 public:
  Story& add(std::uint32_t thread, EventKind kind, interpret::Address address, std::uint32_t size = 4) {
    interpret::Event event;
    event.kind = kind;
    event.thread = thread;
    event.address = address;
    event.size = size;
    detector_.follow(step_++, std::vector{event});
    return *this;
  }
  [[nodiscard]] bool races() const { return detector_.race().has_value(); }
  [[nodiscard]] const DetectedRace& race() const { return *detector_.race(); }

 private:
  RaceDetector detector_;
  std::uint32_t step_ = 0;
};

constexpr interpret::Address x = 0x1000, y = 0x2000, m = 0x3000;

Story two_threads() {
  Story story;
  story.add(0, EventKind::Spawn, 1).add(0, EventKind::Spawn, 2);
  return story;
}

TEST(RaceDetector, SeesUnorderedWrites) {
  Story story = two_threads();
  story.add(1, EventKind::Write, x).add(2, EventKind::Write, x);
  ASSERT_TRUE(story.races());
  EXPECT_EQ(story.race().first.step, 2U);
  EXPECT_EQ(story.race().second.step, 3U);
}

TEST(RaceDetector, LetsReadersShare) {
  EXPECT_FALSE(two_threads().add(1, EventKind::Read, x).add(2, EventKind::Read, x).races());
}

TEST(RaceDetector, MeetsEveryReaderWithAWriter) {
  EXPECT_TRUE(two_threads().add(1, EventKind::Read, x).add(2, EventKind::Read, x).add(2, EventKind::Write, x).races());
}

TEST(RaceDetector, ComparesBytes) {
  EXPECT_FALSE(two_threads().add(1, EventKind::Write, x, 4).add(2, EventKind::Write, x + 4, 4).races());
  EXPECT_TRUE(two_threads().add(1, EventKind::Write, x, 4).add(2, EventKind::Write, x + 3, 1).races());
}

TEST(RaceDetector, FollowsCreationAndJoin) {
  Story story;
  story.add(0, EventKind::Write, x).add(0, EventKind::Spawn, 1).add(1, EventKind::Write, x);
  story.add(1, EventKind::ThreadEnd, 1).add(0, EventKind::Join, 1).add(0, EventKind::Write, x);
  EXPECT_FALSE(story.races());
  EXPECT_TRUE(Story().add(0, EventKind::Spawn, 1).add(0, EventKind::Write, x).add(1, EventKind::Write, x).races());
}

TEST(RaceDetector, FollowsLocks) {
  Story story = two_threads();
  story.add(1, EventKind::Acquire, m).add(1, EventKind::Write, x).add(1, EventKind::Release, m);
  EXPECT_FALSE(Story(story).add(2, EventKind::Acquire, m).add(2, EventKind::Write, x).races());
  EXPECT_TRUE(Story(story).add(2, EventKind::Write, x).races());
  EXPECT_TRUE(
      Story(story).add(1, EventKind::Write, y).add(2, EventKind::Acquire, m).add(2, EventKind::Write, y).races());
}

TEST(RaceDetector, OrdersReadersOfALockAgainstWritersOnly) {
  Story story = two_threads();
  story.add(1, EventKind::AcquireShared, m).add(1, EventKind::Write, x).add(1, EventKind::ReleaseShared, m);
  EXPECT_TRUE(Story(story).add(2, EventKind::AcquireShared, m).add(2, EventKind::Write, x).races());
  EXPECT_FALSE(Story(story).add(2, EventKind::Acquire, m).add(2, EventKind::Write, x).races());
}

TEST(RaceDetector, OrdersByAtomicsAndRacesThemWithPlainAccesses) {
  EXPECT_FALSE(two_threads().add(1, EventKind::AtomicWrite, x).add(2, EventKind::AtomicWrite, x).races());
  EXPECT_TRUE(two_threads().add(1, EventKind::AtomicWrite, x).add(2, EventKind::Read, x).races());
  Story message = two_threads();
  message.add(1, EventKind::Write, y).add(1, EventKind::AtomicWrite, x).add(2, EventKind::AtomicRead, x);
  EXPECT_FALSE(message.add(2, EventKind::Read, y).races());
  Story readers = two_threads();
  readers.add(1, EventKind::Write, y).add(1, EventKind::AtomicRead, x).add(2, EventKind::AtomicRead, x);
  EXPECT_TRUE(readers.add(2, EventKind::Read, y).races());
}

TEST(RaceDetector, RacesAnAccessInsideASectionWithOneOutside) {
  Story story = two_threads();
  story.add(1, EventKind::SectionBegin, 0).add(1, EventKind::Write, x).add(1, EventKind::SectionEnd, 0);
  EXPECT_TRUE(Story(story).add(2, EventKind::Read, x).races());
  EXPECT_FALSE(Story(story).add(2, EventKind::SectionBegin, 0).add(2, EventKind::Write, x).races());
}

TEST(RaceDetector, OrdersSectionsThatTouchTheSameBytes) {
  Story story = two_threads();
  story.add(1, EventKind::Write, y).add(1, EventKind::SectionBegin, 0).add(1, EventKind::Write, x);
  story.add(1, EventKind::SectionEnd, 0).add(2, EventKind::SectionBegin, 0);
  EXPECT_FALSE(
      Story(story).add(2, EventKind::Read, x).add(2, EventKind::SectionEnd, 0).add(2, EventKind::Write, y).races());
  EXPECT_TRUE(
      Story(story).add(2, EventKind::Read, x + 4).add(2, EventKind::SectionEnd, 0).add(2, EventKind::Write, y).races());
}

TEST(RaceDetector, TakesFreeForAWriteOfTheWholeObject) {
  EXPECT_TRUE(two_threads().add(1, EventKind::Read, x + 8).add(2, EventKind::Free, x, 16).races());
}

}  // namespace
}  // namespace heddle::explore
