// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pairs of places no execution of a model brings together (TACAS09 §5, Algorithm 2): invariants over the graph in
// a cheap domain, then without the edges that turned out dead, which makes a smaller graph and stronger invariants,
// until nothing changes; then in a dearer domain, for the pairs that are left.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "judge/transaction/invariants.h"
#include "judge/transaction/product.h"

namespace heddle::judge::transaction {

/// What was found in one domain, for the checker.
struct Claims {
  Annotation annotation;
  std::set<PlacePair> apart;  ///< as they were asked for; of no other claims
};

struct Settled {
  std::vector<Claims> claims;
  std::string why_not_more;  ///< empty: everything was looked at
};

[[nodiscard]] Settled settle(const Model& model, const std::vector<PlacePair>& pairs, Effort& effort);

}  // namespace heddle::judge::transaction
