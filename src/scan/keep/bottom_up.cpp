// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/keep/bottom_up.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <system_error>
#include <thread>

#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

/// A component, or one member of a large one.
struct Task {
  static constexpr std::uint32_t whole = ~0U;
  std::uint64_t way_up = 0;  ///< instructions that cannot be looked at before it is done: longest first
  std::uint32_t component = 0;
  std::uint32_t member = whole;  ///< by place in the component
  static bool goes_after(const Task& a, const Task& b) {
    return std::tuple(a.way_up, b.component, b.member) < std::tuple(b.way_up, a.component, a.member);
  }
};

/// A large component that several workers summarise. One worker takes the members in order, each with what those before
/// it have by now; so of two of which one calls the other, the first goes first here too, and the summaries are the
/// same.
struct OpenComponent {
  std::vector<std::vector<std::uint32_t>> behind;  ///< by place: whose turn comes after it
  std::vector<std::uint32_t> before, waiting;      ///< by place: how many have theirs first, and still have
  std::size_t left = 0;                            ///< in this round
  int round = 0;
  bool changed = false;
  ContentHash key;  ///< in the store
  std::vector<MemberQuestion> asked;
};

class Scheduler {
 public:
  Scheduler(const ScanInput& input, const BottomUpOptions& options)
      : in_(input), options_(options), summaries_(input.program.functions.size()) {
    const auto& components = in_.targets.components();
    waiting_.assign(components.size(), 0);
    callers_.resize(components.size());
    std::vector<std::uint32_t> below;
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      below.clear();
      for (const FunctionId f : components[c])
        for (const FunctionId callee : in_.targets.callees(f))
          if (in_.targets.component_of(callee) != c) below.push_back(in_.targets.component_of(callee));
      std::ranges::sort(below);
      const auto rest = std::ranges::unique(below);
      below.erase(rest.begin(), rest.end());
      waiting_[c] = static_cast<std::uint32_t>(below.size());
      for (const std::uint32_t b : below) callers_[b].push_back(c);
    }
    way_up_.assign(components.size(), 0);
    for (std::size_t c = components.size(); c-- > 0;) {
      for (const std::uint32_t caller : callers_[c]) way_up_[c] = std::max(way_up_[c], way_up_[caller]);
      for (const FunctionId f : components[c])
        way_up_[c] +=
            in_.program.functions[f].instructions.size() * static_cast<std::uint64_t>(rounds_of(components[c]));
      if (waiting_[c] == 0) push({way_up_[c], static_cast<std::uint32_t>(c)});
    }
  }

  std::vector<FunctionSummary> run() {
    if (options_.jobs <= 1) {
      work();
    } else {
      std::vector<std::jthread> workers;
      start(workers);
      if (workers.empty()) work();
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(summaries_);
  }

 private:
  using Members = std::vector<FunctionId>;
  static constexpr int most_rounds = 10;  ///< of a recursive component that is not large

  struct Worker {
    Worker(const ScanInput& input, const std::vector<FunctionSummary>& summaries, SummaryStore* kept)
        : summariser(input, summaries) {
      if (kept != nullptr) store.emplace(*kept, summariser.keys());
    }
    Summariser summariser;
    std::optional<SummaryStore::Worker> store;
  };

  /// As many as the system lets us have.
  void start(std::vector<std::jthread>& workers) {
    workers.reserve(options_.jobs);
    try {
      for (unsigned i = 0; i < options_.jobs; ++i) workers.emplace_back([this] { work_safely(); });
    } catch (const std::system_error&) {
      return;
    }
  }

  void work_safely() {
    try {
      work();
    } catch (...) {  // no memory to begin with
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      wake_.notify_all();
    }
  }

  void work() {
    Worker worker(in_, summaries_, options_.store);
    std::vector<Task> mine;
    std::vector<std::uint32_t> finished;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return !ready_.empty() || done_ == waiting_.size() || failure_ || stopped(); });
      if (ready_.empty() || failure_ || stopped()) {
        wake_.notify_all();
        return;
      }
      take_some(mine);
      lock.unlock();
      try {
        finished.clear();
        for (const Task& task : mine)
          if (perform(worker, task)) finished.push_back(task.component);
      } catch (...) {
        lock.lock();
        failure_ = std::current_exception();
        wake_.notify_all();
        return;
      }
      lock.lock();
      for (const std::uint32_t component : finished) finish(component);
      wake_.notify_all();
    }
  }

  void push(const Task& task) {
    ready_.push_back(task);
    if (options_.shuffle == 0) std::ranges::push_heap(ready_, Task::goes_after);
  }

  /// Several at once: most components are one small function, and the lock is shared.
  void take_some(std::vector<Task>& mine) {
    constexpr std::size_t batch = 32;
    mine.clear();
    if (options_.shuffle != 0) std::ranges::shuffle(ready_, random_);
    for (std::size_t left = std::clamp<std::size_t>(ready_.size() / std::max(1U, options_.jobs), 1, batch); left > 0;
         --left) {
      if (options_.shuffle == 0) std::ranges::pop_heap(ready_, Task::goes_after);
      mine.push_back(ready_.back());
      ready_.pop_back();
    }
  }

  void finish(std::uint32_t component) {
    ++done_;
    for (const std::uint32_t caller : callers_[component])
      if (--waiting_[caller] == 0) push({way_up_[caller], caller});
    if (options_.progress) options_.progress(done_, waiting_.size());
  }

  [[nodiscard]] const Members& members_of(std::uint32_t component) const { return in_.targets.components()[component]; }
  [[nodiscard]] bool is_large(const Members& members) const { return members.size() > in_.limits.component; }
  [[nodiscard]] int rounds_of(const Members& members) const {
    if (is_large(members)) return 2;
    const bool is_recursive =
        members.size() > 1 || std::ranges::binary_search(in_.targets.callees(members[0]), members[0]);
    return is_recursive ? 3 : 1;
  }

  /// Whether all of the component is done.
  bool perform(Worker& worker, const Task& task) {
    const Members& members = members_of(task.component);
    if (task.member != Task::whole) return perform_member(worker, task);
    if (!in_.program.functions[members[0]].has_body()) return true;
    ContentHash key;
    if (worker.store && worker.store->load(task.component, summaries_, key)) return true;
    if (options_.jobs > 1 && is_large(members)) {
      open(task.component, key);
      return false;
    }
    if (worker.store) worker.summariser.keys().listen();
    bool changed = run_rounds(worker, members, is_large(members) ? rounds_of(members) : most_rounds);
    if (changed && members.size() > 1 && !is_large(members)) {
      // It does not come to rest: calls backward hand on nothing then, and what they do counts where it is.
      worker.summariser.set_backward_opaque(true);
      changed = run_rounds(worker, members, rounds_of(members));
      worker.summariser.set_backward_opaque(false);
    }
    if (worker.store) worker.store->keep(task.component, key, summaries_, worker.summariser.keys().stop_listening());
    return true;
  }

  /// Whether the last round still changed something.
  bool run_rounds(Worker& worker, const Members& members, int most) {
    bool changed = true;
    for (int round = 0; changed && round < most; ++round) {
      changed = false;
      for (const FunctionId f : members) changed |= summarise(worker, f);
      if (rounds_of(members) == 1) return false;
    }
    return changed;
  }

  /// Whether callers may see something new.
  bool summarise(Worker& worker, FunctionId f) {
    if (!in_.program.functions[f].has_body()) return false;
    FunctionSummary next = worker.summariser.run(f);
    FunctionSummary& row = summaries_[f.index()];
    const bool changed = row.missing != next.missing || row.dependent != next.dependent ||
                         row.nodes.size() != next.nodes.size() || row.locksets != next.locksets ||
                         row.exit != next.exit || row.exit_thrown != next.exit_thrown ||
                         row.histories != next.histories || row.interrupted != next.interrupted ||
                         row.may_interrupt_any != next.may_interrupt_any || row.uses_locks != next.uses_locks ||
                         row.exit_histories != next.exit_histories || row.may_spawn != next.may_spawn ||
                         row.returns != next.returns || row.exit_threads != next.exit_threads ||
                         row.thread_states != next.thread_states || row.escaping != next.escaping ||
                         row.escaping_below != next.escaping_below || row.overwriting != next.overwriting ||
                         !std::ranges::equal(row.groups, next.groups, {}, &AccessGroup::name, &AccessGroup::name);
    row = std::move(next);
    return changed;
  }

  void open(std::uint32_t component, const ContentHash& key) {
    const Members& members = members_of(component);
    std::map<FunctionId, std::uint32_t> places;
    for (std::uint32_t i = 0; i < members.size(); ++i) places[members[i]] = i;
    OpenComponent out;
    out.behind.resize(members.size());
    out.before.assign(members.size(), 0);
    out.key = key;
    for (std::uint32_t i = 0; i < members.size(); ++i)
      for (const FunctionId callee : in_.targets.callees(members[i]))
        if (const auto at = places.find(callee); at != places.end() && at->second != i)
          out.behind[std::min(i, at->second)].push_back(std::max(i, at->second));
    for (std::vector<std::uint32_t>& behind : out.behind) {
      std::ranges::sort(behind);
      const auto rest = std::ranges::unique(behind);
      behind.erase(rest.begin(), rest.end());
      for (const std::uint32_t b : behind) ++out.before[b];
    }
    const std::scoped_lock lock(mutex_);
    begin_round(component, open_[component] = std::move(out));
  }

  void begin_round(std::uint32_t component, OpenComponent& open) {
    open.waiting = open.before;
    open.left = open.before.size();
    open.changed = false;
    for (std::uint32_t i = 0; i < open.before.size(); ++i)
      if (open.before[i] == 0) push({way_up_[component], component, i});
  }

  bool perform_member(Worker& worker, const Task& task) {
    if (worker.store) worker.summariser.keys().listen();
    const bool changed = summarise(worker, members_of(task.component)[task.member]);
    std::vector<MemberQuestion> asked;
    if (worker.store) asked = worker.summariser.keys().stop_listening();
    std::unique_lock lock(mutex_);
    OpenComponent& open = open_[task.component];
    open.changed |= changed;
    open.asked.insert(open.asked.end(), asked.begin(), asked.end());
    for (const std::uint32_t next : open.behind[task.member])
      if (--open.waiting[next] == 0) push({way_up_[task.component], task.component, next});
    wake_.notify_all();
    if (--open.left > 0) return false;
    if (open.changed && ++open.round < rounds_of(members_of(task.component))) {
      begin_round(task.component, open);
      return false;
    }
    OpenComponent done = std::move(open);
    open_.erase(task.component);
    lock.unlock();
    if (!worker.store) return true;
    std::ranges::sort(done.asked);
    const auto rest = std::ranges::unique(done.asked);
    done.asked.erase(rest.begin(), rest.end());
    worker.store->keep(task.component, done.key, summaries_, done.asked);
    return true;
  }

  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->is_asked(); }

  const ScanInput& in_;
  const BottomUpOptions& options_;
  std::vector<FunctionSummary> summaries_;
  std::vector<std::uint32_t> waiting_;  ///< by component: for how many others
  std::vector<std::vector<std::uint32_t>> callers_;
  std::vector<std::uint64_t> way_up_;
  std::vector<Task> ready_;  ///< a heap
  std::map<std::uint32_t, OpenComponent> open_;
  std::size_t done_ = 0;
  std::exception_ptr failure_;
  std::mt19937_64 random_{options_.shuffle};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace

std::vector<FunctionSummary> summarise_all(const ScanInput& input, const BottomUpOptions& options) {
  return Scheduler(input, options).run();
}

}  // namespace heddle::scan
