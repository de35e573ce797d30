// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/search.h"

#include <algorithm>

#include "base/check.h"
#include "explore/search/share.h"

namespace heddle::explore {
namespace {

class Search {
 public:
  Search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share)
      : course_(course),
        kind_(kind),
        limits_(limits),
        visit_(visit),
        is_begun_(share.is_begun),
        stack_(std::move(share.path)),
        first_(share.first),
        kept_(share.kept) {}

  SearchStatistics run() {
    course_.restart();
    if (is_begun_) {
      statistics_.diverged = !go_there();
      statistics_.complete = !statistics_.diverged && !go_back();
      if (statistics_.diverged || statistics_.complete) return statistics_;
      take_next();
    }
    while (true) {
      const bool maximal = extend();
      if (maximal) {
        ++statistics_.executions;
        if (visit_ && !visit_(trace_)) return statistics_;
      }
      reverse_races();
      if (!go_back()) break;
      if (statistics_.executions >= limits_.executions || statistics_.events >= limits_.events) return statistics_;
      if (limits_.stop.is_asked("looking at all runs", statistics_.events, limits_.events)) return statistics_;
      take_next();
    }
    statistics_.complete = true;
    return statistics_;
  }

  ShareReport report() && { return {{std::move(stack_), first_, kept_, true}, std::move(wishes_), std::nullopt}; }

 private:
  /// Runs on to the end of the path. False if only sleeping threads could go on.
  bool extend() {
    while (!course_.stopped()) {
      std::vector<ThreadIndex> enabled = course_.enabled();
      if (enabled.empty()) break;
      push(std::move(enabled));
      if (!run_next()) {
        stack_.pop_back();
        ++statistics_.sleep_blocked;
        return false;
      }
    }
    return true;
  }

  void push(std::vector<ThreadIndex> enabled) {
    SearchNode node;
    node.enabled = std::move(enabled);
    if (!stack_.empty()) inherit(node, stack_.back());
    if (kind_ == SearchKind::Exhaustive) {
      node.backtrack = within_bound(node);
    } else if (kind_ != SearchKind::Optimal || node.wakeup.empty()) {
      const auto awake = std::ranges::find_if(node.enabled, [&](ThreadIndex t) { return !node.sleeps(t); });
      if (awake != node.enabled.end()) start_with(node, *awake);
    }
    stack_.push_back(std::move(node));
  }

  void inherit(SearchNode& node, SearchNode& parent) const {
    for (const Event& sleeper : parent.sleep)
      if (kind_ != SearchKind::Exhaustive && sleeper.thread != parent.event.thread && !dependent(sleeper, parent.event))
        node.sleep.push_back(sleeper);
    if (kind_ == SearchKind::Optimal && !parent.wakeup.empty() &&
        parent.wakeup.branches.front().event.choice == parent.event.choice)
      node.wakeup = std::move(parent.wakeup.branches.front().rest);
    node.preemptions = parent.preemptions + (is_preemption(parent) ? 1U : 0U);
  }

  void start_with(SearchNode& node, ThreadIndex thread) const {
    if (kind_ != SearchKind::Optimal) {
      node.backtrack.push_back(thread);
      return;
    }
    Event first;
    first.thread = thread;
    node.wakeup.branches.push_back({std::move(first), {}});
  }

  [[nodiscard]] bool is_preemption(const SearchNode& node) const {
    const std::size_t depth = static_cast<std::size_t>(&node - stack_.data());
    if (depth == 0) return false;
    const ThreadIndex before = stack_[depth - 1].event.thread;
    return before != node.event.thread && node.is_enabled(before);
  }

  /// The running thread first, so that the first execution has no preemption.
  [[nodiscard]] std::vector<ThreadIndex> within_bound(const SearchNode& node) {
    if (stack_.empty()) return node.enabled;
    const ThreadIndex running = stack_.back().event.thread;
    if (!node.is_enabled(running)) return node.enabled;
    std::vector<ThreadIndex> order{running};
    if (limits_.preemption_bound && node.preemptions >= *limits_.preemption_bound) {
      statistics_.left_out += node.enabled.size() - 1;
      return order;
    }
    for (const ThreadIndex thread : node.enabled)
      if (thread != running) order.push_back(thread);
    return order;
  }

  /// Runs the next thread the top node asks for; false if there is none left.
  bool run_next() {
    SearchNode& node = stack_.back();
    while (true) {
      const std::optional<Event> wanted = next_wanted(node);
      if (!wanted) return false;
      if (node.is_enabled(wanted->thread)) {
        run_event(node, wanted->thread, wanted->choice);
        return true;
      }
      ++statistics_.refused;
      if (kind_ == SearchKind::Optimal) node.wakeup.branches.erase(node.wakeup.branches.begin());
    }
  }

  [[nodiscard]] std::optional<Event> next_wanted(const SearchNode& node) const {
    if (kind_ == SearchKind::Optimal) {
      if (node.wakeup.empty()) return std::nullopt;
      return node.wakeup.branches.front().event;
    }
    for (const ThreadIndex thread : node.backtrack) {
      if (node.sleeps(thread)) continue;
      Event event;
      event.thread = thread;
      return event;
    }
    return std::nullopt;
  }

