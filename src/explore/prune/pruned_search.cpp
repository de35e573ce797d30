// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/prune/pruned_search.h"

#include <algorithm>
#include <map>

#include "explore/prune/subspace.h"
#include "explore/search/path_search.h"

namespace heddle::explore {
namespace {

constexpr std::size_t none = ~std::size_t{0};

/// A race between an event of the path and a later one, or one that waits at its end.
struct Reversal {
  std::size_t first = 0;
  std::size_t at = 0;
  const Event* event = nullptr;
};

/// The later event happens only behind this one.
bool is_needed(const Trace& trace, std::size_t i, const Reversal& reversal) {
  if (trace.happens_before(reversal.first, i)) return false;
  if (reversal.at < trace.size()) return trace.happens_before(i, reversal.at);
  for (std::size_t j = i; j < trace.size(); ++j) {
    const auto& spawned = trace[j].spawned;
    const bool leads_there = trace[j].thread == reversal.event->thread ||
                             std::ranges::find(spawned, reversal.event->thread) != spawned.end() ||
                             (!trace.happens_before(reversal.first, j) && dependent(trace[j], *reversal.event));
    if (leads_there && (i == j || trace.happens_before(i, j))) return true;
  }
  return false;
}

/// The thread itself where it can go first, else one that goes first among the events that it needs.
void ask_for(SearchNode& node, const Trace& trace, const Reversal& reversal) {
  Sequence needed;
  for (std::size_t i = reversal.first + 1; i < reversal.at; ++i)
    if (is_needed(trace, i, reversal)) needed.push_back(&trace[i]);
  needed.push_back(reversal.event);
  const auto is_candidate = [&](ThreadIndex t) {
    return node.is_enabled(t) && initial_position(t, needed) < needed.size();
  };
  ThreadIndex thread = reversal.event->thread;
  if (!is_candidate(thread)) {
    const auto helper = std::ranges::find_if(node.enabled, is_candidate);
    if (helper == node.enabled.end()) return;
    thread = *helper;
  }
  if (!node.to_be_run(thread)) node.backtrack.push_back(thread);
}

class PrunedSearch final : private PathSearch {
 public:
  PrunedSearch(Course& course, Executor& executor, const PruneOptions& options, const SearchLimits& limits,
               const Visitor& visit, Share share)
      : PathSearch(course, SearchKind::Classic, limits, visit, std::move(share)),
        executor_(executor),
        options_(options) {}

  PruneStatistics run() {
    PathSearch::run();
    statistics_.search = counts();
    return statistics_;
  }

  ShareReport report() {
    ShareReport told = PathSearch::report();
    told.quiet = told_quiet_;
    return told;
  }

 private:
  void set_up(SearchNode& node) override {
    if (!stack_.empty())
      for (const Event& sleeper : stack_.back().sleep)
        if (sleeper.thread != stack_.back().event.thread && !dependent(sleeper, stack_.back().event))
          node.sleep.push_back(sleeper);
    node.inherited = static_cast<std::uint32_t>(node.sleep.size());
    const auto awake = std::ranges::find_if(node.enabled, [&](ThreadIndex t) { return !node.sleeps(t); });
    if (awake != node.enabled.end()) node.backtrack.push_back(*awake);
  }

  bool run_next() override {
    const std::optional<ThreadIndex> wanted = next_wanted(stack_.back());
    if (wanted) run_event(*wanted, 0);
    return wanted.has_value();
  }

  void run_outcome(std::uint32_t outcome) override { run_event(stack_.back().event.thread, outcome); }

  bool has_next(SearchNode& node) override { return next_wanted(node).has_value(); }

  [[nodiscard]] bool is_open(std::size_t depth) const override { return depth < quiet_; }

  [[nodiscard]] static std::optional<ThreadIndex> next_wanted(const SearchNode& node) {
    for (const ThreadIndex thread : node.backtrack)
      if (!node.sleeps(thread)) return thread;
    return std::nullopt;
  }

  // --- at the end of a path

