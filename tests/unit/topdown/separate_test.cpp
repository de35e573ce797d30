// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "topdown/cases/separate.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

using race::SeparationReason;

/// main starts `worker`; both touch one global.
class Separate : public ::testing::Test {
 protected:
  Separate() {
    result.threads = std::make_unique<threads::ThreadTable>();
    result.universe = std::make_unique<Universe>(program, *result.threads);
    main = result.threads->main_thread(FunctionId(0));
    worker = result.threads->thread(result.threads->threads[main].root, 1, FunctionId(1));
    data = result.universe->object(ObjectKind::Hidden, 0, {}, {}, false, "data");
    mutex = result.universe->object(ObjectKind::Hidden, 0, {}, {}, false, "mutex");
  }

  GuardedAccess access(threads::ThreadId thread, AccessKind kind, std::int64_t offset = 0, std::uint64_t size = 4) {
    GuardedAccess a;
    a.thread = thread;
    a.context = result.threads->threads[thread].root;
    a.instruction = next_++;
    a.kind = kind;
    a.target = {data, offset, offset, 0};
    a.size = size;
    if (thread == main) a.created = result.universe->maps.set(0, worker.index(), 1);
    return a;
  }
  HeldLock exact(std::int64_t offset = 0, bool shared = false) const {
    HeldLock l;
    l.kind = HeldLock::Kind::Exact;
    l.object = mutex;
    l.offset = offset;
    l.shared = shared;
    return l;
  }
  HeldLock relative(std::int64_t offset) const {
    HeldLock l;
    l.kind = HeldLock::Kind::Relative;
    l.offset = offset;
    return l;
  }
  bool warns(const GuardedAccess& a, const GuardedAccess& b) { return !separate(result, a, b); }

  Program program;
  TopDownResult result;
  threads::ThreadId main, worker;
  ObjectId data, mutex;

 private:
  std::uint32_t next_ = 0;
};

TEST_F(Separate, AWriteAndAReadWithoutALock) {
  EXPECT_TRUE(warns(access(main, AccessKind::Write), access(worker, AccessKind::Read)));
  EXPECT_TRUE(warns(access(main, AccessKind::Free, 0, 0), access(worker, AccessKind::Read, 64)));
  EXPECT_FALSE(warns(access(main, AccessKind::Read), access(worker, AccessKind::Read)));
}

TEST_F(Separate, AtomicOnBothSidesOnly) {
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Write);
  a.is_atomic = true;
  EXPECT_TRUE(warns(a, b));
  b.is_atomic = true;
  EXPECT_FALSE(warns(a, b));
}

TEST_F(Separate, BytesMustOverlap) {
  EXPECT_FALSE(warns(access(main, AccessKind::Write, 0), access(worker, AccessKind::Write, 4)));
  EXPECT_TRUE(warns(access(main, AccessKind::Write, 0, 8), access(worker, AccessKind::Write, 4)));
  GuardedAccess row = access(main, AccessKind::Write);
  row.target = {data, 0, 64, 8};
  EXPECT_FALSE(warns(row, access(worker, AccessKind::Write, 20)));
  EXPECT_TRUE(warns(row, access(worker, AccessKind::Write, 22)));
  EXPECT_TRUE(warns(row, access(worker, AccessKind::Write, 18))) << "the end of one place reaches into it";
  GuardedAccess steps = access(worker, AccessKind::Write);
  steps.target = {data, 4, 100, 12};
  EXPECT_TRUE(warns(row, steps)) << "4 + 12 = 16 = 2 * 8";
}

TEST_F(Separate, PhasesSeparate) {
  GuardedAccess a = access(main, AccessKind::Write);
  const GuardedAccess b = access(worker, AccessKind::Write);
  a.joined = result.universe->maps.set(0, worker.index(), 1);
  EXPECT_FALSE(warns(a, b));
  a.joined = a.created = 0;
  EXPECT_FALSE(warns(a, b));
}

TEST_F(Separate, ACommonLockSeparates) {
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Write);
  a.locks = {exact()};
  b.locks = {exact(40)};
  EXPECT_TRUE(warns(a, b));
  b.locks = {exact()};
  EXPECT_FALSE(warns(a, b));
  result.false_locks.insert({mutex, 0});
  EXPECT_TRUE(warns(a, b)) << "a semaphore that is no lock";
}

