// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/settle.h"

#include "numeric/box.h"
#include "numeric/octagon.h"

namespace heddle::judge::transaction {

std::optional<LinearForm> combined(const LinearForm& left, const LinearForm& right, std::int64_t by,
                                   std::int64_t constant) {
  LinearForm out = left;
  for (const numeric::LinearTerm& term : right.terms) {
    const numeric::Wide product = numeric::Wide{term.factor} * by;
    if (product != static_cast<std::int64_t>(product) || !out.add(term.variable, static_cast<std::int64_t>(product)))
      return std::nullopt;
  }
  const numeric::Wide sum = numeric::Wide{left.constant} + numeric::Wide{right.constant} * by + constant;
  if (sum != static_cast<std::int64_t>(sum)) return std::nullopt;
  out.constant = static_cast<std::int64_t>(sum);
  return out;
}

namespace {

constexpr std::size_t most_rounds = 4;  // of one domain

/// What the part says of these variables.
template <numeric::RelationalDomain D>
std::vector<Constraint> constraints(const D& part, const std::vector<VariableIndex>& variables) {
  std::vector<Constraint> out;
  // form + constant <= 0
  const auto add = [&](LinearForm form, numeric::Wide constant) {
    if (constant != static_cast<std::int64_t>(constant)) return;
    form.constant = static_cast<std::int64_t>(constant);
    out.push_back(std::move(form));
  };
  for (const VariableIndex v : variables) {
    const Interval range = part.interval_of(v);
    if (range.high != numeric::no_high) add(LinearForm::variable(v, 1), -numeric::Wide{range.high});
    if (range.low != numeric::no_low) add(LinearForm::variable(v, -1), range.low);
  }
  if constexpr (std::same_as<D, numeric::Octagon>) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (const std::int64_t sign : {-1, 1}) {
          LinearForm form = LinearForm::variable(variables[i]);
          (void)form.add(variables[j], sign);
          const Interval range = part.interval_of(form);
          const Interval alone = numeric::range_of_form(form, [&](VariableIndex v) { return part.interval_of(v); });
          if (range.high < alone.high) add(form, -numeric::Wide{range.high});
          if (range.low > alone.low && form.negate()) add(form, range.low);
        }
  }
  return out;
}

template <numeric::RelationalDomain D>
Annotation annotated(const Model& model, const Product& product, const Invariants<D>& invariants, Product::Dead dead) {
  Annotation out;
  out.dead = std::move(dead);
  for (const auto& [node, tuple] : invariants.nodes()) {
    Annotation::Claim& claim = out.nodes[node];
    claim.movers = product.movers(node);
    for (ThreadIndex t = 0; t < tuple.size(); ++t) {
      std::vector<VariableIndex> variables;
      for (VariableIndex v = 0; v < model.shared_count(); ++v) variables.push_back(v);
      if (const PointIndex at = node[t].point; at != LocalState::not_started) {
        const std::vector<VariableIndex>& live = model.threads[t].points[at].live;
        variables.insert(variables.end(), live.begin(), live.end());
      }
      claim.parts.push_back(constraints(tuple[t], variables));
    }
  }
  return out;
}

/// In this domain, for the pairs that are left, from what is known to be dead.
template <numeric::RelationalDomain D>
void refine(const Model& model, const std::vector<PlacePair>& pairs, std::set<PlacePair>& left, Product::Dead& dead,
            Effort& effort, Settled& out) {
  for (std::size_t round = 1; round <= most_rounds; ++round) {
    Product product(model, pairs);
    product.leave_out(dead);
    Invariants<D> invariants(model, product, effort);
    invariants.find();
    ++out.rounds;
    out.nodes = invariants.nodes().size();
    const Product::Dead now = invariants.dead();
    if (now != dead && round != most_rounds) {
      dead = now;
      continue;
    }
    Claims claims;
    const std::set<PlacePair> met = invariants.met();
    for (const PlacePair& pair : std::set<PlacePair>(left))
      if (!met.contains(pair)) {
        claims.apart.insert(pair);
        left.erase(pair);
      }
    if (claims.apart.empty()) return;
    claims.annotation = annotated(model, product, invariants, dead);
    out.claims.push_back(std::move(claims));
    return;
  }
}

}  // namespace

Settled settle(const Model& model, const std::vector<PlacePair>& pairs, Effort& effort) {
  Settled out;
  Product::Dead dead(model.threads.size());
  std::set<PlacePair> left(pairs.begin(), pairs.end());
  try {
    refine<numeric::Box>(model, pairs, left, dead, effort, out);
    if (left.empty()) return out;
    if (model.variables() > numeric::Octagon::most_variables / 2) {
      out.why_not_more = "too many variables for relations between them";
      return out;
    }
    refine<numeric::Octagon>(model, pairs, left, dead, effort, out);
  } catch (const EffortUsedUp&) {
    out.why_not_more = "the transaction graph is too large";
  } catch (const Outside& outside) {
    out.claims.clear();
    out.why_not_more = outside.why;
  }
  return out;
}

}  // namespace heddle::judge::transaction
