// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races by order: what clocks make of memory orders, fences and release sequences, and how a pair that nothing orders
// becomes a schedule that shows it again.
#include <gtest/gtest.h>

#include <algorithm>

#include "explore/clocks/race_detector.h"
#include "explore/evidence/find_race.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/loaded_program.h"
#include "frontend/scratch_source.h"
#include "judge/explore/searches.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

enum class Order : std::uint8_t { Relaxed, Consume, Acquire, Release, AcqRel, SeqCst };
using enum Order;

bool acquires(Order order) { return order == Acquire || order == AcqRel || order == SeqCst; }
bool releases(Order order) { return order == Release || order == AcqRel || order == SeqCst; }

constexpr std::uint64_t x = 0x1000, f = 0x2000, m = 0x3000;

/// Three threads, one deed after the other, in both senses of order.
class Story {
 public:
  Story() {
    for (const std::uint64_t child : {1, 2, 3}) add({.kind = DeedKind::Spawn, .thread = 0, .address = child});
  }
  Story& write(ThreadIndex thread, bool depends = true) {
    return add({.kind = DeedKind::Write, .depends = depends, .thread = thread, .size = 4, .address = x});
  }
  Story& store(ThreadIndex thread, Order order) { return add(atomic(DeedKind::AtomicWrite, thread, order)); }
  Story& load(ThreadIndex thread, Order order) { return add(atomic(DeedKind::AtomicRead, thread, order)); }
  Story& update(ThreadIndex thread, Order order) {
    load(thread, order);
    Deed deed = atomic(DeedKind::AtomicWrite, thread, order);
    deed.replaces = false;
    return add(deed);
  }
  Story& fence(ThreadIndex thread, Order order) {
    Deed deed = atomic(DeedKind::Fence, thread, order);
    deed.address = deed.size = 0;
    return add(deed);
  }
  Story& use(ThreadIndex thread, DeedKind kind) { return add({.kind = kind, .thread = thread, .address = m}); }

  /// In no sense ordered; surely ordered; else it depends on whom one asks.
  [[nodiscard]] bool surely_races() const { return lenient_.race().has_value(); }
  [[nodiscard]] bool surely_ordered() const { return !strict_.race().has_value(); }

 private:
  static Deed atomic(DeedKind kind, ThreadIndex thread, Order order) {
    return {.kind = kind,
            .acquires = acquires(order),
            .releases = releases(order),
            .consumes = order == Consume,
            .thread = thread,
            .size = 4,
            .address = f};
  }
  Story& add(const Deed& deed) {
    lenient_.follow(step_, std::vector{deed});
    strict_.follow(step_++, std::vector{deed});
    return *this;
  }

  RaceDetector lenient_{MemoryOrders::AsWritten}, strict_{MemoryOrders::Guaranteed};
  std::uint32_t step_ = 0;
};

TEST(MemoryOrders, MessagesNeedAReleaseAndAnAcquire) {
  for (const Order store : {Relaxed, Release, SeqCst})
    for (const Order load : {Relaxed, Consume, Acquire, SeqCst}) {
      const bool has_edge = releases(store) && acquires(load);
      Story story;
      story.write(1).store(1, store).load(2, load).write(2, false);
      EXPECT_EQ(story.surely_races(), !has_edge) << static_cast<int>(store) << ' ' << static_cast<int>(load);
      EXPECT_EQ(story.surely_ordered(), has_edge) << static_cast<int>(store) << ' ' << static_cast<int>(load);
    }
}

TEST(MemoryOrders, UpdatesPassOnAReleaseAndStoresOfOthersEndIt) {
  for (const Order between : {Relaxed, Acquire, Release, AcqRel, SeqCst}) {
    Story updated;
    updated.write(1).store(1, Release).update(3, between).load(2, Acquire).write(2);
    EXPECT_TRUE(updated.surely_ordered());
  }
  Story replaced;
  replaced.write(1).store(1, Release).store(3, Relaxed).load(2, Acquire).write(2);
  EXPECT_TRUE(replaced.surely_races());
  Story released_again;
  released_again.write(1).store(1, Release).store(3, Release).load(2, Acquire).write(2);
  EXPECT_TRUE(released_again.surely_races()) << "the third thread never acquired";
  Story handed_on;
  handed_on.write(1).store(1, Release).load(3, Acquire).store(3, Release).load(2, Acquire).write(2);
  EXPECT_TRUE(handed_on.surely_ordered());
}

TEST(MemoryOrders, EditionsDisagreeAboutStoresOfTheSameThread) {
  Story story;
  story.write(1).store(1, Release).store(1, Relaxed).load(2, Acquire).write(2);
  EXPECT_FALSE(story.surely_races()) << "C11: the release sequence goes on";
  EXPECT_FALSE(story.surely_ordered()) << "C++20: it has ended";
}

