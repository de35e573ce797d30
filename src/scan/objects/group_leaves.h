// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses behind a group of a summary. Callers hold groups of their callees by reference (function_summary.h), so
// the accesses themselves are found by going down:
//
//   main: group of c->state ── handle(c): group of c->state ── set(c): line 7 writes c->state
#pragma once
#include <cstdint>
#include <vector>

#include "base/hash_slots.h"
#include "base/number_set.h"
#include "scan/summary/function_summary.h"

namespace heddle::scan {

class GroupLeaves {
 public:
  explicit GroupLeaves(const std::vector<FunctionSummary>& summaries) : summaries_(summaries) {}

  /// Calls `found(function, own, offset)` for each, with the offset from the group's node. It tells whether it would
  /// learn nothing from that access when it comes again under the same `circumstances` (0: they differ from access to
  /// access); groups that only have such ones are gone down to once.
  template <class Found>
  void each(FunctionId function, std::uint32_t group, std::uint64_t circumstances, Found found) {
    seen_.clear();
    left_ = most;
    is_cut_ = false;
    circumstances_ = circumstances;
    descend(function, summaries_[function.index()].groups[group], 0, found, 0);
  }

  /// A group of a callee, seen from a group at an offset: each is gone down to once.
  [[nodiscard]] static std::uint64_t name_of(const InheritedAccesses& row, std::int32_t offset) {
    return row.group ^ static_cast<std::uint64_t>(row.callee.index()) << 32 ^
           static_cast<std::uint32_t>(offset + row.offset);
  }
  /// Whether the last answer was not complete.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  static constexpr std::size_t most = 20000;
  static constexpr int deepest = 200;

  /// Whether all below it is settled, see each().
  template <class Found>
  bool descend(FunctionId function, const AccessGroup& group, std::int32_t offset, Found& found, int depth) {
    const FunctionSummary& summary = summaries_[function.index()];
    bool is_settled = true;
    for (std::uint32_t i = group.first_own; i < group.first_own + group.own_count; ++i) {
      if (left_ == 0) {
        is_cut_ = true;
        return false;
      }
      --left_;
      is_settled &= found(function, i, offset + summary.own[i].offset);
    }
    if (depth == deepest || left_ == 0) {
      is_cut_ |= group.inherited_count != 0;
      return is_settled && group.inherited_count == 0;
    }
    for (std::uint32_t i = group.first_inherited; i < group.first_inherited + group.inherited_count; ++i) {
      const InheritedAccesses& row = summary.inherited[i];
      const std::uint64_t name = name_of(row, offset);
      const std::uint64_t settled = mixed(name, circumstances_);
      if (circumstances_ != 0 && settled_.contains(settled)) continue;
      if (!seen_.insert(name)) {
        is_settled = false;  // another way to it, or round to ourselves: it is not known yet
        continue;
      }
      const AccessGroup* theirs = summaries_[row.callee.index()].find_group(row.group);
      if (theirs == nullptr) continue;
      const bool is_done = descend(row.callee, *theirs, offset + row.offset, found, depth + 1);
      if (is_done && circumstances_ != 0) settled_.insert(settled);
      is_settled &= is_done;
    }
    return is_settled;
  }

  const std::vector<FunctionSummary>& summaries_;
  NumberSet seen_;
  NumberSet settled_;  ///< groups under circumstances
  std::uint64_t circumstances_ = 0;
  std::size_t left_ = 0;
  bool is_cut_ = false;
};

}  // namespace heddle::scan
