// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof/transaction/checker.h"

#include <algorithm>
#include <array>

#include "proof/transaction/conflicts.h"
#include "smt/solver.h"

namespace heddle::proof::transaction {
namespace {

constexpr std::uint32_t most_steps = 200'000;  // of the solver, for one question

struct Rejected {
  std::string why;
};

/// One question at a time: variables of all threads at a node, and names for what acts make of them.
class Step {
 public:
  Step(const Model& model, smt::Solver& solver, const Annotation::Claim& claim) : solver_(solver) {
    solver_.forget();
    for (VariableIndex v = 0; v < model.shared_count(); ++v)
      shared_.push_back(solver.variable("s" + std::to_string(v)));
    for (ThreadIndex t = 0; t < model.threads.size(); ++t) {
      slots_.emplace_back();
      for (std::uint32_t k = 0; k < model.slots; ++k)
        slots_[t].push_back(solver.variable("t" + std::to_string(t) + "." + std::to_string(k)));
    }
    for (ThreadIndex t = 0; t < claim.parts.size(); ++t)
      for (const Constraint& constraint : claim.parts[t]) known_.push_back(holds(t, constraint));
  }

  void perform(ThreadIndex thread, const Act& act) {
    if (const Assign* assign = std::get_if<Assign>(&act)) {
      const smt::Term value = term(thread, assign->form), next = fresh();
      const smt::Formula is_inside = inside(value, assign->range), same = solver_.equal(next, value);
      known_.push_back(inside(next, assign->range));
      if (assign->wraps)
        known_.push_back(solver_.any(std::array{solver_.negation(is_inside), same}));
      else
        known_.push_back(same);
      at(thread, assign->target) = next;
    } else if (const Forget* forget = std::get_if<Forget>(&act)) {
      const smt::Term next = fresh();
      known_.push_back(inside(next, forget->range));
      at(thread, forget->target) = next;
    } else if (const Guard* guard = std::get_if<Guard>(&act)) {
      known_.push_back(guarded(thread, *guard));
    }
  }

  [[nodiscard]] bool is_possible() { return solver_.ask(known_) != smt::Answer::Unsat; }
  /// All of it holds now.
  [[nodiscard]] bool implies(const Annotation::Claim& claim) {
    std::vector<smt::Formula> broken;
    for (ThreadIndex t = 0; t < claim.parts.size(); ++t)
      for (const Constraint& constraint : claim.parts[t]) broken.push_back(solver_.negation(holds(t, constraint)));
    std::vector<smt::Formula> question = known_;
    question.push_back(solver_.any(broken));
    return solver_.ask(question) == smt::Answer::Unsat;
  }
  /// Some byte is accessed by both, as far as their addresses are known.
  void know_overlap(ThreadIndex a, const Visit& first, ThreadIndex b, const Visit& second) {
    if (!first.address || !second.address) return;
    const smt::Term begin_a = term(a, *first.address), begin_b = term(b, *second.address);
    const auto below = [&](smt::Term one, smt::Term other, std::uint64_t bytes) {
      const std::pair<std::int64_t, smt::Term> end[] = {{1, other}};
      know(solver_.negation(solver_.at_most(solver_.sum(end, static_cast<std::int64_t>(bytes)), one)));
    };
    below(begin_a, begin_b, second.bytes);
    below(begin_b, begin_a, first.bytes);
  }
  void know(smt::Formula formula) { known_.push_back(formula); }
  [[nodiscard]] smt::Term& at(ThreadIndex thread, VariableIndex variable) {
    return variable < shared_.size() ? shared_[variable] : slots_[thread][variable - shared_.size()];
  }

 private:
  [[nodiscard]] smt::Term fresh() { return solver_.variable("f" + std::to_string(next_++)); }
  [[nodiscard]] smt::Term term(ThreadIndex thread, const LinearForm& form) {
    std::vector<std::pair<std::int64_t, smt::Term>> terms;
    for (const numeric::LinearTerm& one : form.terms) terms.emplace_back(one.factor, at(thread, one.variable));
    return solver_.sum(terms, form.constant);
  }
  [[nodiscard]] smt::Formula holds(ThreadIndex thread, const Constraint& constraint) {
    return solver_.at_most(term(thread, constraint), solver_.number(0));
  }
  [[nodiscard]] smt::Formula inside(smt::Term value, Interval range) {
    return solver_.all(std::array{solver_.at_most(solver_.number(range.low), value),
                                  solver_.at_most(value, solver_.number(range.high))});
  }
  [[nodiscard]] smt::Formula guarded(ThreadIndex thread, const Guard& guard) {
    smt::Term left = term(thread, guard.left), right = term(thread, guard.right);
    const bool is_unsigned = guard.predicate == Predicate::Ugt || guard.predicate == Predicate::Uge ||
                             guard.predicate == Predicate::Ult || guard.predicate == Predicate::Ule;
    if (is_unsigned) {
      for (const smt::Term side : {left, right}) known_.push_back(inside(side, Interval::of_width(64)));
      left = solver_.without_sign(left);
      right = solver_.without_sign(right);
    }
    switch (guard.predicate) {
      case Predicate::Eq: return solver_.equal(left, right);
      case Predicate::Ne: return solver_.negation(solver_.equal(left, right));
      case Predicate::Slt:
      case Predicate::Ult: return solver_.negation(solver_.at_most(right, left));
      case Predicate::Sle:
      case Predicate::Ule: return solver_.at_most(left, right);
      case Predicate::Sgt:
      case Predicate::Ugt: return solver_.negation(solver_.at_most(left, right));
      case Predicate::Sge:
      case Predicate::Uge: return solver_.at_most(right, left);
      default: throw Rejected{"a guard compares no integers"};
    }
  }

