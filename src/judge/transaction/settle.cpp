// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/settle.h"

#include "judge/transaction/trial.h"
#include "numeric/box.h"
#include "numeric/octagon.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::size_t most_rounds = 4;     // of one domain
constexpr std::size_t trial_steps = 2000;  // the price of a hundred with relations

template <numeric::RelationalDomain D>
Annotation annotated(const Model& model, const Product& product, const Invariants<D>& invariants, Product::Dead dead) {
  Annotation out;
  out.dead = std::move(dead);
  for (const auto& [node, tuple] : invariants.nodes()) {
    Annotation::Claim& claim = out.nodes[node];
    claim.movers = product.movers(node);
    for (ThreadIndex t = 0; t < tuple.size(); ++t)
      claim.parts.push_back(constraints(tuple[t], spoken_of(model, node[t], t)));
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
    if (pairs.size() == 1 && meets_in_trial(model, Product(model, pairs), trial_steps)) return out;
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
