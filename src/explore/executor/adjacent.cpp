// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/adjacent.h"

#include <algorithm>

namespace heddle::explore {

Approach approach_of(Executor& executor, ThreadIndex thread) {
  return {executor.next(thread).in_section, executor.next_accesses(thread)};
}

Bytes racing_bytes(Executor& executor, ThreadIndex a, ThreadIndex b) {
  return racing_bytes(approach_of(executor, a), approach_of(executor, b));
}

Bytes racing_bytes(const Approach& a, const Approach& b) {
  for (const NextAccess& x : a.accesses)
    for (const NextAccess& y : b.accesses) {
      const bool both_controlled = (x.is_atomic || a.in_section) && (y.is_atomic || b.in_section);
      if ((!x.is_write && !y.is_write) || both_controlled) continue;
      const std::uint64_t begin = std::max(x.bytes.address, y.bytes.address);
      const std::uint64_t end = std::min(x.bytes.address + x.bytes.size, y.bytes.address + y.bytes.size);
      if (begin < end) return {.address = begin, .size = end - begin};
    }
  return {};
}

}  // namespace heddle::explore
