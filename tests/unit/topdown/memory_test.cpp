// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "program/model/program_builder.h"
#include "topdown/memory/memory.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

Program two_globals() {
  ProgramBuilder p;
  p.global("x", p.int_type(32));
  p.global("p", p.ptr_type());
  p.function("main", p.int_type(32), {}).ret(p.int_constant(p.int_type(32), 0));
  return p.take();
}

class MemoryTest : public ::testing::Test {
 protected:
  MemoryTest() { s.thread = main; }

  Program program = two_globals();
  threads::ThreadTable table;
  ThreadId main = table.main_thread(FunctionId(0));
  ThreadId worker = table.thread(table.threads[main].root, 1, FunctionId(0));
  Universe u{program, table};
  Domain d{u};
  SharedMemory shared{u};
  LockKinds kinds;
  Memory memory{d, shared, kinds};
  State s;
  FormId x = u.address_of(u.global_object(program.find_global("x")));
  FormId p = u.address_of(u.global_object(program.find_global("p")));
  std::uint32_t next = 0;

  FormId read(State& from, FormId address, std::uint32_t size = 4) {
    return memory.load(from, address, size, size * 8,
                       u.symbol({.kind = SymbolKind::Defined,
                                 .bits = static_cast<std::uint8_t>(size * 8),
                                 .a = 0,
                                 .b = next++,
                                 .depends = {}}));
  }
  Interval number(State& from, FormId address) { return d.interval_of(from, read(from, address), 32); }
  FormId allocate() { return memory.allocate(s, ObjectKind::Heap, table.threads[main].root, main, 3, 8, true); }
  static ObjectId object(const Universe& u, FormId address) {
    return ObjectId(u.symbols[u.forms[address].terms[0].symbol].a);
  }
};

TEST_F(MemoryTest, AloneAGlobalIsKnown) {
  EXPECT_EQ(read(s, x), u.constant(0));
  memory.store(s, x, u.constant(5), 4, 32);
  EXPECT_EQ(read(s, x), u.constant(5));
}

TEST_F(MemoryTest, AStoreThatMayGoElsewhereIsWeak) {
  memory.store(s, x, u.constant(5), 4, 32);
  const ObjectId gx = object(u, x);
  const ObjectId gp = object(u, p);
  memory.store(s, u.opaque(u.addresses({{gx, 0, 0, 0}, {gp, 0, 0, 0}})), u.constant(9), 4, 32);
  EXPECT_EQ(number(s, x), (Interval{5, 9}));
}

TEST_F(MemoryTest, AnOverlappingStoreForgets) {
  memory.store(s, x, u.constant(0x01020304), 4, 32);
  read(s, x);
  memory.store(s, u.combine(x, u.constant(1), 1, 64), u.constant(7), 1, 8);
  EXPECT_TRUE(number(s, x).contains(0x01020704));
}

TEST_F(MemoryTest, WhatAnotherThreadWritesIsSeen) {
  memory.store(s, x, u.constant(5), 4, 32);
  memory.go_parallel(s);
  State other;
  other.thread = worker;
  other.parallel = other.was_parallel = true;
  EXPECT_EQ(number(other, x), (Interval{5, 5})) << "the initial zero was overwritten before";
  memory.store(other, x, u.constant(8), 4, 32);
  EXPECT_TRUE(number(s, x).contains(5));
  EXPECT_TRUE(number(s, x).contains(8));
}

TEST_F(MemoryTest, AFrozenCellIsOneNumberForAll) {
  memory.store(s, x, u.opaque(u.number({1, 9})), 4, 32);
  memory.go_parallel(s);
  State other;
  other.thread = worker;
  other.parallel = other.was_parallel = true;
  const FormId mine = read(s, x);
  EXPECT_EQ(mine, read(other, x));
  EXPECT_FALSE(u.forms[mine].opaque.valid());
  shared.write(u.cell(object(u, x), 0, 4, 0), u.number({3, 3}), {.thread = worker, .locks = {}, .changes_flag = false});
  EXPECT_FALSE(shared.is_frozen(u.cell(object(u, x), 0, 4, 0)));
  EXPECT_FALSE(shared.is_owned(u.cell(object(u, x), 2, 1, 0), main)) << "an overlapping cell is written by another";
  EXPECT_TRUE(shared.is_owned(u.cell(object(u, x), 0, 4, 0), worker));
}

