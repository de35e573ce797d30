// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cells of a step: where they end, which of them meet, and what a store at an index leaves alone.
#include <gtest/gtest.h>

#include <random>

#include "program/model/program_builder.h"
#include "topdown/memory/memory.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

Program one_pointer() {
  ProgramBuilder p;
  p.global("p", p.ptr_type());
  p.function("main", p.int_type(32), {}).ret(p.int_constant(p.int_type(32), 0));
  return p.take();
}

class Cells : public ::testing::Test {
 protected:
  Cells() { s.thread = main; }

  Program program = one_pointer();
  threads::ThreadTable table;
  ThreadId main = table.main_thread(FunctionId(0));
  ThreadId worker = table.thread(table.threads[main].root, 1, FunctionId(0));
  Universe u{program, table};
  Domain d{u};
  SharedMemory shared{u};
  LockKinds kinds;
  Memory memory{d, shared, kinds};
  State s;
  std::uint32_t next = 0;
  ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, {}, false, "a");
  FormId p = u.address_of(u.global_object(program.find_global("p")));

  FormId allocate(std::uint64_t size, bool zeroed = true) {
    return memory.allocate(s, ObjectKind::Heap, table.threads[main].root, main, 3, size, zeroed);
  }
  static ObjectId object(const Universe& u, FormId address) {
    return ObjectId(u.symbols[u.forms[address].terms[0].symbol].a);
  }
  FormId at(FormId base, std::int64_t low, std::int64_t high, std::uint64_t stride) {
    return u.opaque(u.addresses({{object(u, base), low, high, stride}}));
  }
  FormId at(FormId base, std::int64_t offset) { return u.combine(base, u.constant(offset), 1, 64); }
  Info read(State& from, FormId address, std::uint32_t size = 8) {
    const SymbolId name = u.symbol(
        {.kind = SymbolKind::Defined, .bits = static_cast<std::uint8_t>(size * 8), .a = 0, .b = next++, .depends = {}});
    return u.infos[d.info_of(from, memory.load(from, address, size, size * 8, name), size * 8)];
  }
  static Interval number(std::int64_t v) { return Interval::constant(v); }

  /// By every place of both; far ends are cut.
  static bool meet(const Cell& a, const Cell& b, bool only_in_part) {
    for (std::int64_t x = a.offset; x <= a.last; x += std::max<std::int64_t>(a.stride, 1))
      for (std::int64_t y = b.offset; y <= b.last; y += std::max<std::int64_t>(b.stride, 1))
        if (x < y + b.size && y < x + a.size && (!only_in_part || x != y || a.size != b.size)) return true;
    return false;
  }
};

TEST_F(Cells, MeetWhereTheirPlacesDo) {
  std::mt19937 random(5);
  int apart = 0, fitting = 0;
  for (int k = 0; k < 20'000; ++k) {
    const auto any = [&] {
      Cell c = Cell::single(hidden, static_cast<std::int64_t>(random() % 24) - 4, 1U << random() % 3);
      c.stride = random() % 3 == 0 ? 0 : 1 + random() % 8;
      c.last += static_cast<std::int64_t>(c.stride) * static_cast<std::int64_t>(random() % 4);
      return c;
    };
    const Cell a = any(), b = any();
    if (!Universe::overlap(a, b)) {
      ++apart;
      EXPECT_FALSE(meet(a, b, false)) << k;
    } else if (Universe::fit(a, b)) {
      ++fitting;
      EXPECT_FALSE(meet(a, b, true)) << k;
    }
  }
  EXPECT_GT(apart, 3000);
  EXPECT_GT(fitting, 100);
}

TEST_F(Cells, OfATargetHaveItsEnds) {
  const Cell cell = u.cells[u.cell_of({hidden, 8, 40, 16}, 4)];
  EXPECT_TRUE(Universe::overlap(cell, Cell::single(hidden, 43, 4)));
  EXPECT_TRUE(Universe::overlap(cell, Cell::single(hidden, 5, 4)));
  EXPECT_FALSE(Universe::overlap(cell, Cell::single(hidden, 4, 4)));
  EXPECT_FALSE(Universe::overlap(cell, Cell::single(hidden, 44, 4)));
  EXPECT_FALSE(Universe::overlap(cell, Cell::single(hidden, 12, 4)));
}

