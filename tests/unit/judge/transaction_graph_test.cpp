// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TACAS09's own examples: its Figure 1, from its words, as a model in which a12 is a point, and what the paper says of
// it. The programs in tests/programs/transactions are the same in C.
#include <gtest/gtest.h>

#include "judge/transaction/settle.h"
#include "judge/transaction_models.h"
#include "numeric/box.h"
#include "numeric/octagon.h"
#include "proof/transaction/checker.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

constexpr LockIndex plk = 0, count_lk = 1;
constexpr VariableIndex pg_count = 0;
constexpr std::int64_t limit = 4;
/// Points of Alloc_Page and Dealloc_Page, with their numbers in the paper; `waits` stands inside of a4.
constexpr PointIndex a(PointIndex number) { return Thread::begin + number - 1; }
constexpr PointIndex b(PointIndex number) { return Thread::begin + number - 1; }
constexpr PointIndex waits = a(15);
constexpr std::uint32_t at_a12 = 12, at_b3 = 103, at_b12 = 112;

WrittenThread alloc(const std::string& name, Predicate test) {
  const Predicate other = test == Predicate::Sge ? Predicate::Slt : Predicate::Sle;
  return {name,
          {
              {a(1), a(2), {}},
              {a(2), a(3), {take(plk)}},
              {a(3), a(4), {guard(x(pg_count), test, n(limit))}},
              {a(3), a(8), {guard(x(pg_count), other, n(limit))}},
              {a(4), waits, {give(plk)}},
              {waits, a(5), {take(plk)}},
              {a(5), a(6), {}},
              {a(6), a(7), {}},
              {a(7), Thread::ended, {give(plk)}},
              {a(8), a(9), {take(count_lk)}},
              {a(9), a(10), {give(plk)}},
              {a(10), a(11), {}},
              {a(11), a(12), {}},
              {a(12), a(13), {visit(at_a12)}},
              {a(13), a(14), {set(pg_count, x(pg_count, 1))}},
              {a(14), Thread::ended, {give(count_lk)}},
          }};
}

WrittenThread dealloc() {
  return {"Dealloc_Page",
          {
              {b(1), b(2), {take(plk)}},
              {b(2), b(3), {guard(x(pg_count), Predicate::Eq, n(limit))}},
              {b(2), b(8), {guard(x(pg_count), Predicate::Ne, n(limit))}},
              {b(3), b(4), {visit(at_b3)}},
              {b(4), b(5), {set(pg_count, x(pg_count, -1))}},
              {b(5), b(6), {}},
              {b(6), b(7), {}},
              {b(7), Thread::ended, {give(plk)}},
              {b(8), b(9), {}},
              {b(9), b(10), {take(count_lk)}},
              {b(10), b(11), {give(plk)}},
              {b(11), b(12), {set(pg_count, x(pg_count, -1))}},
              {b(12), b(13), {visit(at_b12)}},
              {b(13), Thread::ended, {give(count_lk)}},
          }};
}

constexpr ThreadIndex alloc_thread = 1, dealloc_thread = 2;

Model figure1(Predicate test = Predicate::Sge, bool two = false, std::int64_t initial = limit - 1) {
  std::vector<WrittenThread> threads{
      {"main", {{2, 3, {start(alloc_thread)}}, {3, 4, {start(dealloc_thread)}}}}, alloc("Alloc_Page", test), dealloc()};
  if (two) {
    threads.push_back(alloc("Alloc_Page", test));
    threads[0].steps.push_back({4, Thread::ended, {start(3)}});
  }
  return model({{"pg_count", initial, {-100, 100}}}, {"plk", "count_lk"}, threads);
}

std::vector<PlacePair> pairs() { return {{place(at_a12), place(at_b3)}, {place(at_a12), place(at_b12)}}; }

