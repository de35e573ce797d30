// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/search_node.h"

#include <algorithm>

namespace heddle::explore {
namespace {

/// The racing thread itself where it can go first, even if another choice would do (that is what source sets save).
/// A thread that is enabled but not first in the sequence will not do: it may sleep, and then no path would run the
/// others.
void add_classic(SearchNode& node, const Sequence& sequence, ThreadIndex thread) {
  const auto is_candidate = [&](ThreadIndex t) {
    return node.is_enabled(t) && initial_position(t, sequence) < sequence.size();
  };
  if (!is_candidate(thread)) {
    const auto helper = std::ranges::find_if(node.enabled, is_candidate);
    if (helper == node.enabled.end()) return;
    thread = *helper;
  }
  if (!node.to_be_run(thread)) node.backtrack.push_back(thread);
}

void add_source(SearchNode& node, const Sequence& sequence) {
  std::optional<ThreadIndex> candidate;
  for (const Event* event : sequence) {
    if (initial_position(event->thread, sequence) == sequence.size()) continue;
    if (node.to_be_run(event->thread) || node.sleeps(event->thread)) return;
    if (!candidate && node.is_enabled(event->thread)) candidate = event->thread;
  }
  if (candidate) node.backtrack.push_back(*candidate);
}

}  // namespace

bool SearchNode::is_enabled(ThreadIndex thread) const { return std::ranges::find(enabled, thread) != enabled.end(); }

bool SearchNode::sleeps(ThreadIndex thread) const {
  return std::ranges::any_of(sleep, [&](const Event& e) { return e.thread == thread; });
}

bool SearchNode::to_be_run(ThreadIndex thread) const { return std::ranges::find(backtrack, thread) != backtrack.end(); }

std::size_t SearchNode::others() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(backtrack, [&](ThreadIndex t) { return t != event.thread && !sleeps(t); }));
}

void SearchNode::take(Event made) {
  event = std::move(made);
  if (event.choices < 2) return;
  touched.insert(touched.end(), event.touches.begin(), event.touches.end());
  outcomes.push_back(event.choice);
}

void SearchNode::retire_event(SearchKind kind) {
  if (kind == SearchKind::Optimal) wakeup.branches.erase(wakeup.branches.begin());
  if (!outcomes.empty()) event.touches = std::move(touched);
  sleep.push_back(std::move(event));
  event = no_event();
  touched.clear();
  outcomes.clear();
}

std::optional<std::uint32_t> SearchNode::next_outcome() const {
  if (!has_event() || event.choices < 2) return std::nullopt;
  for (std::uint32_t outcome = 0; outcome < event.choices; ++outcome)
    if (std::ranges::find(outcomes, outcome) == outcomes.end()) return outcome;
  return std::nullopt;
}

Sequence reversal(SearchKind kind, const Trace& trace, std::size_t first, const Event& event, std::size_t at) {
  // Optimal needs all of the path that is independent of `first`; the others only what `event` needs.
  const std::size_t last = kind == SearchKind::Optimal ? trace.size() : at;
  Sequence sequence;
  sequence.reserve(last - first);
  for (std::size_t i = first + 1; i < last; ++i)
    if (!trace.happens_before(first, i)) sequence.push_back(&trace[i]);
  sequence.push_back(&event);
  return sequence;
}

bool is_covered(const SearchNode& node, const Sequence& sequence) {
  const auto leads_there = [&](const Event& sleeper) { return is_weak_initial(sleeper, sequence); };
  return std::ranges::any_of(node.sleep, leads_there) || node.wakeup.covers(sequence);
}

bool add_reversal(SearchKind kind, SearchNode& node, Sequence sequence) {
  const ThreadIndex thread = sequence.back()->thread;
  const std::size_t before = node.backtrack.size();
  switch (kind) {
    case SearchKind::Exhaustive: return false;
    case SearchKind::Classic: add_classic(node, sequence, thread); break;
    case SearchKind::Source: add_source(node, sequence); break;
    case SearchKind::Optimal: node.wakeup.insert(std::move(sequence)); return true;
  }
  return node.backtrack.size() > before;
}

}  // namespace heddle::explore