  smt::Solver& solver_;
  std::vector<smt::Term> shared_;
  std::vector<std::vector<smt::Term>> slots_;
  std::vector<smt::Formula> known_;
  std::size_t next_ = 0;
};

class Check : race::ProofChecker {
 public:
  Check(const Model& model, const Annotation& claims, const std::set<PlacePair>& pairs)
      : model_(model), claims_(claims), conflicts_(model, claims, pairs) {
    for (const auto& [a, b] : pairs) {
      pairs_.emplace(a, b);
      pairs_.emplace(b, a);
    }
  }

  /// Throws Rejected.
  void run() {
    if (claims_.dead.size() != model_.threads.size()) throw Rejected{"the claims are of another model"};
    begin();
    for (const auto& [node, claim] : claims_.nodes) {
      if (node.size() != model_.threads.size() || claim.parts.size() != node.size())
        throw Rejected{"a node has another number of threads"};
      apart(node, claim);
      movers(node, claim);
      for (const ThreadIndex thread : claim.movers) steps(node, claim, thread);
    }
  }

  /// Of a pair for which all parts have run. `nodes`: of all their graphs.
  [[nodiscard]] race::Proof proof(const PlacePair& pair, const std::set<std::string>& assumptions, std::size_t nodes) {
    std::map<Place, std::vector<Interval>> ranges = ranges_at_places();
    return accept(race::Proof::Form::Transactions,
                  "no execution brings both places together: " + difference(ranges[pair.first], ranges[pair.second]) +
                      " (" + std::to_string(nodes) + " nodes of the transaction graph, checked by a solver)",
                  assumptions, nodes);
  }

 private:
  /// By place: what the claims say of each shared variable where it is next, whoever comes there.
  [[nodiscard]] std::map<Place, std::vector<Interval>> ranges_at_places() const {
    std::map<Place, std::vector<Interval>> out;
    for (const auto& [node, claim] : claims_.nodes) {
      std::set<Place> next;
      for (ThreadIndex t = 0; t < node.size(); ++t)
        for (const Edge& edge : conflicts_.edges(node, t))
          for (const Act& act : edge.acts)
            if (const Visit* visit = std::get_if<Visit>(&act)) next.insert(visit->place);
      if (next.empty()) continue;
      const std::vector<Interval> here = ranges(claim);
      for (const Place& place : next) {
        std::vector<Interval>& all = out.try_emplace(place, here.size(), Interval::empty()).first->second;
        for (VariableIndex v = 0; v < here.size(); ++v) all[v] = join(all[v], here[v]);
      }
    }
    return out;
  }

  [[nodiscard]] std::vector<Interval> ranges(const Annotation::Claim& claim) const {
    std::vector<Interval> out(model_.shared_count(), Interval::of_width(64));
    for (const std::vector<Constraint>& part : claim.parts)
      for (const Constraint& one : part) {
        if (one.terms.size() != 1 || !model_.is_shared(one.terms[0].variable)) continue;
        Interval& range = out[one.terms[0].variable];
        if (one.terms[0].factor == 1) range.high = std::min(range.high, -one.constant);
        if (one.terms[0].factor == -1) range.low = std::max(range.low, one.constant);
      }
    return out;
  }

  static std::string text(Interval range) {
    if (range.is_constant()) return "is " + std::to_string(range.low);
    const bool has_low = range.low != Interval::of_width(64).low, has_high = range.high != Interval::of_width(64).high;
    return (has_low ? "is at least " + std::to_string(range.low) : "") + (has_low && has_high ? " and " : "") +
           (has_high ? (has_low ? "at most " : "is at most ") + std::to_string(range.high) : "");
  }

  /// A variable that has another value at the one place than at the other, if there is one.
  [[nodiscard]] std::string difference(const std::vector<Interval>& first, const std::vector<Interval>& second) const {
    for (VariableIndex v = 0; v < std::min(first.size(), second.size()); ++v)
      if (!first[v].is_empty() && !second[v].is_empty() && meet(first[v], second[v]).is_empty())
        return "at the first " + model_.shared[v].name + " " + text(first[v]) + ", at the second it " + text(second[v]);
    return "no node has both next";
  }