  void run_event(SearchNode& node, ThreadIndex thread, std::uint32_t choice) {
    ++statistics_.events;
    ++agreed_;
    node.take(course_.step(thread, choice == any_outcome ? 0 : choice));
    HEDDLE_CHECK(node.event.thread == thread, "the executor ran another thread");
    trace_.append(node.event);
    if (kind_ == SearchKind::Optimal) node.wakeup.branches.front().event = node.event;
  }

  void reverse_races() {
    if (kind_ == SearchKind::Exhaustive) return;
    // Optimal looks at the whole path again: the sequence that a reversal must run depends on how the path ended.
    const std::size_t from = kind_ == SearchKind::Optimal ? 0 : fresh_;
    const std::vector<Event> blocked = course_.blocked();
    for (std::size_t i = from; i < trace_.size(); ++i) reverse(trace_[i], i, trace_.races(i));
    for (const Event& waiting : blocked) reverse(waiting, trace_.size(), trace_.races_with(waiting));
  }

  void reverse(const Event& event, std::size_t at, const std::vector<std::size_t>& races) {
    for (const std::size_t first : races) {
      Sequence sequence = reversal(kind_, trace_, first, event, at);
      // In a wakeup tree a sequence that cannot run would stand for others that can.
      const bool may_wait = event.conditional || at == trace_.size() || may_have_to_wait(trace_[first], event);
      if (kind_ == SearchKind::Optimal &&
          (is_covered(stack_[first], sequence) || (may_wait && !can_run(first, sequence))))
        continue;
      if (add_reversal(kind_, stack_[first], std::move(sequence)) && first < first_)
        wishes_.push_back({first, stack_[first].backtrack.back()});
    }
  }

  /// Tries it. The executor's state is lost.
  bool can_run(std::size_t first, const Sequence& sequence) {
    rerun(first);
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const std::vector<ThreadIndex> enabled = course_.enabled();
      if (course_.stopped() || std::ranges::find(enabled, sequence[i]->thread) == enabled.end()) {
        ++statistics_.refused;
        return false;
      }
      if (i + 1 == sequence.size()) break;
      course_.step(sequence[i]->thread, sequence[i]->choice);
      ++statistics_.events;
    }
    return true;
  }

  /// To where the share was left. False: the executor did not do again what it had done.
  bool go_there() {
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      if (!course_.repeat(stack_[i].event)) return false;
      ++statistics_.events;
      ++agreed_;
      trace_.append(stack_[i].event);
    }
    return true;
  }

  /// To the deepest state with something left to run. False: there is none.
  bool go_back() {
    while (stack_.size() > first_) {
      trace_.truncate(stack_.size() - 1);
      SearchNode& node = stack_.back();
      if (node.has_event() && !node.next_outcome()) node.retire_event(kind_);
      if (node.has_event() || next_runnable(node)) return true;
      if (stack_.size() <= kept_) return false;
      stack_.pop_back();
    }
    return false;
  }

  void take_next() {
    SearchNode& node = stack_.back();
    rerun(stack_.size() - 1);
    fresh_ = trace_.size();
    const std::optional<std::uint32_t> outcome = node.next_outcome();
    if (!outcome) {
      run_next();
      return;
    }
    if (kind_ == SearchKind::Optimal) node.wakeup.turn_to(node.event.thread, *outcome);
    run_event(node, node.event.thread, *outcome);
  }

  bool next_runnable(SearchNode& node) {
    while (const std::optional<Event> wanted = next_wanted(node)) {
      if (node.is_enabled(wanted->thread)) return true;
      ++statistics_.refused;
      if (kind_ != SearchKind::Optimal) return false;
      node.wakeup.branches.erase(node.wakeup.branches.begin());
    }
    return false;
  }

  /// The executor goes to the state behind the first `length` events of the path.
  void rerun(std::size_t length) {
    course_.rewind(std::min(agreed_, length));
    for (std::size_t i = agreed_; i < length; ++i) {
      course_.repeat(stack_[i].event);
      ++statistics_.events;
    }
    agreed_ = length;
  }

  Course& course_;
  SearchKind kind_;
  const SearchLimits& limits_;
  const Visitor& visit_;
  SearchStatistics statistics_;
  Trace trace_;
  bool is_begun_;
  std::vector<SearchNode> stack_;
  std::size_t first_, kept_;  ///< as in Share
  std::vector<Wish> wishes_;
  std::size_t fresh_ = 0;   ///< first event that no earlier execution had
  std::size_t agreed_ = 0;  ///< so many events of the path the executor has run, before it went elsewhere
};

}  // namespace

SearchStatistics search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit) {
  return Search(course, kind, limits, visit, {}).run();
}

SearchStatistics search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share,
                        ShareReport& report) {
  HEDDLE_CHECK(kind != SearchKind::Optimal, "wakeup trees cannot be shared");
  Search one(course, kind, limits, visit, std::move(share));
  const SearchStatistics statistics = one.run();
  report = std::move(one).report();
  return statistics;
}

SearchStatistics search(Executor& executor, SearchKind kind, const SearchLimits& limits, const Visitor& visit) {
  Course course(executor);
  return search(course, kind, limits, visit);
}

}  // namespace heddle::explore