TEST_F(MemoryTest, AnObjectIsPrivateUntilItsAddressIsStored) {
  memory.go_parallel(s);
  const FormId fresh = allocate();
  const ObjectId mine = object(u, fresh);
  ASSERT_TRUE(u.objects[mine].fresh);
  memory.store(s, fresh, u.constant(4), 4, 32);
  EXPECT_EQ(read(s, fresh), u.constant(4));
  memory.store(s, p, fresh, 8, 64);
  State other;
  other.thread = worker;
  other.parallel = other.was_parallel = true;
  const Info seen = u.infos[d.info_of(other, read(other, p, 8), 64)];
  ASSERT_TRUE(seen.addresses.valid());
  for (const Target& t : u.points_to[seen.addresses].targets) EXPECT_FALSE(u.objects[t.object].fresh);
  EXPECT_TRUE(number(other, u.address_of(u.objects[mine].settled)).contains(4));
}

TEST_F(MemoryTest, ASecondObjectOfTheSitePushesTheFirstAside) {
  const FormId first = allocate();
  memory.store(s, first, u.constant(4), 4, 32);
  memory.store(s, p, first, 8, 64);
  allocate();
  const Info old = u.infos[d.info_of(s, read(s, p, 8), 64)];
  ASSERT_TRUE(old.addresses.valid());
  EXPECT_EQ(u.points_to[old.addresses].targets[0].object, u.objects[object(u, first)].settled);
  EXPECT_EQ(read(s, first), u.constant(0)) << "the fresh name now means the new object";
}

TEST_F(MemoryTest, ANumberMayBeAnyAddress) {
  EXPECT_TRUE(memory.places(s, u.opaque(u.number({1, 9})), 4).anywhere);
  EXPECT_FALSE(memory.places(s, u.constant(0), 4).anywhere) << "nothing lies at null";
}

TEST_F(MemoryTest, WhatWasStoredInPartIsRead) {
  memory.store(s, u.combine(x, u.constant(1), 1, 64), u.constant(7), 1, 8);
  EXPECT_TRUE(number(s, x).contains(0x700));
}

TEST_F(MemoryTest, FilledBytesAreOthers) {
  memory.store(s, x, u.constant(5), 4, 32);
  memory.set_bytes(s, x, u.number({1, 1}), 4);
  EXPECT_TRUE(number(s, x).contains(0x01010101));
}

TEST_F(MemoryTest, ACopyOfUnknownShapeMovesAddresses) {
  memory.store(s, p, x, 8, 64);
  const FormId to = allocate();
  memory.copy(s, to, p, 8, false);
  const Info seen = u.infos[d.info_of(s, read(s, to, 8), 64)];
  ASSERT_TRUE(seen.addresses.valid() || seen.any_address);
}

TEST_F(MemoryTest, ACopyOverwritesWhatTheSourceDoesNotName) {
  const FormId to = allocate();
  memory.store(s, to, u.constant(5), 4, 32);
  memory.copy(s, to, x, 4, true);
  EXPECT_TRUE(number(s, to).contains(0));
}

TEST_F(MemoryTest, ObjectsOfOneSiteAreSeveral) {
  const ObjectId mine = object(u, allocate());
  memory.store(s, u.address_of(mine), u.constant(4), 4, 32);
  allocate();
  const ObjectId settled = u.objects[mine].settled;
  EXPECT_TRUE(u.is_singleton(settled)) << "the first alone";
  memory.store(s, u.address_of(mine), u.constant(7), 4, 32);
  allocate();
  EXPECT_FALSE(u.is_singleton(settled));
  EXPECT_TRUE(number(s, u.address_of(settled)).contains(4));
  EXPECT_TRUE(number(s, u.address_of(settled)).contains(7));
}

/// Other threads run.
class SharedMemoryTest : public MemoryTest {
 protected:
  SharedMemoryTest() {
    other.thread = worker;
    other.parallel = other.was_parallel = true;
  }
  State other;
  ObjectId gx = object(u, x);
  ObjectId gp = object(u, p);
  CellId whole = u.cell(gx, 0, 4, 0);
  CellId part = u.cell(gx, 1, 1, 0);
  LockName lock{gp, 0};

  void write(CellId cell, std::int64_t value, ThreadId by, std::vector<LockName> locks = {}) {
    shared.write(cell, u.number({value, value}), {.thread = by, .locks = std::move(locks), .changes_flag = false});
  }
};

