// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One state on the search stack: what may still be run from it, and what need not be.
#pragma once
#include <optional>
#include <vector>

#include "explore/search/search.h"
#include "explore/search/wakeup_tree.h"

namespace heddle::explore {

inline Event no_event() {
  Event event;
  event.thread = no_thread;
  return event;
}

struct SearchNode {
  std::vector<ThreadIndex> enabled;
  std::vector<Event> sleep;             ///< run from here or from an ancestor already, and nothing woke them since
  std::vector<ThreadIndex> backtrack;   ///< to be run; Exhaustive, Classic, Source
  WakeupTree wakeup;                    ///< to be run; Optimal; the front branch is the current one
  Event event = no_event();             ///< what was run last from here; of no thread: it is done with
  std::vector<TouchedObject> touched;   ///< by all outcomes of that event's choice, if it has several
  std::vector<std::uint32_t> outcomes;  ///< of that choice, already run
  std::uint32_t preemptions = 0;        ///< on the way to here
  std::uint32_t inherited = 0;          ///< so many sleepers come from the ancestors
  bool is_loud = false;                 ///< its subspace was looked at and may have a race (prune/pruned_search.h)

  [[nodiscard]] bool is_enabled(ThreadIndex thread) const;
  [[nodiscard]] bool sleeps(ThreadIndex thread) const;
  [[nodiscard]] bool to_be_run(ThreadIndex thread) const;
  [[nodiscard]] bool has_event() const { return event.thread != no_thread; }
  /// So many threads besides the current event's are asked for; not for Optimal.
  [[nodiscard]] std::size_t others() const;
  /// This event was run from here.
  void take(Event made);
  /// The current event is done with: it sleeps from now on.
  void retire_event(SearchKind kind);
  /// The next outcome of the current event's choice that was not run yet.
  [[nodiscard]] std::optional<std::uint32_t> next_outcome() const;
};

/// What another execution runs in front of event `first` to reverse its race with `event`, run or waiting as number
/// `at`.
Sequence reversal(SearchKind kind, const Trace& trace, std::size_t first, const Event& event, std::size_t at);

/// Optimal: another path from the node already leads there.
bool is_covered(const SearchNode& node, const Sequence& sequence);

/// Asks for it at the node in front of that event, unless that is already sure to happen. True: it was not.
bool add_reversal(SearchKind kind, SearchNode& node, Sequence sequence);

}  // namespace heddle::explore