TEST_F(Cells, OfATargetAnywhereHaveNoEnds) {
  for (const std::int64_t moved : {0, 100, -100}) {
    const Cell cell = u.cells[u.cell_of({hidden, -far + moved, far + moved, 1}, 4)];
    EXPECT_TRUE(Universe::overlap(cell, Cell::single(hidden, 2 * far, 4)));
    EXPECT_TRUE(Universe::overlap(cell, Cell::single(hidden, -2 * far, 4)));
  }
  const Cell upwards = u.cells[u.cell_of({hidden, 8, far, 1}, 4)];
  EXPECT_TRUE(Universe::overlap(upwards, Cell::single(hidden, 2 * far, 4)));
  EXPECT_FALSE(Universe::overlap(upwards, Cell::single(hidden, 4, 4)));
}

TEST_F(Cells, OfVeryManyTargetsLoseTheirEnds) {
  for (std::int64_t k = 0; k < 200; ++k) {
    const CellId id = u.cell_of({hidden, 8, 16 + 8 * k, 8}, 8);
    EXPECT_EQ(u.cell_of({hidden, 8, 16 + 8 * k, 8}, 8), id);
    EXPECT_TRUE(Universe::overlap(u.cells[id], Cell::single(hidden, 16 + 8 * k, 8)));
  }
  EXPECT_LT(u.objects[hidden].strided.size(), 100U);
}

TEST_F(Cells, AnIndexLeavesTheNeighboursAlone) {
  const FormId a = allocate(64);
  memory.store(s, a, u.constant(5), 8, 64);
  memory.store(s, at(a, 40), u.constant(6), 8, 64);
  memory.store(s, at(a, 8, 32, 8), u.constant(9), 8, 64);
  EXPECT_EQ(read(s, a).number, number(5));
  EXPECT_EQ(read(s, at(a, 40)).number, number(6));
  EXPECT_TRUE(read(s, at(a, 8)).number.contains(9));
  EXPECT_TRUE(read(s, at(a, 32)).number.contains(9));
  EXPECT_FALSE(read(s, at(a, 40, 56, 8)).number.contains(9));
  memory.store(s, at(a, -far, far, 8), u.constant(11), 8, 64);
  EXPECT_TRUE(read(s, a).number.contains(11)) << "at any index";
  EXPECT_TRUE(read(s, at(a, 40)).number.contains(11));
}

TEST_F(Cells, StepsBelowTheSizeOfAPlaceMix) {
  const FormId a = allocate(64);
  memory.store(s, at(a, 8, 24, 2), u.constant(7), 4, 32);
  EXPECT_TRUE(read(s, at(a, 12), 4).number.contains(7 << 16)) << "two bytes of it";
  memory.go_parallel(s);
  memory.store(s, p, a, 8, 64);
  State other;
  other.thread = worker;
  other.parallel = other.was_parallel = true;
  EXPECT_TRUE(read(other, u.address_of(u.objects[object(u, a)].settled, 12), 4).number.contains(7 << 16));
}

TEST_F(Cells, KeepTheirEndsWhenAnObjectIsPublished) {
  memory.go_parallel(s);
  const FormId a = allocate(64);
  memory.store(s, at(a, 8, 16, 8), u.constant(4), 8, 64);
  memory.store(s, at(a, 8, 32, 8), u.constant(9), 8, 64);
  const FormId settled = u.address_of(u.objects[object(u, a)].settled);
  memory.store(s, p, a, 8, 64);
  State other;
  other.thread = worker;
  other.parallel = other.was_parallel = true;
  EXPECT_EQ(read(other, at(settled, 40)).number, number(0));
  EXPECT_TRUE(read(other, at(settled, 32)).number.contains(9));
  EXPECT_TRUE(read(other, at(settled, 8)).number.contains(4));
  EXPECT_EQ(read(other, at(settled, 40, 56, 8)).number, number(0));
}

TEST_F(Cells, FilledBytesEnd) {
  const FormId a = allocate(64);
  memory.store(s, a, u.constant(5), 8, 64);
  memory.store(s, at(a, 48), u.constant(6), 8, 64);
  memory.set_bytes(s, at(a, 16, 24, 8), u.number({1, 1}), 12);
  EXPECT_EQ(read(s, a).number, number(5));
  EXPECT_EQ(read(s, at(a, 8)).number, number(0));
  EXPECT_EQ(read(s, at(a, 48)).number, number(6));
  EXPECT_TRUE(read(s, at(a, 16), 4).number.contains(0x01010101));
  EXPECT_TRUE(read(s, at(a, 32), 4).number.contains(0x01010101));
  memory.set_bytes(s, at(a, 16, 24, 8), u.number({0, 0}), 27);
  EXPECT_TRUE(read(s, at(a, 48)).number.contains(6 << 8 | 1)) << "only its first bytes are filled, if any";
  memory.set_bytes(s, at(a, 16), u.number({1, 1}), -1);
  EXPECT_EQ(read(s, at(a, 8)).number, number(0)) << "it goes upwards";
  EXPECT_TRUE(read(s, at(a, 56), 4).number.contains(0x01010101));
}

