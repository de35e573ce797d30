// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses behind a group of a summary. Callers hold groups of their callees by reference (function_summary.h), so
// the accesses themselves are found by going down:
//
//   main: group of c->state ── handle(c): group of c->state ── set(c): line 7 writes c->state
#pragma once
#include <cstdint>
#include <vector>

#include "base/number_set.h"
#include "scan/summary/function_summary.h"

namespace heddle::scan {

class GroupLeaves {
 public:
  explicit GroupLeaves(const std::vector<FunctionSummary>& summaries) : summaries_(summaries) {}

  /// Calls `found(function, own, offset)` for each, with the offset from the group's node.
  template <class Found>
  void each(FunctionId function, std::uint32_t group, Found found) {
    seen_.clear();
    left_ = most;
    is_cut_ = false;
    descend(function, summaries_[function.index()].groups[group], 0, found, 0);
  }

  /// Whether the last answer was not complete.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  static constexpr std::size_t most = 20000;
  static constexpr int deepest = 200;

  template <class Found>
  void descend(FunctionId function, const AccessGroup& group, std::int32_t offset, Found& found, int depth) {
    const FunctionSummary& summary = summaries_[function.index()];
    for (std::uint32_t i = group.first_own; i < group.first_own + group.own_count; ++i) {
      if (left_ == 0) {
        is_cut_ = true;
        return;
      }
      --left_;
      found(function, i, offset + summary.own[i].offset);
    }
    if (depth == deepest || left_ == 0) {
      is_cut_ |= group.inherited_count != 0;
      return;
    }
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      const AccessGroup* theirs = summaries_[row.callee.index()].find_group(row.group);
      const std::uint64_t name = row.group ^ static_cast<std::uint64_t>(row.callee.index()) << 32 ^
                                 static_cast<std::uint32_t>(offset + row.offset);
      if (theirs != nullptr && seen_.insert(name)) descend(row.callee, *theirs, offset + row.offset, found, depth + 1);
    }
  }

  const std::vector<FunctionSummary>& summaries_;
  NumberSet seen_;
  std::size_t left_ = 0;
  bool is_cut_ = false;
};

}  // namespace heddle::scan
