// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/thread_state.h"

#include <algorithm>
#include <iterator>

namespace heddle::scan {

ThreadState either(const ThreadState& a, const ThreadState& b) {
  ThreadState out{.spawned = a.spawned || b.spawned,
                  .others = a.others || b.others,
                  .detached = a.detached || b.detached,
                  .joined_others = a.joined_others && b.joined_others,
                  .running = {},
                  .joined = {}};
  std::ranges::set_union(a.running, b.running, std::back_inserter(out.running));
  std::ranges::set_intersection(a.joined, b.joined, std::back_inserter(out.joined));
  return out;
}

ThreadState in_order(const ThreadState& before, const std::vector<std::uint32_t>& still_running,
                     const ThreadState& then) {
  ThreadState out{.spawned = before.spawned || then.spawned,
                  .others = (before.others && !then.joined_others) || then.others,
                  .detached = before.detached || then.detached,
                  .joined_others = before.joined_others || then.joined_others,
                  .running = {},
                  .joined = {}};
  std::ranges::set_union(still_running, then.running, std::back_inserter(out.running));
  std::ranges::set_union(before.joined, then.joined, std::back_inserter(out.joined));
  return out;
}

}  // namespace heddle::scan
