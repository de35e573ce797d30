// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <random>

#include "topdown/domain/state.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class DomainTest : public ::testing::Test {
 protected:
  Program program;
  threads::ThreadTable table;
  Universe u{program, table};
  Domain d{u};
  State s;

  SymbolId symbol(std::uint32_t number, std::uint8_t bits) {
    return u.symbol({.kind = SymbolKind::Defined, .bits = bits, .a = 0, .b = number, .depends = {}});
  }
  bool allows(const State& state, SymbolId x, std::int64_t v) const {
    const Info info = u.infos[d.info_of_symbol(state, x)];
    return info.number.contains(v) && !(info.has_excluded && info.excluded == v);
  }
  static bool holds(Predicate p, std::int64_t x, std::int64_t y, unsigned bits) {
    const std::uint64_t mask = (1ULL << bits) - 1;
    const std::uint64_t ux = static_cast<std::uint64_t>(x) & mask;
    const std::uint64_t uy = static_cast<std::uint64_t>(y) & mask;
    switch (p) {
      case Predicate::Eq: return x == y;
      case Predicate::Ne: return x != y;
      case Predicate::Ugt: return ux > uy;
      case Predicate::Uge: return ux >= uy;
      case Predicate::Ult: return ux < uy;
      case Predicate::Ule: return ux <= uy;
      case Predicate::Sgt: return x > y;
      case Predicate::Sge: return x >= y;
      case Predicate::Slt: return x < y;
      default: return x <= y;
    }
  }
};

TEST_F(DomainTest, InfosJoinLikeSets) {
  std::mt19937 random(4);
  auto any = [&] {
    Info i;
    i.number.low = static_cast<std::int64_t>(random() % 9) - 4;
    i.number.high = i.number.low + static_cast<std::int64_t>(random() % 5);
    i.has_excluded = random() % 2 == 0;
    i.excluded = i.number.low + static_cast<std::int64_t>(random() % 3);
    return u.info(i);
  };
  auto in = [&](InfoId id, std::int64_t v) {
    const Info& i = u.infos[id];
    return i.number.contains(v) && !(i.has_excluded && i.excluded == v);
  };
  const std::vector<std::int64_t> thresholds{-1, 0, 1};
  for (int k = 0; k < 3000; ++k) {
    const InfoId a = any();
    const InfoId b = any();
    EXPECT_EQ(u.join(a, a), a);
    EXPECT_EQ(u.join(a, b), u.join(b, a));
    for (std::int64_t v = -6; v < 12; ++v)
      if (in(a, v) || in(b, v)) {
        ASSERT_TRUE(in(u.join(a, b), v)) << v;
        ASSERT_TRUE(in(u.widen(a, b, thresholds), v)) << v;
      }
  }
}