TEST(MemoryOrders, FencesOrderRelaxedAccesses) {
  const auto ordered = [](std::optional<Order> giving, Order store, Order load, std::optional<Order> taking) {
    Story story;
    story.write(1);
    if (giving) story.fence(1, *giving);
    story.store(1, store).load(2, load);
    if (taking) story.fence(2, *taking);
    story.write(2);
    EXPECT_NE(story.surely_races(), story.surely_ordered());
    return story.surely_ordered();
  };
  EXPECT_TRUE(ordered(Release, Relaxed, Relaxed, Acquire));
  EXPECT_TRUE(ordered(SeqCst, Relaxed, Relaxed, SeqCst));
  EXPECT_TRUE(ordered(AcqRel, Relaxed, Acquire, std::nullopt));
  EXPECT_TRUE(ordered(std::nullopt, Release, Relaxed, Acquire));
  EXPECT_FALSE(ordered(Acquire, Relaxed, Relaxed, Acquire));
  EXPECT_FALSE(ordered(Release, Relaxed, Relaxed, Release));
  EXPECT_FALSE(ordered(Release, Relaxed, Relaxed, std::nullopt));
  EXPECT_FALSE(ordered(std::nullopt, Relaxed, Relaxed, Acquire));
  Story early;  // what follows the fence is not given
  early.fence(1, Release).write(1).store(1, Relaxed).load(2, Acquire).write(2);
  EXPECT_TRUE(early.surely_races());
  Story late;  // what came before the fence was made without an order
  late.write(1).fence(1, Release).store(1, Relaxed).load(2, Relaxed).write(2).fence(2, Acquire);
  EXPECT_TRUE(late.surely_races());
}

TEST(MemoryOrders, ConsumeOrdersWhatMayDepend) {
  Story dependent;
  dependent.write(1).store(1, Release).load(2, Consume).write(2, true);
  EXPECT_FALSE(dependent.surely_races());
  EXPECT_FALSE(dependent.surely_ordered());
  Story handed_on;  // what is stored may depend on what was consumed
  handed_on.write(1).store(1, Release).load(2, Consume).store(2, Release).load(3, Acquire).write(3, false);
  EXPECT_FALSE(handed_on.surely_races());
  Story fenced;
  fenced.write(1).store(1, Release).load(2, Consume).fence(2, Acquire).write(2, false);
  EXPECT_TRUE(fenced.surely_ordered());
}

TEST(MemoryOrders, UsesOfALockThatOrderPerhapsAreNeitherARaceNorAProof) {
  Story tried;
  tried.write(1).use(1, DeedKind::Acquire).use(2, DeedKind::Uses).write(2);
  EXPECT_FALSE(tried.surely_races());
  EXPECT_FALSE(tried.surely_ordered());
  Story readers;
  readers.use(1, DeedKind::AcquireShared).write(1).use(1, DeedKind::ReleaseShared);
  readers.use(2, DeedKind::AcquireShared).write(2);
  EXPECT_FALSE(readers.surely_races());
  EXPECT_FALSE(readers.surely_ordered());
}

TEST(MemoryOrders, AnEarlierAtomicWriteStillMeetsAPlainOne) {
  RaceDetector strict(MemoryOrders::Guaranteed);
  const auto add = [&](DeedKind kind, ThreadIndex thread, std::uint64_t address) {
    strict.follow(
        0, std::vector<Deed>{
               {.kind = kind, .acquires = false, .releases = false, .thread = thread, .size = 4, .address = address}});
  };
  add(DeedKind::Spawn, 0, 1);
  add(DeedKind::Spawn, 0, 2);
  add(DeedKind::AtomicWrite, 1, f);
  add(DeedKind::AtomicWrite, 2, f);
  EXPECT_FALSE(strict.race());
  add(DeedKind::Write, 2, f);
  EXPECT_TRUE(strict.race());
}

// --- programs --------------------------------------------------------------------------------------------------------

LoadedProgram load(const std::string& text, const std::vector<std::string>& profiles = {}) {
  const frontend::ScratchFolder folder;
  pipeline::Input options;
  options.sources.push_back({folder.write("case.c", text), {}});
  options.profiles = profiles;
  return load_program(options);
}

std::string program_of(const std::string& first, const std::string& second) {
  return "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
         "int __VERIFIER_nondet_int(void);\n"
         "struct s { int v; };\natomic_int f; int x; pthread_mutex_t m; _Atomic(struct s *) q;\n"
         "void *t1(void *a) {\n" +
         first + "\nreturn 0; }\nvoid *t2(void *a) {\n" + second +
         "\nreturn 0; }\n"
         "int main(void) { pthread_t h, k; pthread_create(&h, 0, t1, 0); pthread_create(&k, 0, t2, 0);"
         " pthread_join(h, 0); pthread_join(k, 0); return 0; }\n";
}

