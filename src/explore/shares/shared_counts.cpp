// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/shared_counts.h"

#include <map>

namespace heddle::explore {

SharedCounts shared_counts(const Executor& executor) {
  struct Use {
    ThreadIndex first = no_thread;
    bool is_shared = false;
    std::uint64_t accesses = 0;
  };
  std::map<std::pair<std::uint64_t, std::uint32_t>, Use> memory;
  std::set<std::uint64_t> locks;
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i)) {
      if (deed.kind == DeedKind::Acquire && deed.is_lock) locks.insert(deed.address);
      if (deed.kind != DeedKind::Read && deed.kind != DeedKind::Write && !is_atomic(deed.kind)) continue;
      Use& use = memory[{deed.address, deed.size}];
      if (use.first == no_thread) use.first = deed.thread;
      use.is_shared = use.is_shared || use.first != deed.thread;
      ++use.accesses;
    }
  SharedCounts counts;
  counts.threads = executor.thread_count();
  counts.locks = locks.size();
  for (const auto& [place, use] : memory) {
    if (!use.is_shared) continue;
    ++counts.variables;
    counts.accesses += use.accesses;
  }
  return counts;
}

}  // namespace heddle::explore
