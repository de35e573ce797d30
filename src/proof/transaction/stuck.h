// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a thread can stand at a point for ever because of its numbers: one that can must not keep others waiting, nor
// may what it did before be put off until it goes on.
//
//   p: [n = 0] n := 1 -> q,  [n != 0] -> r     goes on
//   p: [n = 0] n := 1 -> q                     may be stuck: n is 1, and nobody changes it
#pragma once
#include "proof/transaction/model.h"

namespace heddle::proof::transaction {

/// Some edge can be taken whatever the numbers are, as far as its locks and joins let it. False: it cannot be told.
[[nodiscard]] bool always_goes_on(const Point& point);

}  // namespace heddle::proof::transaction
