// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trial: a few executions of a model with numbers, before anybody looks for invariants that cannot be there.
//
//   x := ?; [x != 0]; at a          x = 0: not there; x = 1: there
//
// What may be any number is one of a few: those that guards compare with, 0 and 1. So nothing follows from a pair that
// does not meet; of one that does, no invariant over this graph says otherwise.
#pragma once
#include <cstddef>

#include "judge/transaction/product.h"

namespace heddle::judge::transaction {

/// The pair meets in one of the first so many steps. Throws Outside.
[[nodiscard]] bool meets_in_trial(const Model& model, const Product& product, std::size_t most_steps);

}  // namespace heddle::judge::transaction