TEST_F(Cells, BlurredBytesEnd) {
  const FormId a = allocate(64);
  for (const std::int64_t k : {0, 8, 16, 24, 32}) memory.store(s, at(a, k), u.constant(5), 8, 64);
  memory.store_blurred(s, at(a, 8, 16, 8), u.addresses({{object(u, p), 0, 0, 0}}), 8);
  EXPECT_EQ(read(s, a).number, number(5));
  EXPECT_TRUE(read(s, at(a, 8)).addresses.valid());
  EXPECT_TRUE(read(s, at(a, 16)).addresses.valid());
  EXPECT_EQ(read(s, at(a, 24)).number, number(5));
  memory.store_blurred(s, at(a, 24), u.any_number(8));
  EXPECT_EQ(read(s, a).number, number(5)) << "it goes upwards";
  EXPECT_NE(read(s, at(a, 32)).number, number(5));
}

TEST_F(Cells, ACopyBringsWhatLiesInItsLength) {
  const FormId a = allocate(64);
  memory.store(s, at(a, 16), p, 8, 64);
  const FormId in = at(a, 32, 40, 8);
  memory.copy(s, in, a, 16, true);
  EXPECT_FALSE(read(s, at(a, 40)).addresses.valid()) << "the pointer lies behind it";
  memory.copy(s, in, a, 24, true);
  EXPECT_TRUE(read(s, at(a, 40)).addresses.valid());
  EXPECT_FALSE(read(s, at(a, 24)).addresses.valid());
}

TEST_F(Cells, BesideALockAreNumbersKnown) {
  const FormId a = allocate(64);
  kinds.note_object(object(u, a), 16, 24);
  EXPECT_EQ(read(s, at(a, 0, 8, 8)).number, number(0));
  EXPECT_EQ(read(s, at(a, 24, 56, 8)).number, number(0));
  EXPECT_NE(read(s, at(a, 0, 16, 8)).number, number(0)) << "the last place lies in the lock";
  EXPECT_NE(read(s, at(a, 20, 56, 4)).number, number(0));
}

TEST_F(Cells, AnObjectOfAnotherSizeIsAChange) {
  memory.start_round();
  const FormId a = allocate(8);
  EXPECT_FALSE(memory.changed());
  allocate(8);
  EXPECT_FALSE(memory.changed());
  allocate(64);
  EXPECT_TRUE(memory.changed()) << "who met it before, looked at 8 bytes";
  EXPECT_EQ(u.objects[object(u, a)].size, 64U);
  memory.start_round();
  allocate(0);
  EXPECT_TRUE(memory.changed());
  memory.start_round();
  allocate(0, false);
  EXPECT_TRUE(memory.changed()) << "not zeroed";
  memory.start_round();
  allocate(0, true);
  EXPECT_FALSE(memory.changed());
  EXPECT_FALSE(u.objects[object(u, a)].zeroed) << "one of them was not";
}

TEST_F(Cells, DistancesWrapAroundInTheWidthOfAPointer) {
  program.layout.pointer_bits = 32;
  const SymbolId i = u.symbol({.kind = SymbolKind::Defined, .bits = 32, .a = 0, .b = 900, .depends = {}});
  d.set_info(s, i, u.number({(1 << 30) + 10, (1 << 30) + 20}));
  const FormId sum = u.combine(u.address_of(hidden), u.of_symbol(i), 4, 32);
  const Info info = u.infos[d.info_of(s, sum, 32)];
  ASSERT_TRUE(info.addresses.valid());
  const Target t = u.points_to[info.addresses].targets[0];
  EXPECT_LE(t.low, 40);
  EXPECT_GE(t.high, 80);
  EXPECT_EQ(t.stride, 4U);
  EXPECT_EQ(t.low % 4, 0) << "the ends are places";
  EXPECT_EQ(t.high % 4, 0);
}

TEST_F(Cells, CoverWhatHasTheSamePlaces) {
  std::mt19937 random(7);
  int covered = 0;
  for (int k = 0; k < 20'000; ++k) {
    const auto any = [&] {
      const auto stride = static_cast<std::int64_t>(1U << random() % 3);
      const std::int64_t offset = static_cast<std::int64_t>(random() % 12) - 4;
      return Cell{hidden, offset, offset + stride * static_cast<std::int64_t>(1 + random() % 4),
                  static_cast<std::uint32_t>(stride), static_cast<std::uint32_t>(stride)};
    };
    const Cell a = any(), b = any();
    bool has_all = a.stride == b.stride;
    for (std::int64_t y = b.offset; y <= b.last; y += b.stride)
      has_all = has_all && y >= a.offset && y <= a.last && (y - a.offset) % a.stride == 0;
    EXPECT_EQ(Universe::covers(a, b), has_all);
    covered += has_all ? 1 : 0;
  }
  EXPECT_GT(covered, 100);
  EXPECT_FALSE(Universe::covers(Cell::single(hidden, 0, 8), Cell::single(hidden, 0, 8)));
}

