// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/outside_contexts.h"

namespace heddle::scan {

OutsideContexts::OutsideContexts(const std::vector<threads::OutsideEntry>& entries, const Assumptions& assumptions)
    : is_believed_(assumptions.described_system) {
  using enum api::EntryContext;
  for (const threads::OutsideEntry& entry : entries) {
    Ways& ways = ways_[entry.function];
    ways.all_once &= entry.context == Init || entry.context == Exit;
    ways.all_by_item &= entry.context == Work || entry.context == Timer;
  }
}

bool OutsideContexts::runs_once(FunctionId function) const {
  const auto at = ways_.find(function);
  return is_believed_ && at != ways_.end() && at->second.all_once;
}

bool OutsideContexts::owns_argument(FunctionId function) const {
  const auto at = ways_.find(function);
  return at != ways_.end() && at->second.all_by_item;
}

}  // namespace heddle::scan