  void begin() {
    Node first(model_.threads.size());
    first[0].point = Thread::begin;
    const auto claim = claims_.nodes.find(first);
    if (claim == claims_.nodes.end()) throw Rejected{"the beginning is no node"};
    Step step(model_, solver_, {});
    for (VariableIndex v = 0; v < model_.shared_count(); ++v)
      if (const auto initial = model_.shared[v].initial)
        step.know(solver_.equal(step.at(0, v), solver_.number(*initial)));
    if (!step.implies(claim->second)) throw Rejected{"the beginning has not what is claimed"};
  }

  /// The step changes no number, and what is claimed behind it is claimed before it: nothing has to be asked.
  static bool is_carried(const Annotation::Claim& before, const Annotation::Claim& behind, const Edge& edge) {
    const bool is_still = std::ranges::none_of(edge.acts, [](const Act& act) {
      return std::holds_alternative<Assign>(act) || std::holds_alternative<Forget>(act);
    });
    if (!is_still) return false;
    for (ThreadIndex t = 0; t < behind.parts.size(); ++t)
      for (const Constraint& wanted : behind.parts[t])
        if (std::ranges::none_of(before.parts[t], [&](const Constraint& known) {
              return known.terms == wanted.terms && known.constant >= wanted.constant;
            }))
          return false;
    return true;
  }

  /// What each step of the thread may do, and what is claimed behind it.
  void steps(const Node& node, const Annotation::Claim& claim, ThreadIndex thread) {
    const std::vector<Edge>& edges = conflicts_.edges(node, thread);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Passage passage = pass(node, thread, edges[e]);
      if (passage.kind == Passage::Kind::Wrong)
        throw Rejected{"a lock is taken or given back, or a thread started, as the model cannot tell"};
      if (passage.kind == Passage::Kind::Waits) continue;
      const bool is_dead = claims_.dead[thread].contains({node[thread].point, e});
      const auto target = claims_.nodes.find(passage.to);
      const bool is_over = edges[e].to == Thread::exits;
      if (is_over && !is_dead) continue;
      if (!is_dead && target != claims_.nodes.end() && is_carried(claim, target->second, edges[e])) continue;
      Step step(model_, solver_, claim);
      for (const Act& act : edges[e].acts) step.perform(thread, act);
      if (is_dead || target == claims_.nodes.end()) {
        if (step.is_possible()) throw Rejected{is_dead ? "a dead edge can be taken" : "a step leads to no node"};
      } else if (!step.implies(target->second)) {
        throw Rejected{"behind a step does not hold what is claimed"};
      }
    }
  }

  void movers(const Node& node, const Annotation::Claim& claim) {
    std::vector<ThreadIndex> all;
    for (ThreadIndex t = 0; t < node.size(); ++t)
      if (!conflicts_.edges(node, t).empty()) all.push_back(t);
    if (std::ranges::all_of(all,
                            [&](ThreadIndex t) { return std::ranges::find(claim.movers, t) != claim.movers.end(); }))
      return;
    if (claim.movers.size() != 1 || !conflicts_.moves_alone(node, claim.movers.front()))
      throw Rejected{"a thread has to move that does not"};
  }

  void apart(const Node& node, const Annotation::Claim& claim) {
    for (ThreadIndex a = 0; a < node.size(); ++a)
      for (ThreadIndex b = a + 1; b < node.size(); ++b)
        for (const Edge& x : conflicts_.edges(node, a))
          for (const Edge& y : conflicts_.edges(node, b))
            for (const Act& p : x.acts)
              for (const Act& q : y.acts) {
                const Visit *first = std::get_if<Visit>(&p), *second = std::get_if<Visit>(&q);
                if (first == nullptr || second == nullptr || !pairs_.contains({first->place, second->place})) continue;
                Step step(model_, solver_, claim);
                if (&x.acts.front() == &p && &y.acts.front() == &q) step.know_overlap(a, *first, b, *second);
                if (step.is_possible()) throw Rejected{"both places are next at one node"};
              }
  }

  const Model& model_;
  const Annotation& claims_;
  Conflicts conflicts_;
  std::set<PlacePair> pairs_;
  smt::Solver solver_{most_steps};
};

}  // namespace

std::expected<std::map<PlacePair, race::Proof>, std::string> check_transactions(
    std::span<const Part> parts, const std::set<PlacePair>& pairs, const std::set<std::string>& assumptions) {
  if (parts.empty()) return std::unexpected("nothing is claimed");
  try {
    Check first(*parts.front().model, *parts.front().claims, pairs);
    first.run();
    std::size_t nodes = parts.front().claims->nodes.size();
    for (const Part& part : parts.subspan(1)) {
      Check(*part.model, *part.claims, pairs).run();
      nodes += part.claims->nodes.size();
    }
    std::map<PlacePair, race::Proof> out;
    for (const PlacePair& pair : pairs) out.emplace(pair, first.proof(pair, assumptions, nodes));
    return out;
  } catch (const Rejected& rejected) {
    return std::unexpected(rejected.why);
  }
}

}  // namespace heddle::proof::transaction