/// "race", "unordered", "proof" or "".
std::string answer(const std::string& first, const std::string& second, const std::vector<std::string>& profiles = {}) {
  const LoadedProgram loaded = load(program_of(first, second), profiles);
  EXPECT_TRUE(loaded.program && loaded.models);
  const judge::SearchVerdict verdict = judge::run_searches(InterpretedProgram(*loaded.program, *loaded.models), {});
  if (verdict.proof) return "proof";
  if (!verdict.race) return "";
  return verdict.race->schedule.ending == race::Schedule::Ending::Race ? "race" : "unordered";
}

std::string store(const std::string& order) { return "atomic_store_explicit(&f, 1, memory_order_" + order + ");"; }
std::string load_of(const std::string& order) { return "atomic_load_explicit(&f, memory_order_" + order + ")"; }

TEST(RaceByOrder, TwelveWaysToPassAMessage) {
  for (const std::string given : {"relaxed", "release", "seq_cst"})
    for (const std::string taken : {"relaxed", "consume", "acquire", "seq_cst"}) {
      const bool has_edge = given != "relaxed" && (taken == "acquire" || taken == "seq_cst");
      EXPECT_EQ(answer("x = 1; " + store(given), "if (" + load_of(taken) + ") x = 2;"),
                has_edge ? "proof" : "unordered")
          << given << ' ' << taken;
    }
}

TEST(RaceByOrder, WhatAThreadDidToItsOwnMemoryCounts) {
  const std::string give = "struct s *n = malloc(4); n->v = 1; atomic_store_explicit(&q, n, memory_order_release);";
  const auto take = [](const std::string& order) {
    return "struct s *n = atomic_load_explicit(&q, memory_order_" + order + "); if (n) n->v = 2;";
  };
  EXPECT_EQ(answer(give, take("relaxed")), "unordered");
  EXPECT_EQ(answer(give, take("consume")), "") << "it depends on the value";
  EXPECT_EQ(answer(give, take("acquire")), "proof");
}

TEST(RaceByOrder, WhatMayOrderInsideTheLibraryIsNoRace) {
  EXPECT_EQ(
      answer("x = 1; puts(\"a\"); " + store("relaxed"), "if (" + load_of("relaxed") + ") { puts(\"b\"); x = 2; }"), "");
  EXPECT_EQ(answer("x = 1; pthread_mutex_lock(&m); " + store("relaxed"), "if (pthread_mutex_trylock(&m)) x = 2;"), "");
}

TEST(RaceByOrder, AProgramOfAVerificationProfileIsSequential) {
  const std::string first = "x = 1; " + store("relaxed"), second = "if (" + load_of("relaxed") + ") x = 2;";
  const std::string input = "if (__VERIFIER_nondet_int() == 7) return 0;";
  EXPECT_EQ(answer(first, input + second), "proof");
  EXPECT_EQ(answer(first, input + second, {"no-sv-comp"}), "unordered");
  EXPECT_EQ(answer(first, second, {"sv-comp"}), "proof");
}

TEST(RaceByOrder, IsShownAgainByItsSchedule) {
  const LoadedProgram loaded =
      load(program_of("x = 1;\n" + store("relaxed"), "if (" + load_of("acquire") + ")\nx = 2;"));
  ASSERT_TRUE(loaded.program && loaded.models);
  const InterpretedProgram subject(*loaded.program, *loaded.models);
  const FindResult found = find_race(subject, {});
  ASSERT_TRUE(found.race);
  const Result<race::Schedule> schedule = race::parse_schedule(to_text(found.race->schedule), "s");
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->ending, race::Schedule::Ending::Unordered);
  const Result<ReplayedRace> again = replay(subject, *schedule);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->variable, "x");
  EXPECT_EQ(again->first.kind, "write");
  EXPECT_EQ(again->first.line, 9U);
  EXPECT_EQ(again->second.line, 14U);
  ASSERT_FALSE(again->first.stack.empty());
  EXPECT_EQ(again->first.stack.front().function, "t1");
  EXPECT_NE(again->missing.find("thread 2 reads at "), std::string::npos) << again->missing;
  EXPECT_NE(again->missing.find("that write does not release"), std::string::npos) << again->missing;
  EXPECT_EQ(again->missing.find("the read does not acquire"), std::string::npos) << again->missing;

  race::Schedule cut = *schedule;
  --cut.slices.back().steps;
  EXPECT_FALSE(replay(subject, cut)) << "without the last step nothing lacks an order";
  race::Schedule turned = *schedule;
  std::swap(turned.first_thread, turned.second_thread);
  EXPECT_FALSE(replay(subject, turned));
}

TEST(RaceByOrder, IsNotClaimedByAScheduleOfASequentialProgram) {
  const LoadedProgram loaded = load(program_of("x = 1; f = 1;", "if (f) x = 2;"));
  ASSERT_TRUE(loaded.program && loaded.models);
  const InterpretedProgram subject(*loaded.program, *loaded.models);
  race::Schedule schedule;
  schedule.program = subject.identity();
  schedule.run(0, 2);
  schedule.ending = race::Schedule::Ending::Unordered;
  EXPECT_FALSE(replay(subject, schedule));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
