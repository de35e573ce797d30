// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "topdown/domain/universe.h"

namespace heddle::topdown {

/// A store to `part` may change some bytes of `whole` and leave others: an address there is another one then, somewhere
/// in the same object. Places that lie closer than they are wide stand for a write to any of them, also to one alone.
[[nodiscard]] inline bool is_cut_by(const Cell& whole, const Cell& part) {
  if (Universe::fit(whole, part)) return false;
  return part.stride != 0 || part.offset > whole.offset || part.end() < whole.end();
}

}  // namespace heddle::topdown