Settled settled(const Model& model) {
  Effort effort{100'000};
  return settle(model, pairs(), effort);
}

std::set<PlacePair> apart(const Settled& settled) {
  std::set<PlacePair> out;
  for (const Claims& claims : settled.claims) out.insert(claims.apart.begin(), claims.apart.end());
  return out;
}

/// What all nodes with the thread there say of pg_count together.
Interval counts(const Annotation& claims, ThreadIndex thread, PointIndex at) {
  Interval all = Interval::empty();
  for (const auto& [node, claim] : claims.nodes) {
    if (node[thread].point != at) continue;
    Interval here = Interval::of_width(64);
    for (const Constraint& one : claim.parts[thread]) {
      if (one.terms == LinearForm::variable(pg_count).terms) here.high = std::min(here.high, -one.constant);
      if (one.terms == LinearForm::variable(pg_count, -1).terms) here.low = std::max(here.low, one.constant);
    }
    all = join(all, here);
  }
  return all;
}

/// alloc and dealloc are there, main is through.
bool has_node(const Annotation& claims, PointIndex at_a, PointIndex at_b) {
  return std::ranges::any_of(claims.nodes, [&](const auto& one) {
    return one.first[alloc_thread].point == at_a && one.first[dealloc_thread].point == at_b;
  });
}

TEST(TransactionFigure1, IsRefutedByWhatThePaperSays) {
  const Settled all = settled(figure1());
  EXPECT_EQ(apart(all).size(), 2U);
  ASSERT_EQ(all.claims.size(), 1U) << "intervals are enough";
  const Annotation& claims = all.claims[0].annotation;
  EXPECT_GE(counts(claims, dealloc_thread, b(3)).low, limit);  // ψ3
  EXPECT_LT(counts(claims, alloc_thread, a(12)).high, limit);  // φ12
  const auto proofs = check_in_one(figure1(), claims, {pairs()[0]}, {});
  ASSERT_TRUE(proofs) << proofs.error();
  const std::string& said = proofs->begin()->second.statement();
  EXPECT_NE(said.find("at the first pg_count is at least 2 and at most 3, "), std::string::npos) << said;
  EXPECT_NE(said.find("at the second it is 4 "), std::string::npos) << said;
}

TEST(TransactionFigure1, NoNodeHasALockTwice) {
  const Settled all = settled(figure1());
  ASSERT_FALSE(all.claims.empty());
  const Annotation& claims = all.claims[0].annotation;
  EXPECT_FALSE(has_node(claims, a(5), b(4)));
  EXPECT_FALSE(has_node(claims, a(6), b(3)));
  EXPECT_FALSE(has_node(claims, a(3), b(2)));
  EXPECT_TRUE(has_node(claims, a(2), b(2)));
}

TEST(TransactionFigure1, StepsThatDependOnEachOther) {
  const Model model = figure1();
  const Product product(model, pairs());
  const auto depend = [&](PointIndex at_a, PointIndex at_b) {
    return product.depend(alloc_thread, at_a, dealloc_thread, at_b);
  };
  EXPECT_TRUE(depend(a(12), b(12)));
  EXPECT_FALSE(depend(a(14), b(5)));
  EXPECT_FALSE(product.depend(dealloc_thread, b(4), dealloc_thread, b(11)));  // both take one away
  EXPECT_TRUE(depend(a(13), b(2)));
  EXPECT_FALSE(depend(a(13), b(4)));  // one adds, the other takes away
}

TEST(TransactionFigure1, DeallocMovesAloneFromB2ToB7) {
  const Model model = figure1();
  const Product product(model, pairs());
  for (const PointIndex at_a : {a(1), a(2), waits})
    for (PointIndex at_b = b(2); at_b <= b(7); ++at_b) {
      const Node node{{Thread::ended, {}}, {at_a, {}}, {at_b, {{plk, false}}}};
      // a(1) has nothing that others notice, so it may go first.
      const ThreadIndex alone = at_a == a(1) ? alloc_thread : dealloc_thread;
      EXPECT_EQ(product.movers(node), std::vector<ThreadIndex>{alone}) << at_a << ", " << at_b;
      EXPECT_EQ(product.movers(node, false).size(), 2U);
    }
  // While Alloc_Page is on its way to pg_count, both orders are looked at.
  const Node node{{Thread::ended, {}}, {a(12), {{count_lk, false}}}, {b(2), {{plk, false}}}};
  EXPECT_EQ(product.movers(node).size(), 2U);
}

TEST(TransactionFigure1, TwoThatTakePagesAreNotKeptApart) {
  EXPECT_FALSE(apart(settled(figure1(Predicate::Sge, true))).contains(pairs()[0]));
}

TEST(TransactionFigure1, AnotherTestIsNotEnough) {
  EXPECT_TRUE(apart(settled(figure1(Predicate::Sge, false, limit))).contains(pairs()[0]));
  EXPECT_FALSE(apart(settled(figure1(Predicate::Sgt, false, limit))).contains(pairs()[0]));
}

/// Whoever is over may be started again, here by main, which has to wait for a lock of the other thread before.
TEST(TransactionGraph, WhoIsOverIsStartedAgain) {
  const Model restarted = model({}, {"m"},
                                {{"main",
                                  {{2, 3, {start(1)}},
                                   {3, 4, {join(1)}},
                                   {4, 5, {start(2)}},
                                   {5, 6, {take(0)}},
                                   {6, 7, {give(0)}},
                                   {7, Thread::ended, {start(1)}}}},
                                 {"again", {{2, Thread::ended, {visit(1)}}}},
                                 {"other", {{2, 3, {visit(2)}}, {3, 4, {take(0)}}, {4, Thread::ended, {give(0)}}}}});
  Effort effort{1000};
  EXPECT_TRUE(settle(restarted, {{place(1), place(2)}}, effort).claims.empty());
}

/// Example 2: of <x = 5, x = l = 5> an assignment of 10 makes <x = 10, x = 10, l = 5>.
template <class Domain>
class TransactionMeld : public testing::Test {};
using Domains = testing::Types<numeric::Box, numeric::Octagon>;
TYPED_TEST_SUITE(TransactionMeld, Domains);

TYPED_TEST(TransactionMeld, TakesSharedValuesFromWhoMoved) {
  const Model both = model({{"x", 5, {-100, 100}}}, {}, {{"t1", {{2, 3, {}}}}, {"t2", {{2, 3, {}}}}}, 1);
  constexpr VariableIndex shared = 0, own = 1;
  TypeParam moved(2), other(2);
  moved.assign(shared, n(10));
  moved.assign(own, n(7));
  other.assign(own, n(5));
  other.assign(shared, x(own));
  const TypeParam melded = meld(both, moved, other, {shared});
  EXPECT_EQ(melded.interval_of(shared), Interval::constant(10));
  EXPECT_EQ(melded.interval_of(own), Interval::constant(5));
  // Nothing written: what both say of it holds.
  moved.forget(shared);
  EXPECT_EQ(meld(both, moved, other, {}).interval_of(shared), Interval::constant(5));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