  bool look_at_end(bool maximal) override {
    const std::vector<Event> blocked = course_.blocked();
    std::vector<Reversal> wanted;
    for (std::size_t i = fresh_; i < trace_.size(); ++i)
      for (const std::size_t first : trace_.races(i)) wanted.push_back({first, i, &trace_[i]});
    for (const Event& waiting : blocked)
      for (const std::size_t first : trace_.races_with(waiting)) wanted.push_back({first, trace_.size(), &waiting});
    quiet_ = none;
    if (options_.prune && maximal && blocked.empty()) find_quiet(wanted);
    for (const Reversal& reversal : wanted) {
      if (reversal.first >= quiet_)
        ++statistics_.skipped;
      else
        ask_at(reversal.first, [&](SearchNode& node) { ask_for(node, trace_, reversal); });
    }
    if (quiet_ >= kept()) return true;
    told_quiet_ = quiet_;
    return false;
  }

  /// What is asked for at a node of another share is told to that one.
  template <class Ask>
  void ask_at(std::size_t depth, const Ask& ask) {
    SearchNode& node = stack_[depth];
    const std::size_t before = node.backtrack.size();
    ask(node);
    for (std::size_t i = before; i < node.backtrack.size(); ++i) wish(depth, node.backtrack[i]);
  }

