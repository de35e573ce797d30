// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The undoable parts of a run by themselves: each change is taken back by the journal, and only as far as the mark.
#include "interpret/state/journal.h"

#include <gtest/gtest.h>

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

struct RunState {
  MachineOptions options = {};
  UndoLog log;
  Memory memory{64, 4, log};
  Threads threads{options, log};
  SyncTable syncs{memory, log};
  LibraryStore library{log};
  Account account{threads, false};
  Journal journal{log, memory, threads, syncs, library, account};
};

ObjectId heap_object(RunState& run, std::uint64_t size) {
  return run.memory.allocate({ObjectKind::Heap, size, 16, 0, {}, 0, true});
}

void write(RunState& run, ObjectId id, std::uint64_t offset, std::uint8_t value) {
  if (run.log.is_on()) run.memory.log_bytes(id, offset, 1);
  run.memory.object(id).data[offset] = value;
}

TEST(Journal, NothingIsLoggedBeforeTheFirstMark) {
  RunState run;
  write(run, heap_object(run, 8), 0, 1);
  run.syncs.save(run.syncs.at(0x1000));
  EXPECT_EQ(run.log.size(), 0U);
}

TEST(Journal, BytesComeBackInReverseOrder) {
  RunState run;
  const ObjectId id = heap_object(run, 8);
  write(run, id, 3, 1);
  const std::size_t outer = run.journal.push_mark();
  write(run, id, 3, 2);
  const std::size_t inner = run.journal.push_mark();
  write(run, id, 3, 3);
  write(run, id, 3, 4);
  run.journal.undo_to_mark(inner);
  EXPECT_EQ(run.memory.object(id).data[3], 2);
  run.journal.undo_to_mark(outer);
  EXPECT_EQ(run.memory.object(id).data[3], 1);
}

TEST(Journal, ObjectsThatWereMadeAreGoneAndFreedOnesAreBack) {
  RunState run;
  const ObjectId old = heap_object(run, 8);
  const Address base = run.memory.object(old).base;
  write(run, old, 0, 7);
  const std::uint64_t live = run.memory.live_bytes();
  const std::size_t mark = run.journal.push_mark();
  run.memory.release(old);
  const Address fresh = run.memory.object(heap_object(run, 32)).base;
  EXPECT_EQ(run.memory.find(base), 0U);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(run.memory.find(fresh), 0U);
  ASSERT_EQ(run.memory.find(base), old);
  EXPECT_EQ(run.memory.object(old).data[0], 7);
  EXPECT_EQ(run.memory.live_bytes(), live);
  EXPECT_EQ(run.memory.object(heap_object(run, 32)).base, fresh) << "the same address is given again";
}

TEST(Journal, ForgettingTheMarksKeepsTheState) {
  RunState run;
  const ObjectId id = heap_object(run, 8);
  const ObjectId freed = heap_object(run, 8);
  run.journal.push_mark();
  write(run, id, 0, 9);
  run.memory.release(freed);
  run.journal.forget_marks();
  EXPECT_EQ(run.memory.object(id).data[0], 9);
  EXPECT_EQ(run.memory.object(freed).data, nullptr) << "its bytes are not kept for an undo that cannot come";
  EXPECT_FALSE(run.log.is_on());
}

TEST(Journal, AMarkForOneStepKeepsTheLogOfTheSearch) {
  RunState run;
  const ObjectId id = heap_object(run, 8);
  const std::size_t mark = run.journal.push_mark();
  write(run, id, 0, 1);
  const MarkState step = run.journal.take();
  write(run, id, 0, 2);
  run.journal.undo_to(step);
  run.journal.forget_unless_marked();
  EXPECT_EQ(run.memory.object(id).data[0], 1);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(run.memory.object(id).data[0], 0);
}

TEST(Journal, RowsOfSynchronisationObjects) {
  RunState run;
  run.syncs.at(0x1000).count = 1;
  const std::size_t mark = run.journal.push_mark();
  run.syncs.save(run.syncs.at(0x1000));
  run.syncs.at(0x1000).count = 2;
  run.syncs.at(0x2000).count = 5;
  run.journal.undo_to_mark(mark);
  ASSERT_NE(run.syncs.find(0x1000), nullptr);
  EXPECT_EQ(run.syncs.find(0x1000)->count, 1U);
  EXPECT_EQ(run.syncs.find(0x2000), nullptr);
}

TEST(Journal, LocksInMemoryThatIsGoneAreNewAndComeBack) {
  RunState run;
  const ObjectId id = heap_object(run, 64);
  const Address lock = run.memory.object(id).base + 8;
  run.memory.mark_sync(id);
  run.syncs.at(lock).owner = 0;
  const std::size_t mark = run.journal.push_mark();
  run.syncs.drop_in(run.memory.object(id));
  EXPECT_TRUE(run.syncs.find(lock)->is_free());
  run.journal.undo_to_mark(mark);
  EXPECT_FALSE(run.syncs.find(lock)->is_free());
}

TEST(Journal, AThreadIsCopiedOncePerEpoch) {
  RunState run;
  const std::size_t mark = run.journal.push_mark();
  run.threads.save(0);
  run.threads[0].wait_count = 1;
  run.threads.save(0);
  run.threads[0].wait_count = 2;
  EXPECT_EQ(run.log.size(), 1U);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(run.threads[0].wait_count, 0U);
}

TEST(Journal, ThreadsThatWereMadeAreGone) {
  RunState run;
  const std::size_t mark = run.journal.push_mark();
  run.threads.save(0);
  const std::optional<ThreadIndex> child = run.threads.add();
  ASSERT_TRUE(child);
  run.threads[*child].entry = FunctionId(0);
  EXPECT_EQ(run.threads.live(), 2U);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(run.threads.size(), 1U);
  EXPECT_EQ(run.threads.live(), 1U);
  EXPECT_EQ(run.threads[0].children, 0U);
}

TEST(Journal, StableNumbersOutliveUndo) {
  RunState run;
  run.options.stable_threads = true;
  const std::size_t mark = run.journal.push_mark();
  const auto make = [&](ThreadIndex creator) {
    run.threads.give_turn_to(creator);
    run.threads.save(creator);
    const std::optional<ThreadIndex> made = run.threads.add();
    run.threads[*made].entry = FunctionId(0);
    return *made;
  };
  const ThreadIndex a = make(0), grandchild = make(a), b = make(0);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(make(0), a);
  EXPECT_EQ(make(0), b) << "although nobody has the number of the grandchild";
  EXPECT_EQ(run.threads[grandchild].status, ThreadStatus::Finished);
  EXPECT_EQ(make(a), grandchild);
}

TEST(Journal, StateOfTheLibraryAndTheAccount) {
  RunState run;
  run.account.output() = "before";
  const std::size_t mark = run.journal.push_mark();
  run.library.change().clock = 5;
  run.account.output() += " and after";
  run.account.count(10);
  run.account.add_note(Note::Kind::LockMisuse, "a note");
  EXPECT_THROW(run.account.end_run(OutcomeKind::Exited, "", 3), RunOver);
  run.journal.undo_to_mark(mark);
  EXPECT_EQ(run.library.now().clock, 0U);
  EXPECT_EQ(run.account.output(), "before");
  EXPECT_EQ(run.account.instructions(), 0U);
  EXPECT_TRUE(run.account.notes().empty());
  EXPECT_TRUE(run.account.is_running());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
