// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/path_search.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

PathSearch::PathSearch(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share)
    : course_(course),
      kind_(kind),
      limits_(limits),
      stack_(std::move(share.path)),
      visit_(visit),
      is_begun_(share.is_begun),
      first_(share.first),
      kept_(share.kept) {}

void PathSearch::run() {
  course_.restart();
  if (is_begun_ && !begin()) return;
  while (!counts_.diverged) {
    const bool maximal = extend();
    if (maximal) {
      ++counts_.executions;
      if (visit_ && !visit_(trace_)) return;
    }
    if (!look_at_end(maximal)) return;
    if (!go_back()) {
      counts_.complete = !counts_.diverged;
      return;
    }
    if (is_at_limit()) return;
    take_next();
  }
}

/// A share that somebody worked on before. False: nothing is left of it, or it cannot be reached.
bool PathSearch::begin() {
  counts_.diverged = !go_there();
  if (counts_.diverged) return false;
  counts_.complete = !go_back();
  if (counts_.complete) return false;
  take_next();
  return true;
}

/// To where the share was left. False: the executor did not do again what it had done.
bool PathSearch::go_there() {
  for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
    if (!course_.repeat(stack_[i].event)) return false;
    ++counts_.events;
    ++agreed_;
    trace_.append(stack_[i].event);
  }
  return true;
}

bool PathSearch::is_at_limit() {
  return counts_.executions >= limits_.executions || counts_.events >= limits_.events ||
         limits_.stop.is_asked("looking at all runs", counts_.events, limits_.events);
}

/// Runs on to the end of the path. False if only sleeping threads could go on.
bool PathSearch::extend() {
  while (!course_.stopped()) {
    std::vector<ThreadIndex> enabled = course_.enabled();
    if (enabled.empty()) break;
    SearchNode node;
    node.enabled = std::move(enabled);
    set_up(node);
    stack_.push_back(std::move(node));
    if (!run_next()) {
      stack_.pop_back();
      ++counts_.sleep_blocked;
      return false;
    }
  }
  return true;
}

void PathSearch::run_event(ThreadIndex thread, std::uint32_t choice) {
  ++counts_.events;
  ++agreed_;
  SearchNode& node = stack_.back();
  node.take(course_.step(thread, choice));
  HEDDLE_CHECK(node.event.thread == thread, "the executor ran another thread");
  trace_.append(node.event);
}

/// To the deepest state with something left to run. False: there is none.
bool PathSearch::go_back() {
  while (stack_.size() > first_) {
    const std::size_t depth = stack_.size() - 1;
    trace_.truncate(depth);
    if (is_open(depth)) {
      SearchNode& node = stack_.back();
      if (node.has_event() && !node.next_outcome()) node.retire_event(kind_);
      if (node.has_event() || has_next(node)) return true;
    }
    if (stack_.size() <= kept_) return false;
    stack_.pop_back();
  }
  return false;
}

void PathSearch::take_next() {
  rerun(stack_.size() - 1);
  if (counts_.diverged) return;
  fresh_ = trace_.size();
  if (const std::optional<std::uint32_t> outcome = stack_.back().next_outcome())
    run_outcome(*outcome);
  else
    run_next();
}

void PathSearch::rerun(std::size_t length) {
  course_.rewind(std::min(agreed_, length));
  for (std::size_t i = agreed_; i < length && !counts_.diverged; ++i) {
    counts_.diverged = !course_.repeat(stack_[i].event);
    ++counts_.events;
  }
  agreed_ = length;
}

void PathSearch::wish(std::size_t depth, ThreadIndex thread) {
  if (depth < first_) wishes_.push_back({depth, thread});
}

ShareReport PathSearch::report() {
  return {{std::move(stack_), first_, kept_, true}, std::move(wishes_), std::nullopt};
}

}  // namespace heddle::explore
