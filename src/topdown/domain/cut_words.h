// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "topdown/domain/universe.h"

namespace heddle::topdown {

/// A store to `part` changes some bytes of `whole` and leaves others: an address there is another one then, somewhere
/// in the same object. What may go to any of its bytes (memcpy, memset, a loop) is taken to replace all of them.
[[nodiscard]] inline bool is_cut_by(const Cell& whole, const Cell& part) {
  if (Universe::fit(whole, part)) return false;
  const bool is_dense = part.stride <= part.size;
  return !is_dense || part.offset > whole.offset || part.end() < whole.end();
}

}  // namespace heddle::topdown
