// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/wide_ways.h"

#include <algorithm>

namespace heddle::scan {
namespace {

/// Whether the call has so many targets. Rows of one call stand together.
std::vector<bool> find_wide_calls(const FunctionSummary& summary, std::size_t limit) {
  const auto& calls = summary.calls;
  std::vector<bool> out(calls.size());
  for (std::size_t first = 0, end = 0; first < calls.size(); first = end) {
    while (end < calls.size() && calls[end].instruction == calls[first].instruction) ++end;
    if (end - first > limit) std::fill(out.begin() + first, out.begin() + end, true);
  }
  return out;
}

}  // namespace

WideWays::WideWays(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach)
    : is_doubtful_(summaries.size()) {
  std::vector<bool> is_certain(summaries.size());
  std::vector<FunctionId> open;
  const auto come_to = [&](FunctionId function) {
    if (is_certain[function.index()]) return;
    is_certain[function.index()] = true;
    open.push_back(function);
  };
  for (const Root& root : reach.roots) come_to(root.entry);
  for (const FunctionId late : reach.late) come_to(late);
  while (!open.empty()) {
    const FunctionSummary& summary = summaries[open.back().index()];
    open.pop_back();
    const std::vector<bool> is_wide = find_wide_calls(summary, input.limits.wide_call);
    for (std::size_t i = 0; i < summary.calls.size(); ++i)
      if (!is_wide[i]) come_to(summary.calls[i].callee);
  }
  for (std::uint32_t f = 0; f < summaries.size(); ++f) {
    const auto& visits = reach.visits[f];
    const bool is_mains =
        visits[static_cast<std::size_t>(Phase::Boot)].reached || visits[static_cast<std::size_t>(Phase::Main)].reached;
    is_doubtful_[f] = is_mains && !is_certain[f];
  }
}

}  // namespace heddle::scan
