// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/search.h"

#include <algorithm>

#include "base/check.h"
#include "explore/search/path_search.h"

namespace heddle::explore {
namespace {

class Search final : private PathSearch {
 public:
  Search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share)
      : PathSearch(course, kind, limits, visit, std::move(share)) {}

  SearchStatistics run() {
    PathSearch::run();
    return counts();
  }
  using PathSearch::report;

 private:
  void set_up(SearchNode& node) override {
    if (!stack_.empty()) inherit(node, stack_.back());
    if (kind_ == SearchKind::Exhaustive) {
      node.backtrack = within_bound(node);
    } else if (kind_ != SearchKind::Optimal || node.wakeup.empty()) {
      const auto awake = std::ranges::find_if(node.enabled, [&](ThreadIndex t) { return !node.sleeps(t); });
      if (awake != node.enabled.end()) start_with(node, *awake);
    }
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
      counts().left_out += node.enabled.size() - 1;
      return order;
    }
    for (const ThreadIndex thread : node.enabled)
      if (thread != running) order.push_back(thread);
    return order;
  }

  bool run_next() override {
    SearchNode& node = stack_.back();
    while (true) {
      const std::optional<Event> wanted = next_wanted(node);
      if (!wanted) return false;
      if (node.is_enabled(wanted->thread)) {
        run(wanted->thread, wanted->choice == any_outcome ? 0 : wanted->choice);
        return true;
      }
      ++counts().refused;
      if (kind_ == SearchKind::Optimal) node.wakeup.branches.erase(node.wakeup.branches.begin());
    }
  }

  void run_outcome(std::uint32_t outcome) override {
    SearchNode& node = stack_.back();
    if (kind_ == SearchKind::Optimal) node.wakeup.turn_to(node.event.thread, outcome);
    run(node.event.thread, outcome);
  }

  void run(ThreadIndex thread, std::uint32_t choice) {
    run_event(thread, choice);
    SearchNode& node = stack_.back();
    if (kind_ == SearchKind::Optimal) node.wakeup.branches.front().event = node.event;
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

  bool has_next(SearchNode& node) override {
    while (const std::optional<Event> wanted = next_wanted(node)) {
      if (node.is_enabled(wanted->thread)) return true;
      ++counts().refused;
      if (kind_ != SearchKind::Optimal) return false;
      node.wakeup.branches.erase(node.wakeup.branches.begin());
    }
    return false;
  }

  [[nodiscard]] bool is_open(std::size_t) const override { return true; }

  /// Reverses its races.
  bool look_at_end(bool) override {
    if (kind_ == SearchKind::Exhaustive) return true;
    // Optimal looks at the whole path again: the sequence that a reversal must run depends on how the path ended.
    const std::size_t from = kind_ == SearchKind::Optimal ? 0 : fresh_;
    const std::vector<Event> blocked = course_.blocked();
    for (std::size_t i = from; i < trace_.size(); ++i) reverse(trace_[i], i, trace_.races(i));
    for (const Event& waiting : blocked) reverse(waiting, trace_.size(), trace_.races_with(waiting));
    return true;
  }

  void reverse(const Event& event, std::size_t at, const std::vector<std::size_t>& races) {
    for (const std::size_t first : races) {
      Sequence sequence = reversal(kind_, trace_, first, event, at);
      // In a wakeup tree a sequence that cannot run would stand for others that can.
      const bool may_wait = event.conditional || at == trace_.size() || may_have_to_wait(trace_[first], event);
      if (kind_ == SearchKind::Optimal &&
          (is_covered(stack_[first], sequence) || (may_wait && !can_run(first, sequence))))
        continue;
      if (add_reversal(kind_, stack_[first], std::move(sequence)) && kind_ != SearchKind::Optimal)
        wish(first, stack_[first].backtrack.back());
    }
  }

  /// Tries it. The executor's state is lost.
  bool can_run(std::size_t first, const Sequence& sequence) {
    rerun(first);
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      const std::vector<ThreadIndex> enabled = course_.enabled();
      if (course_.stopped() || std::ranges::find(enabled, sequence[i]->thread) == enabled.end()) {
        ++counts().refused;
        return false;
      }
      if (i + 1 == sequence.size()) break;
      course_.step(sequence[i]->thread, sequence[i]->choice);
      ++counts().events;
    }
    return true;
  }
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
  report = one.report();
  return statistics;
}

SearchStatistics search(Executor& executor, SearchKind kind, const SearchLimits& limits, const Visitor& visit) {
  Course course(executor);
  return search(course, kind, limits, visit);
}

}  // namespace heddle::explore