  /// The shallowest quiet node that something is asked for at, and what its threads may do asks for in turn.
  void find_quiet(const std::vector<Reversal>& wanted) {
    std::vector<std::size_t> points;
    for (const Reversal& reversal : wanted) points.push_back(reversal.first);
    for (std::size_t i = 0; i < stack_.size(); ++i)
      if (stack_[i].event.choices > 1 || next_other(stack_[i])) points.push_back(i);
    std::ranges::sort(points);
    points.erase(std::ranges::unique(points).begin(), points.end());
    std::erase_if(points, [&](std::size_t i) { return stack_[i].is_loud; });
    if (points.empty()) return;
    story_.emplace(executor_, trace_);
    if (!story_->is_whole()) return;
    subspaces_.clear();
    if (!is_quiet(points.back())) return;
    std::size_t low = 0, high = points.size() - 1;  // points[high] is quiet
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (is_quiet(points[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    quiet_ = points[high];
    while (look_back()) {
    }
  }

  /// A thread that was asked for and has not been run.
  [[nodiscard]] static bool next_other(const SearchNode& node) {
    return std::ranges::any_of(node.backtrack,
                               [&](ThreadIndex t) { return t != node.event.thread && !node.sleeps(t); });
  }

  bool is_quiet(std::size_t depth) {
    if (stack_[depth].is_loud) return false;
    const auto known = subspaces_.find(depth);
    if (known != subspaces_.end()) return known->second.is_race_free();
    ++statistics_.checks;
    const Subspace& found =
        subspaces_.try_emplace(depth, *story_, *executor_.sides(), depth, options_.at_accesses).first->second;
    if (found.is_race_free())
      ++statistics_.yes;
    else
      stack_[depth].is_loud = true;
    return found.is_race_free();
  }

  /// True: a shallower node is quiet, too.
  bool look_back() {
    const Subspace& rest = subspaces_.at(quiet_);
    for (std::size_t i = quiet_; i-- > 0;) {
      for (const ThreadIndex thread : askers(i, rest)) {
        if (is_asked_for(i, thread)) continue;
        if (is_quiet(i)) {
          quiet_ = i;
          return true;
        }
        ++statistics_.looks;
        ask_at(i, [&](SearchNode& node) { ask_for_may(node, thread); });
      }
    }
    return false;
  }

  /// Threads with something to do behind the quiet node that could have come before event `i`.
  [[nodiscard]] std::vector<ThreadIndex> askers(std::size_t i, const Subspace& rest) const {
    std::vector<ThreadIndex> found;
    const ThreadIndex own = trace_[i].thread;
    const auto add = [&](ThreadIndex thread, const std::vector<ThreadIndex>& joined) {
      if (thread == own || std::ranges::find(found, thread) != found.end()) return false;
      return std::ranges::find(joined, own) == joined.end() && !is_before(i, thread);
    };
    for (std::size_t j = quiet_; j < trace_.size(); ++j)
      if (add(trace_[j].thread, rest.joined_before(j)) && dependent(trace_[i], trace_[j]) &&
          !never_enabled_together(trace_[i], trace_[j]))
        found.push_back(trace_[j].thread);
    for (const MayOperation& may : rest.operations())
      if (add(may.thread, may.joined) && may_depend(i, may)) found.push_back(may.thread);
    return found;
  }

  /// Event `i` happens before all that the thread does behind the quiet node.
  [[nodiscard]] bool is_before(std::size_t i, ThreadIndex thread) const {
    for (ThreadIndex at = thread; at != no_thread; at = story_->birth_of(at).creator) {
      for (std::size_t j = quiet_; j-- > i;) {
        const auto& spawned = trace_[j].spawned;
        if (trace_[j].thread == at || std::ranges::find(spawned, at) != spawned.end())
          return j == i || trace_.happens_before(i, j);
      }
      if (story_->birth_of(at).step < quiet_) return false;
    }
    return false;
  }

  [[nodiscard]] bool may_depend(std::size_t i, const MayOperation& may) const {
    bool in_section = false;
    for (const Deed& deed : executor_.deeds_of(i)) {
      if (deed.kind == DeedKind::SectionBegin) in_section = true;
      if (deed.kind == DeedKind::SectionEnd) in_section = false;
      // What waits for a lock can come before it was taken, never between that and its release.
      const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
      if (gives && deed.is_lock && may.takes) continue;
      const bool is_object = is_object_operation(deed);
      const bool is_memory = is_atomic(deed.kind) || deed.kind == DeedKind::Read || deed.kind == DeedKind::Write ||
                             deed.kind == DeedKind::Free;
      const bool is_visible = is_object || (is_memory && (is_atomic(deed.kind) || in_section || options_.at_accesses));
      if (!is_visible || is_object != may.is_object || (!is_object && only_reads(deed.kind) && !may.is_write)) continue;
      const Bytes bytes{deed.address, std::max<std::uint64_t>(deed.size, 1)};
      if (deed.key == no_access) return true;
      if (is_kept_by_system(deed) && may_overlap({any_region, bytes}, may.variable)) return true;
      for (const Region region : executor_.sides()->regions_of(deed.key))
        if (may_overlap({region, bytes}, may.variable)) return true;
    }
    return false;
  }

  [[nodiscard]] static bool can_be_asked_for(const SearchNode& node, ThreadIndex thread) {
    return node.is_enabled(thread) && !node.sleeps(thread);
  }

  /// It was run from this node already: then it sleeps here, but not because of an ancestor.
  [[nodiscard]] bool was_run(std::size_t depth, ThreadIndex thread) const {
    const std::vector<Event>& sleep = stack_[depth].sleep;
    return std::any_of(sleep.begin() + static_cast<std::ptrdiff_t>(stack_[depth].inherited), sleep.end(),
                       [&](const Event& event) { return event.thread == thread; });
  }

  [[nodiscard]] bool is_asked_for(std::size_t depth, ThreadIndex thread) const {
    const SearchNode& node = stack_[depth];
    if (can_be_asked_for(node, thread)) return node.to_be_run(thread);
    return was_run(depth, thread) ||
           std::ranges::all_of(node.enabled, [&](ThreadIndex t) { return node.to_be_run(t) || node.sleeps(t); });
  }

  static void ask_for_may(SearchNode& node, ThreadIndex thread) {
    if (can_be_asked_for(node, thread)) return node.backtrack.push_back(thread);
    for (const ThreadIndex t : node.enabled)
      if (!node.to_be_run(t)) node.backtrack.push_back(t);
  }

  Executor& executor_;
  const PruneOptions& options_;
  PruneStatistics statistics_;
  std::optional<std::size_t> told_quiet_;
  std::size_t quiet_ = none;  ///< from this depth on nothing else is run
  std::optional<Story> story_;
  std::map<std::size_t, Subspace> subspaces_;  ///< of the execution that has just ended
};

}  // namespace

PruneStatistics pruned_search(Course& course, Executor& executor, const PruneOptions& options,
                              const SearchLimits& limits, const Visitor& visit) {
  return PrunedSearch(course, executor, options, limits, visit, {}).run();
}

PruneStatistics pruned_search(Course& course, Executor& executor, const PruneOptions& options,
                              const SearchLimits& limits, const Visitor& visit, Share share, ShareReport& report) {
  PrunedSearch one(course, executor, options, limits, visit, std::move(share));
  const PruneStatistics statistics = one.run();
  report = one.report();
  return statistics;
}

PruneStatistics pruned_search(Executor& executor, const PruneOptions& options, const SearchLimits& limits,
                              const Visitor& visit) {
  Course course(executor);
  return pruned_search(course, executor, options, limits, visit);
}

}  // namespace heddle::explore