TEST_F(Separate, TwoReadersOfALockDoNotExcludeEachOther) {
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Read);
  a.locks = {exact(0, true)};
  b.locks = {exact(0, true)};
  EXPECT_TRUE(warns(a, b));
  a.locks = {exact(0, false)};
  EXPECT_FALSE(warns(a, b));
}

TEST_F(Separate, ALockNextToTheDataNeedsTheSamePlace) {
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Write);
  a.locks = b.locks = {relative(-8)};
  EXPECT_FALSE(warns(a, b));
  b.locks = {relative(-16)};
  EXPECT_TRUE(warns(a, b));
  b = access(worker, AccessKind::Write, 2);
  b.locks = {relative(-8)};
  EXPECT_TRUE(warns(a, b)) << "they overlap, but at another distance from the lock";
}

TEST_F(Separate, InstancesWithPartsOfTheirOwn) {
  result.threads->threads[worker].multiple = result.threads->threads[worker].parallel = true;
  GuardedAccess a = access(worker, AccessKind::Write);
  a.target = {data, 0, 64, 8};
  a.argument_factor = 1;
  EXPECT_TRUE(warns(a, a));
  result.threads->threads[worker].separation = threads::Separation::Step;
  result.threads->threads[worker].argument_step = 8;
  EXPECT_FALSE(warns(a, a));
  GuardedAccess b = a;
  b.argument_distance = 8;
  EXPECT_TRUE(warns(a, b)) << "the neighbour's part";
  result.threads->threads[worker].argument_step = 2;
  EXPECT_TRUE(warns(a, a)) << "the parts overlap";
}

TEST_F(Separate, LocksBehindNumbersThatAllThreadsKnow) {
  const auto behind = [&](std::uint32_t number) {
    HeldLock l;
    l.kind = HeldLock::Kind::Frozen;
    l.form = result.universe->of_symbol(
        result.universe->symbol({.kind = SymbolKind::Frozen, .bits = 64, .a = number, .depends = {}}));
    return l;
  };
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Write);
  a.locks = {behind(1)};
  b.locks = {behind(1)};
  EXPECT_FALSE(warns(a, b));
  b.locks = {behind(2)};
  EXPECT_TRUE(warns(a, b));
}

TEST_F(Separate, ChunksOfInstances) {
  threads::Thread& thread = result.threads->threads[worker];
  thread.multiple = thread.parallel = true;
  thread.separation = threads::Separation::Step;
  thread.argument_step = 1;
  Universe& u = *result.universe;
  const SymbolId argument = u.symbol({.kind = SymbolKind::Argument, .bits = 64, .a = worker.index(), .depends = {}});
  GuardedAccess a = access(worker, AccessKind::Write);
  a.target = {data, 0, 64, 8};
  a.lowest = a.highest = u.combine(u.address_of(data), u.of_symbol(argument), 8, 64);
  EXPECT_EQ(separate(result, a, a), SeparationReason::OwnChunk);
  result.threads->threads[main].multiple = true;
  EXPECT_TRUE(warns(a, a)) << "two creators give the same arguments";
}

TEST_F(Separate, TheSlotOfTheNextInstance) {
  threads::Thread& thread = result.threads->threads[worker];
  thread.multiple = thread.parallel = true;
  thread.separation = threads::Separation::Step;
  thread.argument_step = 8;
  GuardedAccess a = access(main, AccessKind::Write);
  GuardedAccess b = access(worker, AccessKind::Write);
  a.target = b.target = {data, 0, 64, 8};
  a.next_slots = {{worker, 0}};
  b.argument_factor = 1;
  EXPECT_EQ(separate(result, a, b), SeparationReason::SlotOfNext);
  b.argument_distance = 8;
  EXPECT_TRUE(warns(a, b)) << "an instance that reaches into its neighbour's slot";
  b.argument_distance = 0;
  result.threads->threads[main].multiple = true;
  EXPECT_TRUE(warns(a, b)) << "another creator may have started it";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
