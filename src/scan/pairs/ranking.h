// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of warnings. Reasons give each a place (rank_reasons.h); here those that say the same again move down, so
// that the beginning of the list shows many different things:
//
//   n.x: reset() lacks the lock                      first
//   n.x: reset() lacks it, against another access    far behind: next_pair
//   n.x: clear() lacks it                            behind: next_function
//   n.y: reset() lacks it, a member of the same      behind: next_member, once for each that stands above
//   z:   reset() lacks it, something else            a little behind: next_variable, likewise
#pragma once
#include <cstdint>
#include <span>
#include <variant>

#include "scan/pairs/candidates.h"

namespace heddle::scan {

/// Highest rank first.
bool is_before(const Suspicion& a, const Suspicion& b);
void add_reason(Suspicion& s, std::variant<Doubt, Weight> about, std::int64_t points);
/// Those of one variable, in order: the best pair speaks for the variable, and the best pair of each function that
/// lacks its lock for that function.
void spread_variable(std::span<Suspicion> of_one_variable);
/// All, in order. A function that does without a lock does so for all it touches: its best warning speaks for the
/// others.
void spread_functions(std::span<Suspicion> all);

}  // namespace heddle::scan