TEST_F(Cells, AWideningIndexLeavesOneListBehind) {
  const FormId a = allocate(800);
  const std::size_t before = u.maps.size(s.memory);
  for (const std::int64_t last : {8, 16, 64, 792}) memory.store(s, at(a, 0, last, 8), u.constant(3), 8, 64);
  EXPECT_EQ(u.maps.size(s.memory), before + 1);
  memory.store(s, at(a, 0, 16, 8), u.constant(0), 8, 64);  // says more than the wide one: zero was not stored there
  EXPECT_EQ(u.maps.size(s.memory), before + 2);
  memory.store(s, at(a, 0, 16, 8), u.constant(3), 8, 64);
  EXPECT_EQ(read(s, at(a, 8)).number, (Interval{0, 3}));
  EXPECT_EQ(read(s, at(a, 400)).number, (Interval{0, 3}));  // the content before
}

TEST_F(Cells, ANarrowListThatSaysMoreStays) {
  const FormId a = allocate(800);
  memory.store(s, at(a, 0, 16, 8), u.constant(9), 8, 64);
  memory.store(s, at(a, 0, 792, 8), u.constant(3), 8, 64);
  EXPECT_EQ(read(s, at(a, 8)).number, (Interval{0, 9}));
  EXPECT_EQ(read(s, at(a, 400)).number, (Interval{0, 3}));
}

TEST_F(Cells, NumbersInMemoryWithoutContentAreNotListed) {
  const FormId a = allocate(800, false);
  const std::size_t before = u.maps.size(s.memory);
  memory.store(s, at(a, 0, 792, 8), u.constant(3), 8, 64);
  EXPECT_EQ(u.maps.size(s.memory), before);
  EXPECT_EQ(read(s, at(a, 8)).number, Interval::of_width(64));
  memory.store(s, at(a, 0, 792, 8), p, 8, 64);
  EXPECT_EQ(u.maps.size(s.memory), before + 1 + 1);  // the list, and what was read above
  EXPECT_TRUE(read(s, at(a, 16)).addresses);
}

TEST_F(Cells, AListOfOneSideIsWhatOneSideStored) {
  const FormId a = allocate(800);
  State other = s;
  memory.store(s, at(a, 0, 16, 8), u.constant(9), 8, 64);
  const MergePoint point{table.threads[main].root, 1, false, false, nullptr};
  State merged = d.merge(s, other, point, memory.absent());
  EXPECT_EQ(read(merged, at(a, 8)).number, (Interval{0, 9}));
  EXPECT_EQ(read(merged, at(a, 400)).number, number(0));
  memory.store(other, at(a, 0, 792, 8), u.constant(9), 8, 64);
  const std::size_t wide = u.maps.size(other.memory);
  merged = d.merge(s, other, point, memory.absent());
  EXPECT_EQ(u.maps.size(merged.memory), wide);
  EXPECT_EQ(read(merged, at(a, 400)).number, (Interval{0, 9}));
}

TEST_F(Cells, AListOfOneSideThatSaysMoreThanAWiderOneStays) {
  const FormId a = allocate(800);
  State other = s;
  memory.store(s, at(a, 0, 16, 8), u.constant(9), 8, 64);
  memory.store(other, at(a, 0, 792, 8), u.constant(3), 8, 64);
  const MergePoint point{table.threads[main].root, 1, false, false, nullptr};
  State merged = d.merge(s, other, point, memory.absent());
  EXPECT_EQ(read(merged, at(a, 8)).number, (Interval{0, 9}));
  EXPECT_EQ(read(merged, at(a, 400)).number, (Interval{0, 3}));
}

TEST_F(Cells, ListsOfALaterObjectOfTheSiteAreSeenInItsPlaces) {
  const FormId first = allocate(800);
  memory.store(s, at(first, 0), u.constant(5), 8, 64);
  const FormId second = allocate(800);  // the first one settles
  memory.store(s, at(second, 0, 792, 8), u.constant(9), 8, 64);
  const ObjectId old = u.objects[object(u, second)].settled;
  allocate(800);  // the second, too
  EXPECT_EQ(read(s, u.opaque(u.addresses({{old, 0, 0, 0}}))).number, (Interval{0, 9}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
