// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker of transactions accepts what the judge claims of a few models, and rejects it with any of these faults:
// in what is claimed, or in the model that it is claimed of.
#include "proof/transaction/checker.h"

#include <gtest/gtest.h>

#include <functional>

#include "judge/transaction/settle.h"
#include "judge/transaction_models.h"

namespace heddle::judge::transaction {
namespace HEDDLE_TEST_FILE {

struct Case {
  Model model;
  std::set<PlacePair> pairs;
  Annotation claims;

  [[nodiscard]] std::string why_not() const {
    const auto proof = check_in_one(model, claims, pairs, {"finite"});
    return proof ? "" : proof.error();
  }
  [[nodiscard]] std::vector<Edge>& edges(ThreadIndex thread, PointIndex at) {
    return model.threads[thread].points[at].edges;
  }
  [[nodiscard]] std::vector<Act>& acts(ThreadIndex thread, PointIndex at) { return edges(thread, at)[0].acts; }
  /// The first node with the threads there.
  [[nodiscard]] Annotation::Claim& at(PointIndex first, PointIndex second) {
    for (auto& [node, claim] : claims.nodes)
      if (node[0].point == first && node[1].point == second) return claim;
    ADD_FAILURE() << "no node at " << first << ", " << second;
    return claims.nodes.begin()->second;
  }
  void rename(const Node& from, const Node& to) {
    auto claim = claims.nodes.extract(from);
    claim.key() = to;
    claims.nodes.insert(std::move(claim));
  }
};

Case settled(Model model, const PlacePair& pair) {
  Case out{std::move(model), {pair}, {}};
  Effort effort{10'000};
  Settled settled = settle(out.model, {pair}, effort);
  EXPECT_EQ(settled.claims.size(), 1U) << settled.why_not_more;
  if (!settled.claims.empty()) out.claims = std::move(settled.claims[0].annotation);
  return out;
}

/// lock; if (!flag) { flag = 1; unlock; 1 or 2; lock; flag = 0; } unlock, twice; the second visits 3 with its lock.
Case flags() {
  const auto taker = [](std::vector<WrittenStep> begin, std::uint32_t visited) {
    std::vector<WrittenStep> steps = std::move(begin);
    const std::vector<WrittenStep> rest = {
        {4, 5, {guard(x(0), Predicate::Eq, n(0))}},
        {4, 10, {guard(x(0), Predicate::Ne, n(0))}},
        {5, 6, {set(0, n(1), {0, 1})}},
        {6, 7, {give(0)}},
        {7, 8, {visit(visited)}},
        {8, 9, {take(0)}},
        {9, 10, {set(0, n(0), {0, 1})}},
        {10, Thread::ended, {give(0)}},
    };
    steps.insert(steps.end(), rest.begin(), rest.end());
    return steps;
  };
  return settled(model({{"flag", 0, {0, 1}}}, {"m"},
                       {{"main", taker({{2, 3, {start(1)}}, {3, 4, {take(0)}}}, 1)},
                        {"t", taker({{2, 4, {take(0), visit(3)}}}, 2)}}),
                 {place(1), place(2)});
}

/// start; join; 1 beside 2
Case joined() {
  return settled(model({}, {},
                       {{"main", {{2, 3, {start(1)}}, {3, 4, {join(1)}}, {4, Thread::ended, {visit(1)}}}},
                        {"t", {{2, Thread::ended, {visit(2)}}}}}),
                 {place(1), place(2)});
}

/// 1 behind x = 0; beside it, 2 if x is still 1. Claimed: main writes alone, so x is never 1 when it is asked for.
Case asked_too_late() {
  Case out{
      model({{"x", 1, {0, 1}}}, {},
            {{"main", {{2, 3, {start(1)}}, {3, 4, {set(0, n(0), {0, 1})}}, {4, Thread::ended, {visit(1)}}}},
             {"t",
              {{2, 3, {guard(x(0), Predicate::Eq, n(1))}}, {2, Thread::ended, {}}, {3, Thread::ended, {visit(2)}}}}}),
      {{place(1), place(2)}},
      {}};
  out.claims.dead = {{}, {{2, 0}}};
  const std::vector<Constraint> one{LinearForm::variable(0, -1, 1)}, none{x(0)};
  const auto claim = [&](PointIndex main, PointIndex t, const std::vector<Constraint>& holds,
                         std::vector<ThreadIndex> movers) {
    out.claims.nodes[{{main, {}}, {t, {}}}] = {{holds, holds}, std::move(movers)};
  };
  claim(2, LocalState::not_started, one, {0});
  claim(3, 2, one, {0});
  claim(4, 2, none, {0, 1});
  claim(4, Thread::ended, none, {0});
  claim(Thread::ended, 2, none, {1});
  claim(Thread::ended, Thread::ended, none, {});
  return out;
}

/// x = 1; and if x is 1, the end. Claimed: x is 0 all the time.
Case written_once() {
  Case out{model({{"x", 0, {0, 1}}}, {},
                 {{"main", {{2, 3, {set(0, n(1), {0, 1})}}, {3, Thread::ended, {guard(x(0), Predicate::Eq, n(1))}}}}}),
           {},
           {}};
  out.claims.dead = {{{3, 0}}};
  for (const PointIndex at : {PointIndex{2}, PointIndex{3}}) out.claims.nodes[{{at, {}}}] = {{{x(0)}}, {0}};
  return out;
}

/// n++ as often as it likes, and 1 if n < 0; beside 2. Claimed: it goes round alone, and nobody else ever moves.
Case starved() {
  Case out{model({{"n", 0, {-100, 100}}}, {},
                 {{"main", {{2, 3, {start(1)}}, {3, 4, {}}, {4, 3, {}}}},
                  {"t", {{2, 3, {set(0, n(1))}}, {3, 0, {visit(2)}}}}}),
           {},
           {}};
  out.claims.dead.resize(2);
  for (const PointIndex at : {Thread::begin, PointIndex{3}, PointIndex{4}}) {
    Node node(2);
    node[0].point = at;
    if (at != Thread::begin) node[1].point = Thread::begin;
    out.claims.nodes[node] = {{{}, {}}, {0}};
  }
  return out;
}

TEST(TransactionChecker, AcceptsWhatFollows) {
  for (const Case& one : {flags(), joined()}) {
    const auto proofs = check_in_one(one.model, one.claims, one.pairs, {"finite"});
    ASSERT_TRUE(proofs) << proofs.error();
    ASSERT_EQ(proofs->size(), 1U);
    const race::Proof& proof = proofs->begin()->second;
    EXPECT_EQ(proof.form(), race::Proof::Form::Transactions);
    EXPECT_EQ(proof.assumptions(), std::set<std::string>{"finite"});
    EXPECT_EQ(proof.seen(), one.claims.nodes.size());
    EXPECT_NE(proof.statement().find("no node has both next"), std::string::npos) << proof.statement();
  }
}

TEST(TransactionChecker, EveryNodeIsNeeded) {
  const Case whole = flags();
  ASSERT_GT(whole.claims.nodes.size(), 10U);
  for (const auto& [node, claim] : whole.claims.nodes) {
    Case one = whole;
    one.claims.nodes.erase(node);
    EXPECT_NE(one.why_not(), "");
  }
}

struct Fault {
  const char* name;
  Case (*of)();
  std::function<void(Case&)> plant;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class PlantedFaults : public testing::TestWithParam<Fault> {};

TEST_P(PlantedFaults, AreSeen) {
  Case one = GetParam().of();
  GetParam().plant(one);
  EXPECT_NE(one.why_not(), "");
}

const Fault faults[] = {
    // What is claimed
    {"BeginningTooStrong", flags, [](Case& c) { c.claims.nodes.begin()->second.parts[0].push_back(x(0, 1)); }},
    {"BeginningTooStrongInAnotherPart", flags,
     [](Case& c) { c.claims.nodes.begin()->second.parts[1].push_back(LinearForm::variable(0, -1, 1)); }},
    {"TooStrongBehindAStep", flags, [](Case& c) { c.at(7, 2).parts[1].push_back(x(0)); }},
    {"TooWeakForADeadStep", flags, [](Case& c) { c.at(7, 4).parts = {{}, {}}; }},
    {"SignsTurned", flags,
     [](Case& c) {
       for (std::vector<Constraint>& part : c.at(7, 2).parts)
         for (Constraint& constraint : part)
           for (numeric::LinearTerm& term : constraint.terms) term.factor = -term.factor;
     }},
    {"ClaimsOfTwoNodesExchanged", flags, [](Case& c) { std::swap(c.at(7, 2).parts, c.at(3, 2).parts); }},
    {"APartIsMissing", flags, [](Case& c) { c.at(7, 2).parts.pop_back(); }},
    {"AThreadIsMissing", flags,
     [](Case& c) {
       const Node node = c.claims.nodes.begin()->first;
       c.rename(node, {node[0]});
     }},
    {"NobodyMoves", flags, [](Case& c) { c.at(3, 2).movers = {}; }},
    {"OneOfTwoMoves", flags, [](Case& c) { c.at(3, 2).movers = {1}; }},
    {"TheOtherOfTwoMoves", flags, [](Case& c) { c.at(3, 2).movers = {0}; }},
    {"WhoWaitsMovesAlone", flags, [](Case& c) { c.at(3, 4).movers = {0}; }},
    {"NotHeldAsClaimed", flags,
     [](Case& c) {
       for (const auto& [node, claim] : Annotation(c.claims).nodes)
         if (node[1].point == 4 && node[0].point == 3) {
           Node without = node;
           without[1].holds.clear();
           c.rename(node, without);
         }
     }},
    {"SharedAndNotExclusive", flags,
     [](Case& c) {
       for (const auto& [node, claim] : Annotation(c.claims).nodes)
         if (node[1].point == 4 && node[0].point == 3) {
           Node other = node;
           other[1].holds[0].is_shared = true;
           c.rename(node, other);
         }
     }},
    {"AStepThatIsTakenIsCalledDead", flags, [](Case& c) { c.claims.dead[1].emplace(5, 0); }},
    {"AStepWhereAllMoveIsCalledDead", flags, [](Case& c) { c.claims.dead[1].emplace(2, 0); }},
    {"DeadIfOthersMoveFirst", asked_too_late, [](Case&) {}},
    {"AnAssignmentThatChangesNothing", written_once, [](Case&) {}},
    {"WhoJoinsMovesAlone", joined, [](Case& c) { c.at(3, 2).movers = {0}; }},
    {"AnotherNumberOfThreads", flags, [](Case& c) { c.claims.dead.pop_back(); }},
    {"APairThatMeets", flags, [](Case& c) { c.pairs.emplace(place(1), place(3)); }},
    {"StarvedByALoop", starved, [](Case&) {}},
    {"StarvedByALoopWithoutAHead", starved,
     [](Case& c) {
       for (Point& point : c.model.threads[0].points) point.is_loop_head = false;
     }},
    // The model
    {"ALockLess", flags, [](Case& c) { c.acts(1, 2).erase(c.acts(1, 2).begin()); }},
    {"LockedForReaders", flags,
     [](Case& c) {
       for (const auto& [thread, at] : {std::pair{0, 3}, {0, 8}, {1, 2}, {1, 8}})
         std::get<Take>(c.acts(thread, at)[0]).is_shared = true;
     }},
    {"NeverGivenBack", flags, [](Case& c) { c.acts(0, 6).clear(); }},
    {"GivenBackTwice", flags, [](Case& c) { c.acts(0, 6).push_back(give(0)); }},
    {"AnotherBeginning", flags, [](Case& c) { c.model.shared[0].initial = 1; }},
    {"AnyNumberInstead", flags, [](Case& c) { c.acts(0, 5)[0] = Forget{0, {0, 1}}; }},
    {"AnotherNumberInstead", flags, [](Case& c) { c.acts(0, 5)[0] = set(0, n(0), {0, 1}); }},
    {"NumbersThatWrap", flags, [](Case& c) { c.acts(0, 5)[0] = set(0, n(2), {0, 1}); }},
    {"AGuardTurned", flags, [](Case& c) { std::get<Guard>(c.acts(1, 4)[0]).predicate = Predicate::Ne; }},
    {"AGuardWeakened", flags, [](Case& c) { std::get<Guard>(c.acts(1, 4)[0]).predicate = Predicate::Uge; }},
    {"AGuardLess", flags, [](Case& c) { c.acts(1, 4).clear(); }},
    {"AGuardOfOtherNumbers", flags, [](Case& c) { std::get<Guard>(c.acts(1, 4)[0]).predicate = Predicate::FOeq; }},
    {"StartedTwice", flags, [](Case& c) { c.acts(0, 3).push_back(start(1)); }},
    {"OneStepMore", flags, [](Case& c) { c.edges(1, 4).push_back({5, {}}); }},
    {"AStepElsewhere", flags, [](Case& c) { c.edges(1, 4)[1].to = 5; }},
    {"NotJoined", joined, [](Case& c) { c.acts(0, 3).clear(); }},
    {"JoinedBeforeItIsStarted", joined, [](Case& c) { std::swap(c.acts(0, 2), c.acts(0, 3)); }},
    {"TheProgramMayEnd", joined,
     [](Case& c) {
       c.edges(0, 3).push_back({Thread::exits, {}});
       c.at(3, 2).movers = {0};
     }},
};
INSTANTIATE_TEST_SUITE_P(, PlantedFaults, testing::ValuesIn(faults),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::transaction
