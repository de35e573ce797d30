// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/thread_instances.h"

#include <algorithm>

#include "api/action.h"
#include "scan/reach/late_calls.h"

namespace heddle::scan {
namespace {

/// Whether some call ends the thread it is made in: what runs then, no summary tells.
bool has_thread_end(const ScanInput& input) {
  for (std::uint32_t f = 0; f < input.program.functions.size(); ++f)
    if (may_run_late(input, FunctionId(f), LateCall::When::ThreadEnd)) return true;
  return false;
}

/// Whether a thread may return while one that it started runs.
bool leaves_running(const FunctionSummary& thread, FunctionId started) {
  if (thread.missing != FunctionSummary::Missing::None) return true;
  const ThreadState& end = thread.thread_states[thread.exit_threads];
  return end.others || end.detached || std::ranges::any_of(end.running, [&](std::uint32_t t) {
           const SymbolicValue& entry = thread.started[t].entry;
           return !entry.is_code() || entry.code == started;
         });
}

void settle(const std::vector<FunctionSummary>& summaries, const std::set<StartByThread>& starts, bool threads_may_exit,
            Reach& reach) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const StartByThread& start : starts) {
      Root& started = reach.roots[start.root];
      for (const std::uint32_t by : reach.root_sets[reach.visit(start.function, start.phase).roots]) {
        const Root& creator = reach.roots[by];
        const bool outlives = creator.is_repeated &&
                              (threads_may_exit || leaves_running(summaries[creator.entry.index()], started.entry));
        const bool is_multiple = creator.is_multiple || outlives;
        changed |= (is_multiple && !started.is_multiple) || (creator.is_repeated && !started.is_repeated);
        started.is_multiple |= is_multiple;
        started.is_repeated |= creator.is_repeated;
        started.outlives_owner |= outlives;
      }
    }
  }
}

/// Whether some thread may be ended by another, wherever it is.
bool has_cancellation(const ScanInput& input) {
  return std::ranges::any_of(input.models, [](const api::Model* model) {
    return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
             const auto what = api::get<api::DoUnsupported>(effect);
             return what && what->what.contains("cancellation");
           });
  });
}

/// Threads that live within those of their only creator, which waits for them before it ends.
void settle_ends(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach) {
  if (has_cancellation(input)) return;
  const bool threads_may_exit = has_thread_end(input);
  for (Root& root : reach.roots) {
    root.ends_with_owner = root.owner < reach.roots.size() && &reach.roots[root.owner] != &root &&
                           !leaves_running(summaries[reach.roots[root.owner].entry.index()], root.entry);
    root.outlives_exit = root.ends_with_owner && threads_may_exit;
    reach.has_exits |= root.outlives_exit;
  }
}

}  // namespace

void settle_instances(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                      const std::set<StartByThread>& starts, Reach& reach) {
  if (starts.empty()) return;
  settle(summaries, starts, false, reach);
  settle_ends(input, summaries, reach);
  if (!has_thread_end(input)) return;
  const std::vector<Root> before = reach.roots;
  settle(summaries, starts, true, reach);
  for (std::size_t i = 0; i < before.size(); ++i) {
    Root& root = reach.roots[i];
    root.multiple_by_exit = root.is_multiple && !before[i].is_multiple;
    root.outlives_by_exit = root.outlives_owner && !before[i].outlives_owner;
    reach.has_exits |= root.multiple_by_exit || root.outlives_by_exit;
  }
}

}  // namespace heddle::scan
