// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/bottom_up.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

namespace heddle::scan {
namespace {

constexpr int most_rounds = 3;

class Scheduler {
 public:
  Scheduler(const ScanInput& input, const BottomUpOptions& options)
      : in_(input), options_(options), summaries_(input.program.functions.size()) {
    const auto& components = in_.targets.components();
    waiting_.assign(components.size(), 0);
    callers_.resize(components.size());
    for (std::uint32_t c = 0; c < components.size(); ++c) {
      std::vector<std::uint32_t> below;
      for (const FunctionId f : components[c])
        for (const FunctionId callee : in_.targets.callees(f))
          if (in_.targets.component_of(callee) != c) below.push_back(in_.targets.component_of(callee));
      std::ranges::sort(below);
      const auto rest = std::ranges::unique(below);
      below.erase(rest.begin(), rest.end());
      waiting_[c] = static_cast<std::uint32_t>(below.size());
      for (const std::uint32_t b : below) callers_[b].push_back(c);
      if (below.empty()) ready_.push_back(c);
    }
  }

  std::vector<FunctionSummary> run() {
    if (options_.jobs <= 1) {
      work();
    } else {
      std::vector<std::jthread> workers;
      for (unsigned i = 0; i < options_.jobs; ++i) workers.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(summaries_);
  }

 private:
  void work() {
    Summariser summariser(in_, summaries_);
    std::optional<SummaryStore::Worker> store;
    if (options_.store != nullptr) store.emplace(*options_.store, summariser.keys());
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return !ready_.empty() || done_ == waiting_.size() || failure_ || stopped(); });
      if (ready_.empty() || failure_ || stopped()) {
        wake_.notify_all();
        return;
      }
      // Several at once: most components are one small function, and the lock is shared.
      constexpr std::size_t batch = 32;
      std::vector<std::uint32_t> mine;
      const std::size_t share = std::max<std::size_t>(1, std::min(batch, ready_.size() / std::max(1U, options_.jobs)));
      if (options_.shuffle != 0) std::ranges::shuffle(ready_, random_);
      mine.assign(ready_.end() - static_cast<std::ptrdiff_t>(share), ready_.end());
      ready_.resize(ready_.size() - share);
      lock.unlock();
      try {
        for (const std::uint32_t c : mine) summarise(summariser, store ? &*store : nullptr, c);
      } catch (...) {
        lock.lock();
        failure_ = std::current_exception();
        wake_.notify_all();
        return;
      }
      lock.lock();
      for (const std::uint32_t c : mine) finish(c);
      wake_.notify_all();
    }
  }

  void finish(std::uint32_t component) {
    ++done_;
    for (const std::uint32_t caller : callers_[component])
      if (--waiting_[caller] == 0) ready_.push_back(caller);
    if (options_.progress) options_.progress(done_, waiting_.size());
  }

  void summarise(Summariser& summariser, SummaryStore::Worker* store, std::uint32_t component) {
    if (!in_.program.functions[in_.targets.components()[component][0]].has_body()) return;
    if (store == nullptr) return summarise(summariser, component);
    if (store->load(component, summaries_)) return;
    summariser.keys().listen();
    summarise(summariser, component);
    store->keep(component, summaries_, summariser.keys().stop_listening());
  }

  void summarise(Summariser& summariser, std::uint32_t component) {
    const auto& members = in_.targets.components()[component];
    const bool is_recursive =
        members.size() > 1 || std::ranges::binary_search(in_.targets.callees(members[0]), members[0]);
    for (int round = 0; round < (is_recursive ? most_rounds : 1); ++round) {
      bool changed = false;
      for (const FunctionId f : members) {
        if (!in_.program.functions[f].has_body()) continue;
        FunctionSummary next = summariser.run(f);
        FunctionSummary& row = summaries_[f.index()];
        changed |= row.missing != next.missing || row.dependent != next.dependent ||
                   row.nodes.size() != next.nodes.size() || row.locksets != next.locksets || row.exit != next.exit ||
                   row.may_spawn != next.may_spawn || row.returns != next.returns ||
                   row.exit_threads != next.exit_threads || row.thread_states != next.thread_states ||
                   row.escaping != next.escaping;
        row = std::move(next);
      }
      if (!changed) break;
    }
  }

  [[nodiscard]] bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  const ScanInput& in_;
  const BottomUpOptions& options_;
  std::vector<FunctionSummary> summaries_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::vector<std::uint32_t>> callers_;
  std::vector<std::uint32_t> ready_;
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
