// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws that all domains over several variables share, against sets of points.
#include "numeric/relational_domain.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "numeric/box.h"
#include "numeric/octagon.h"

namespace heddle::numeric {
namespace HEDDLE_TEST_FILE {

static_assert(RelationalDomain<Box>);
static_assert(RelationalDomain<Octagon>);

constexpr std::uint32_t dimension = 3;
constexpr std::int64_t edge = 4;
using Point = std::array<std::int64_t, dimension>;

std::int64_t value(const LinearForm& form, const Point& point) {
  std::int64_t out = form.constant;
  for (const LinearTerm& term : form.terms) out += term.factor * point[term.variable];
  return out;
}

bool holds(const LinearForm& form, Relation relation, const Point& point) {
  const std::int64_t v = value(form, point);
  return relation == Relation::AtMostZero ? v <= 0 : (v == 0) == (relation == Relation::Zero);
}

template <class D>
bool contains(D domain, const Point& point) {
  for (std::uint32_t x = 0; x < dimension; ++x) domain.guard(LinearForm::variable(x, 1, -point[x]), Relation::Zero);
  return !domain.is_bottom();
}

/// All points of a small cube.
std::vector<Point> cube(std::int64_t size) {
  std::vector<Point> out;
  for (std::int64_t x = -size; x <= size; ++x)
    for (std::int64_t y = -size; y <= size; ++y)
      for (std::int64_t z = -size; z <= size; ++z) out.push_back({x, y, z});
  return out;
}

template <class D>
D within_cube(std::int64_t size = edge) {
  D out(dimension);
  for (std::uint32_t x = 0; x < dimension; ++x) {
    out.guard(LinearForm::variable(x, 1, -size), Relation::AtMostZero);
    out.guard(LinearForm::variable(x, -1, -size), Relation::AtMostZero);
  }
  return out;
}

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  std::uint32_t variable() { return static_cast<std::uint32_t>(number(0, dimension - 1)); }
  /// Mostly what an octagon can say.
  LinearForm form() {
    LinearForm out = LinearForm::number(number(-5, 5));
    const std::int64_t terms = number(0, 10) < 9 ? number(1, 2) : number(0, 3);
    for (std::int64_t i = 0; i < terms; ++i) {
      const std::int64_t sign = number(0, 1) * 2 - 1;
      EXPECT_TRUE(out.add(variable(), number(0, 5) == 0 ? number(-3, 3) : sign));
    }
    return out;
  }
  Relation relation() {
    return std::array{
        Relation::AtMostZero, Relation::Zero,
        Relation::NotZero}[static_cast<std::size_t>(std::min<std::int64_t>(number(0, 5), 2) == 2 ? 0 : number(1, 2))];
  }

 private:
  std::mt19937 random_;
};

template <class D>
class RelationalDomains : public testing::Test {};
using Domains = testing::Types<Box, Octagon>;
TYPED_TEST_SUITE(RelationalDomains, Domains);

/// A domain and the points it has to contain.
template <class D>
struct Tracked {
  D domain;
  std::vector<Point> points;

  void step(Maker& maker) {
    const std::uint32_t x = maker.variable();
    const LinearForm form = maker.form();
    switch (maker.number(0, 4)) {
      case 0: {
        domain.assign(x, form);
        for (Point& point : points) point[x] = value(form, point);
        return;
      }
      case 1: {
        const std::int64_t high = maker.number(0, 6);
        const Interval range{-high - 1, high};
        domain.wrap(x, range);
        for (Point& point : points) {
          const std::int64_t size = range.high - range.low + 1;
          point[x] = ((point[x] - range.low) % size + size) % size + range.low;
        }
        return;
      }
      default: {
        const Relation relation = maker.relation();
        domain.guard(form, relation);
        std::erase_if(points, [&](const Point& point) { return !holds(form, relation, point); });
      }
    }
  }