TEST_F(DomainTest, WideningEnds) {
  const std::vector<std::int64_t> thresholds{-1, 0, 1, 10};
  InfoId now = u.number({0, 0});
  for (std::int64_t k = 1; k < 20; ++k) now = u.widen(now, u.number({0, k}), thresholds);
  EXPECT_EQ(u.infos[now].number.high, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(u.widen(now, u.number({3, 4}), thresholds), now);
}

TEST_F(DomainTest, CombiningCancels) {
  const FormId x = u.of_symbol(symbol(1, 64));
  EXPECT_EQ(u.combine(u.combine(x, u.constant(8), 1, 64), x, -1, 64), u.constant(8));
  EXPECT_EQ(u.combine(u.constant(120), u.constant(10), 1, 8), u.constant(-126));
  EXPECT_FALSE(u.combine(x, u.opaque(u.any_number(8)), 1, 64).valid());
}

/// Whatever a pair of numbers satisfies must be left when the comparison is assumed.
TEST_F(DomainTest, AssumingKeepsWhatSatisfies) {
  constexpr unsigned bits = 4;
  std::mt19937 random(5);
  const SymbolId x = symbol(1, bits);
  const SymbolId y = symbol(2, bits);
  for (int k = 0; k < 4000; ++k) {
    auto interval = [&] {
      const std::int64_t a = static_cast<std::int64_t>(random() % 16) - 8;
      const std::int64_t b = static_cast<std::int64_t>(random() % 16) - 8;
      return Interval{std::min(a, b), std::max(a, b)};
    };
    const Interval ix = interval();
    const Interval iy = interval();
    State base;
    d.set_info(base, x, u.number(ix));
    d.set_info(base, y, u.number(iy));
    const std::int64_t shift = static_cast<std::int64_t>(random() % 16) - 8;
    const std::int64_t sign = random() % 2 == 0 ? 1 : -1;
    const FormId a = u.form({.constant = shift, .terms = {{x, sign}}, .opaque = {}});
    const FormId b = u.of_symbol(y);
    const auto p = static_cast<Predicate>(random() % 10);
    State assumed = base;
    const bool possible = d.assume_compare(assumed, p, a, b, bits);
    for (std::int64_t vx = ix.low; vx <= ix.high; ++vx)
      for (std::int64_t vy = iy.low; vy <= iy.high; ++vy) {
        const std::int64_t va = numeric::sign_extend(static_cast<std::uint64_t>(sign * vx + shift), bits);
        ASSERT_TRUE(d.interval_of(base, a, bits).contains(va));
        if (!holds(p, va, vy, bits)) continue;
        ASSERT_TRUE(possible) << "predicate " << static_cast<int>(p) << ": " << va << ", " << vy;
        ASSERT_TRUE(allows(assumed, x, vx) && allows(assumed, y, vy))
            << "predicate " << static_cast<int>(p) << ": " << vx << ", " << vy;
      }
  }
}

TEST_F(DomainTest, AssumingRefines) {
  const SymbolId x = symbol(1, 32);
  d.set_info(s, x, u.number({0, 100}));
  ASSERT_TRUE(d.assume_compare(s, Predicate::Slt, u.of_symbol(x, 1), u.constant(10), 32));
  EXPECT_EQ(u.infos[d.info_of_symbol(s, x)].number, (Interval{0, 8}));
  EXPECT_FALSE(d.assume_compare(s, Predicate::Sgt, u.of_symbol(x), u.constant(8), 32));
}

TEST_F(DomainTest, ANewNumberEndsTheOldOnesIdentity) {
  const SymbolId x = symbol(1, 32);
  s.environment = u.maps.set(s.environment, 7, d.define(s, x, u.number({0, 3})).index());
  s.locks = u.maps.set(s.locks, u.of_symbol(x, 8).index(), to_number({}));
  d.define(s, x, u.number({10, 20}));
  const FormId held{*u.maps.find(s.environment, 7)};
  ASSERT_TRUE(u.forms[held].opaque.valid());
  EXPECT_EQ(u.infos[u.forms[held].opaque].number, (Interval{0, 3}));
  EXPECT_EQ(u.maps.size(s.locks), 0U) << "a lock named by the old number is no longer known";
}

TEST_F(DomainTest, MergingKeepsEqualityAndLosesTheRest) {
  State a;
  State b;
  auto set = [&](State& state, std::uint32_t key, std::int64_t v) {
    state.environment = u.maps.set(state.environment, key, u.constant(v).index());
  };
  for (const std::uint32_t key : {1U, 2U}) {
    set(a, key, 5);
    set(b, key, 9);
  }
  set(a, 3, 6);
  set(b, 3, 10);
  set(a, 4, 5);
  set(b, 4, 8);
  const MergePoint at{threads::ContextId(0), 1, false, false, nullptr};
  const State m = d.merge(a, b, at, [&](const State&, CellId) { return u.constant(0); });
  auto form = [&](std::uint32_t key) { return FormId(*u.maps.find(m.environment, key)); };
  EXPECT_EQ(form(1), form(2));
  EXPECT_EQ(u.combine(form(3), form(1), -1, 64), u.constant(1)) << "one more on both sides";
  EXPECT_NE(form(4), form(1));
  EXPECT_EQ(d.interval_of(m, form(1), 64), (Interval{5, 9}));
  EXPECT_EQ(d.interval_of(m, form(4), 64), (Interval{5, 8}));
}

TEST_F(DomainTest, MergingKeepsOnlyWhatBothHoldAndJoined) {
  State a;
  State b;
  const FormId lock = u.address_of(u.object(ObjectKind::Section, 0, {}, {}, false));
  a.locks = u.maps.set(0, lock.index(), to_number({.count = 2}));
  b.locks = u.maps.set(0, lock.index(), to_number({.mode = locks::Mode::Shared}));
  a.joined = u.maps.set(0, 1, 1);
  a.created = u.maps.set(0, 1, 1);
  b.created = u.maps.set(0, 2, 1);
  const MergePoint at{threads::ContextId(0), 1, false, false, nullptr};
  const State m = d.merge(a, b, at, [&](const State&, CellId) { return u.constant(0); });
  EXPECT_EQ(u.maps.find(m.locks, lock.index()), to_number({.mode = locks::Mode::Shared}));
  EXPECT_EQ(u.maps.size(m.joined), 0U);
  EXPECT_EQ(u.maps.size(m.created), 2U);
  b.locks = 0;
  EXPECT_EQ(u.maps.size(d.merge(a, b, at, [&](const State&, CellId) { return u.constant(0); }).locks), 0U);
}

TEST_F(DomainTest, ABoundNeedsNumbersThatDoNotWrapAround) {
  const SymbolId x = symbol(1, 8);
  const SymbolId y = symbol(2, 8);
  d.set_info(s, x, u.number({-128, 127}));
  d.set_info(s, y, u.number({-128, 127}));
  State wraps = s;
  ASSERT_TRUE(d.assume_compare(wraps, Predicate::Slt, u.of_symbol(x, 100), u.of_symbol(y), 8));
  EXPECT_EQ(u.maps.size(wraps.upper), 0U) << "127 + 100 is negative";
  ASSERT_TRUE(d.assume_compare(s, Predicate::Slt, u.of_symbol(x), u.of_symbol(y), 8));
  EXPECT_TRUE(d.must_be_at_most(s, u.of_symbol(x, 1), u.of_symbol(y)));
}

TEST_F(DomainTest, ADescriptionThatMayBeZero) {
  EXPECT_TRUE(d.assume(s, u.opaque(u.number({0, 5})), 32, false));
  EXPECT_TRUE(d.assume(s, u.opaque(u.number({0, 5})), 32, true));
  EXPECT_FALSE(d.assume(s, u.opaque(u.number({1, 5})), 32, false));
}

TEST_F(DomainTest, OneHalfOfAnAndThatIsFalseMayBeTrue) {
  const SymbolId x = symbol(1, 1);
  const SymbolId y = symbol(2, 1);
  for (const SymbolId half : {x, y}) d.set_info(s, half, u.number({0, 1}));
  const SymbolId both = u.symbol({.kind = SymbolKind::Binary,
                                  .detail = static_cast<std::uint8_t>(BinaryOp::And),
                                  .bits = 1,
                                  .a = u.of_symbol(x).index(),
                                  .b = u.of_symbol(y).index(),
                                  .depends = std::vector{x, y}});
  d.set_info(s, both, u.number({0, 1}));
  ASSERT_TRUE(d.assume(s, u.of_symbol(both), 1, false));
  EXPECT_TRUE(allows(s, x, 1));
  EXPECT_TRUE(allows(s, y, 1));
}

TEST_F(DomainTest, NumbersInOrder) {
  const SymbolId x = symbol(1, 64);
  const SymbolId y = symbol(2, 64);
  d.set_info(s, x, u.number({0, 5}));
  d.set_info(s, y, u.number({3, 9}));
  EXPECT_FALSE(d.must_be_at_most(s, u.of_symbol(x), u.of_symbol(y)));
  d.set_info(s, y, u.number({5, 9}));
  EXPECT_TRUE(d.must_be_at_most(s, u.of_symbol(x), u.of_symbol(y)));
}

TEST_F(DomainTest, AnExactSumFitsOnBothSides) {
  const SymbolId x = symbol(1, 8);
  d.set_info(s, x, u.number({0, 127}));
  EXPECT_TRUE(d.is_exact(s, u.of_symbol(x), 8));
  EXPECT_FALSE(d.is_exact(s, u.of_symbol(x, 1), 8));
  EXPECT_FALSE(d.is_exact(s, u.form({.constant = -2, .terms = {{x, -1}}, .opaque = {}}), 8));
}

TEST_F(DomainTest, ASumOfTwoAddressesMayLeadAnywhere) {
  const ObjectId one = u.object(ObjectKind::Hidden, 0, {}, {}, false, "one");
  const ObjectId two = u.object(ObjectKind::Hidden, 0, {}, {}, false, "two");
  const FormId sum = u.combine(u.address_of(one), u.address_of(two), 1, 64);
  EXPECT_TRUE(u.infos[d.info_of(s, sum, 64)].any_address);
}

TEST_F(DomainTest, StepsOfAddressesAreCommonSteps) {
  const ObjectId object = u.object(ObjectKind::Hidden, 0, {}, {}, false, "one");
  const SymbolId base = symbol(1, 64);
  const SymbolId index = symbol(2, 64);
  d.set_info(s, base, u.addresses({{object, 0, 24, 12}}));
  d.set_info(s, index, u.number({0, 3}));
  const FormId sum = u.combine(u.of_symbol(base), u.of_symbol(index), 8, 64);
  const Target moved = u.points_to[u.infos[d.info_of(s, sum, 64)].addresses].targets[0];
  EXPECT_EQ(moved, (Target{object, 0, 48, 4})) << "12 + 8 = 20 is a place";
  const InfoId joined = u.join(u.addresses({{object, 0, 24, 12}}), u.addresses({{object, 4, 4, 0}}));
  EXPECT_EQ(u.points_to[u.infos[joined].addresses].targets[0], (Target{object, 0, 24, 4}));
}

TEST_F(DomainTest, AJoinedNumberExcludesWhatBothExclude) {
  Info with_hole;
  with_hole.number = {-5, 5};
  with_hole.has_excluded = true;
  with_hole.excluded = 0;
  const InfoId joined = u.join(u.info(with_hole), u.number({-7, 7}));
  EXPECT_FALSE(u.infos[joined].has_excluded);
  EXPECT_TRUE(u.infos[u.join(u.info(with_hole), u.number({3, 7}))].has_excluded);
}

TEST_F(DomainTest, OverlappingCellsAreThoseThatOverlapOneByOne) {
  std::mt19937 random(3);
  const ObjectId object = u.object(ObjectKind::Hidden, 0, {}, {}, false, "a"),
                 other = u.object(ObjectKind::Hidden, 0, {}, {}, false, "b");
  u.cell(other, 0, 4, 0);
  for (int i = 0; i < 300; ++i) {
    const std::uint32_t size = 1U << random() % 4, stride = random() % 8 == 0 ? size * (1 + random() % 6) : 0;
    const std::int64_t low = static_cast<std::int64_t>(random() % 200) - 50, count = 1 + random() % 9;
    const CellId id = random() % 2 == 0 ? u.cell(object, low, size, stride)
                                        : u.cell_of({object, low, low + stride * count, stride}, size);
    std::vector<CellId> expected;
    for (const CellId c : u.objects[object].cells)
      if (Universe::overlap(u.cells[id], u.cells[c])) expected.push_back(c);
    EXPECT_EQ(u.overlapping(u.cells[id]), expected);
  }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
