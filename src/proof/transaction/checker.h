// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker of proofs by transactions. A judge claims where the threads of a model can be, what holds there, and who
// has to move; the checker asks a solver whether that is so, and shares no code with the judge:
//
//   1. The beginning is among the nodes, and its values have what is claimed there.
//   2. From each node, each step of a mover leads to a node, or nowhere, and what is claimed there holds behind it.
//   3. Who does not have to move: if only one thread moves, it is not at a place where its loops are cut, all its steps
//      are possible as far as locks and joins go, and none conflicts with anything that another thread can come to
//      without passing a lock that this one holds.
//   4. An edge that is called dead is taken from no node.
//   5. No node has both places of the pair next.
//
// By 1 and 2 every execution that the movers allow stays within the claims, by 3 every other one is one of these in
// another order, as far as the pair goes: its two accesses conflict. An execution that takes a dead edge first would be
// one in which none is taken before, so it is within the claims, and 4 says no: which is why conflicts count the steps
// of dead edges, and not what is behind them.
//
// What it does not look at is whether every execution of the program is one of some part's model (docs/judges.md says
// what that rests on), and that integers of the model stay in their widths is part of what acts mean.
#pragma once
#include <expected>
#include <map>
#include <span>
#include <string>

#include "proof/transaction/annotation.h"
#include "race/proof.h"

namespace heddle::proof::transaction {

/// What is claimed of one model.
struct Part {
  const Model* model = nullptr;
  const Annotation* claims = nullptr;
};

/// Of each of these pairs, if each execution is one of some part's model. The error says what does not follow.
std::expected<std::map<PlacePair, race::Proof>, std::string> check_transactions(
    std::span<const Part> parts, const std::set<PlacePair>& pairs, const std::set<std::string>& assumptions);

}  // namespace heddle::proof::transaction