  void check() const {
    for (const Point& point : points) ASSERT_TRUE(contains(domain, point));
    ASSERT_TRUE(points.empty() || !domain.is_bottom());
    for (std::uint32_t x = 0; x < dimension; ++x)
      for (const Point& point : points) ASSERT_TRUE(domain.interval_of(x).contains(point[x]));
  }
};

template <class D>
Tracked<D> random_element(Maker& maker) {
  Tracked<D> out{within_cube<D>(), cube(edge)};
  for (std::int64_t i = maker.number(0, 5); i > 0; --i) out.step(maker);
  return out;
}

TYPED_TEST(RelationalDomains, NothingIsLost) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Maker maker(seed);
    Tracked<TypeParam> all{within_cube<TypeParam>(), cube(edge)};
    for (int i = 0; i < 8; ++i) {
      all.step(maker);
      if (i % 4 == 3) ASSERT_NO_FATAL_FAILURE(all.check()) << "seed " << seed;
    }
  }
}

TYPED_TEST(RelationalDomains, JoinsContainBothAndMeetsWhatIsInBoth) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Maker maker(seed);
    const auto a = random_element<TypeParam>(maker), b = random_element<TypeParam>(maker);
    const TypeParam both = join(a.domain, b.domain), common = meet(a.domain, b.domain);
    EXPECT_TRUE(leq(a.domain, both) && leq(b.domain, both)) << seed;
    EXPECT_TRUE(leq(common, a.domain) && leq(common, b.domain)) << seed;
    for (const Point& point : cube(2))
      EXPECT_EQ(contains(common, point), contains(a.domain, point) && contains(b.domain, point)) << seed;
    EXPECT_TRUE(leq(a.domain, a.domain));
    EXPECT_TRUE(leq(TypeParam::bottom(dimension), a.domain));
    EXPECT_TRUE(leq(a.domain, TypeParam(dimension)));
    EXPECT_TRUE(leq(join(a.domain, a.domain), a.domain) && leq(a.domain, meet(a.domain, a.domain)));
  }
}

TYPED_TEST(RelationalDomains, LeqIsContainment) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Maker maker(seed);
    const auto a = random_element<TypeParam>(maker), b = random_element<TypeParam>(maker);
    if (!leq(a.domain, b.domain)) continue;
    for (const Point& point : cube(3))
      ASSERT_TRUE(!contains(a.domain, point) || contains(b.domain, point)) << "seed " << seed;
  }
}

TYPED_TEST(RelationalDomains, WideningEndsAndNarrowingStaysInside) {
  const std::vector<std::int64_t> thresholds{-3, 0, 7, 20};
  for (unsigned seed = 0; seed < 60; ++seed) {
    Maker maker(seed);
    TypeParam known = random_element<TypeParam>(maker).domain;
    const LinearForm step = maker.form();
    const std::uint32_t x = maker.variable();
    int rounds = 0;
    for (;; ++rounds) {
      ASSERT_LT(rounds, 400) << "seed " << seed;
      TypeParam next = known;
      next.assign(x, step);
      next = join(known, next);
      if (leq(next, known)) break;
      const TypeParam wide = widen(known, next, thresholds);
      ASSERT_TRUE(leq(known, wide) && leq(next, wide)) << "seed " << seed;
      known = wide;
    }
    const TypeParam inner = meet(known, within_cube<TypeParam>()), narrowed = narrow(known, inner);
    EXPECT_TRUE(leq(inner, narrowed) && leq(narrowed, known)) << "seed " << seed;
  }
}

TYPED_TEST(RelationalDomains, SelectingForgetsTheOthers) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Maker maker(seed);
    const auto a = random_element<TypeParam>(maker);
    const std::array<std::uint32_t, 2> wanted{2, 0};
    const TypeParam part = a.domain.select(wanted);
    ASSERT_EQ(part.variables(), 2U);
    EXPECT_EQ(part.interval_of(0), a.domain.interval_of(2));
    EXPECT_EQ(part.interval_of(1), a.domain.interval_of(0));
    TypeParam rest = a.domain;
    rest.forget(1);
    for (const Point& point : a.points) EXPECT_TRUE(contains(rest, {point[0], point[1] + 100, point[2]})) << seed;
  }
}