TEST_F(SharedMemoryTest, AStoreThatMayGoElsewhereIsSeen) {
  memory.go_parallel(s);
  memory.store(s, u.opaque(u.addresses({{gx, 0, 0, 0}, {gp, 0, 0, 0}})), u.constant(9), 4, 32);
  EXPECT_TRUE(number(other, x).contains(9));
}

TEST_F(SharedMemoryTest, InitialContentCountsIfItWasThereOnOnePath) {
  State untouched = s;
  read(untouched, x);
  untouched.memory = 0;
  memory.store(s, x, u.constant(5), 4, 32);
  memory.go_parallel(s);
  EXPECT_FALSE(number(other, x).contains(0));
  memory.go_parallel(untouched);
  EXPECT_TRUE(number(other, x).contains(0));
  EXPECT_TRUE(number(other, x).contains(5));
}

TEST_F(SharedMemoryTest, WhatSharedMemoryLeadsToIsSharedWhenAThreadStarts) {
  const FormId fresh = allocate();
  memory.store(s, fresh, u.constant(4), 4, 32);
  memory.store(s, p, fresh, 8, 64);
  memory.go_parallel(s);
  const Info seen = u.infos[d.info_of(other, read(other, p, 8), 64)];
  ASSERT_TRUE(seen.addresses.valid());
  for (const Target& t : u.points_to[seen.addresses].targets) EXPECT_FALSE(u.objects[t.object].fresh);
}

TEST_F(SharedMemoryTest, ACellOfSeveralWritersHasNoOwner) {
  write(whole, 1, main);
  EXPECT_TRUE(shared.is_owned(whole, main));
  write(whole, 2, worker);
  EXPECT_FALSE(shared.is_owned(whole, main));
  EXPECT_FALSE(shared.is_owned(whole, worker));
}

TEST_F(SharedMemoryTest, SeveralInstancesOwnNothing) {
  write(whole, 1, worker);
  EXPECT_TRUE(shared.is_owned(whole, worker));
  table.threads[worker].multiple = true;
  EXPECT_FALSE(shared.is_owned(whole, worker));
}

TEST_F(SharedMemoryTest, ALockProtectsIfEveryWriterHeldIt) {
  write(whole, 1, main, {lock});
  EXPECT_TRUE(shared.is_protected(whole, {lock}));
  EXPECT_FALSE(shared.is_protected(whole, {}));
  write(whole, 2, worker, {});
  EXPECT_FALSE(shared.is_protected(whole, {lock}));
}

TEST_F(SharedMemoryTest, ALockProtectsIfWritersOfAPartHeldIt) {
  write(whole, 1, main, {lock});
  write(part, 1, main, {LockName{gp, 8}});
  EXPECT_FALSE(shared.is_protected(whole, {lock}));
  EXPECT_FALSE(shared.is_protected(whole, {LockName{gp, 8}}));
}

TEST_F(SharedMemoryTest, AConjecturedLockProtectsNothing) {
  memory.go_parallel(s);
  s.locks = u.maps.set(0, u.address_of(gp).index(), to_number({}));
  kinds.semaphores[lock];
  memory.store(s, x, u.constant(5), 4, 32);
  EXPECT_FALSE(shared.is_protected(whole, {lock}));
}

TEST_F(SharedMemoryTest, AHeldLockProtects) {
  memory.go_parallel(s);
  s.locks = u.maps.set(0, u.address_of(gp).index(), to_number({}));
  memory.store(s, x, u.constant(5), 4, 32);
  EXPECT_TRUE(shared.is_protected(whole, {lock}));
}

TEST_F(SharedMemoryTest, APartThatIsWrittenIsNotFrozen) {
  EXPECT_TRUE(shared.is_frozen(whole));
  write(part, 1, worker);
  EXPECT_FALSE(shared.is_frozen(whole));
  EXPECT_TRUE(u.infos[shared.read(whole)].number.contains(0x100));
}

TEST_F(SharedMemoryTest, AWriteDoesNotReplaceTheInitialContent) {
  write(whole, 8, worker);
  EXPECT_TRUE(u.infos[shared.read(whole)].number.contains(0));
  EXPECT_TRUE(u.infos[shared.read(whole)].number.contains(8));
}

TEST_F(SharedMemoryTest, AFlagThatIsWrittenOtherwise) {
  shared.write(whole, u.number({1, 1}), {.thread = main, .locks = {}, .changes_flag = true});
  EXPECT_FALSE(shared.has_plain_write(gx, 0, 4));
  write(whole, 1, main);
  EXPECT_TRUE(shared.has_plain_write(gx, 0, 4));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