TYPED_TEST(RelationalDomains, LargeNumbersAreNotLostEither) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                         least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t number :
       {most, least, most - 1, least + 1, most / 2, std::int64_t{1} << 44, (std::int64_t{1} << 53) + 1,
        -((std::int64_t{1} << 44) + 1), std::int64_t{1} << 43}) {
    TypeParam all(dimension);
    all.assign(0, LinearForm::number(number));
    EXPECT_TRUE(all.interval_of(0).contains(number)) << number;
    all.assign(1, LinearForm::variable(0, 1, -1));
    EXPECT_FALSE(all.is_bottom());
    if (number != least) EXPECT_TRUE(all.interval_of(1).contains(number - 1)) << number;
    all.guard(LinearForm{{{0, -1}, {1, 1}}, 0}, Relation::AtMostZero);  // x1 <= x0
    EXPECT_FALSE(all.is_bottom()) << number;
    TypeParam many(dimension);
    for (int i = 0; i < 200; ++i) many.assign(0, LinearForm{{{0, 2}}, number / 3});
    EXPECT_FALSE(many.is_bottom());
  }
}

// --- octagons alone

/// Its bounds are what the points have, no more.
TEST(Octagon, BoundsAreTheBestForIntegers) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Maker maker(seed);
    Octagon all = within_cube<Octagon>();
    std::vector<Point> points = cube(edge);
    for (int i = 0; i < 4; ++i) {
      LinearForm form = LinearForm::number(maker.number(-5, 5));
      ASSERT_TRUE(form.add(maker.variable(), maker.number(0, 1) * 2 - 1));
      const std::uint32_t other = maker.variable();
      if (form.terms[0].variable != other) ASSERT_TRUE(form.add(other, maker.number(0, 1) * 2 - 1));
      all.guard(form, Relation::AtMostZero);
      std::erase_if(points, [&](const Point& point) { return value(form, point) > 0; });
    }
    ASSERT_EQ(all.is_bottom(), points.empty()) << "seed " << seed;
    for (std::uint32_t x = 0; x < dimension && !points.empty(); ++x)
      for (std::uint32_t y = 0; y < dimension; ++y)
        for (const std::int64_t sign : {-1, 1}) {
          LinearForm form = LinearForm::variable(x);
          if (x != y) ASSERT_TRUE(form.add(y, sign));
          Interval best = Interval::empty();
          for (const Point& point : points) best = join(best, Interval::constant(value(form, point)));
          ASSERT_EQ(all.interval_of(form), best) << "seed " << seed;
        }
  }
}

TEST(Octagon, KeepsWhatALoopLeaves) {
  // i = 0; n >= 0; while (i < n) i++;
  Octagon head(2);
  head.assign(0, LinearForm::number(0));
  head.guard(LinearForm::variable(1, -1), Relation::AtMostZero);
  for (int round = 0; round < 10; ++round) {
    Octagon body = head;
    body.guard(LinearForm{{{0, 1}, {1, -1}}, 1}, Relation::AtMostZero);
    body.assign(0, LinearForm::variable(0, 1, 1));
    const Octagon next = join(head, body);
    if (leq(next, head)) break;
    head = widen(head, next, {});
  }
  head.guard(LinearForm{{{0, -1}, {1, 1}}, 0}, Relation::AtMostZero);  // i >= n
  EXPECT_EQ(head.interval_of(LinearForm{{{0, 1}, {1, -1}}, 0}), Interval::constant(0));
}

TEST(Octagon, SumsBoundTheirParts) {
  Octagon all(3);
  all.guard(LinearForm{{{0, 1}, {1, 1}, {2, 1}}, -10}, Relation::AtMostZero);
  for (const std::uint32_t x : {0U, 1U, 2U}) all.guard(LinearForm::variable(x, -1), Relation::AtMostZero);
  all.guard(LinearForm{{{0, 1}, {1, 1}, {2, 1}}, -10}, Relation::AtMostZero);
  EXPECT_EQ(all.interval_of(0), (Interval{0, 10}));
  EXPECT_EQ(all.interval_of(LinearForm{{{0, 1}, {1, 1}}, 0}), (Interval{0, 10}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::numeric
