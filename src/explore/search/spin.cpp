// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/spin.h"

#include <algorithm>

namespace heddle::explore {
namespace {

/// The first deed of a kind that is no lock's.
std::optional<std::uint64_t> semaphore_of(std::span<const Deed> deeds, DeedKind kind) {
  for (const Deed& deed : deeds)
    if (deed.kind == kind && !deed.is_lock) return deed.address;
  return std::nullopt;
}

}  // namespace

void SpinWatch::skip(ThreadIndex thread) {
  if (last_.size() <= thread) last_.resize(thread + 1, none);
  steps_.push_back({.thread = thread, .previous = last_[thread], .state = {}, .held = {}, .semaphores = {}});
  last_[thread] = steps_.size() - 1;
}

void SpinWatch::rewind(std::size_t steps) {
  while (steps_.size() > steps) {
    last_[steps_.back().thread] = steps_.back().previous;
    steps_.pop_back();
  }
}

bool SpinWatch::leaves_traces(const Executor& executor, const Event& event, Held& semaphores) const {
  switch (event.operation) {
    case Operation::Wake: return true;
    case Operation::Wait:
    case Operation::WakeAlone:
      if (!rules_.waits_end_alone) return true;
      break;
    case Operation::Down:
      if (const std::optional<std::uint64_t> taken = semaphore_of(executor.deeds(), DeedKind::Acquire))
        semaphores.insert(std::ranges::upper_bound(semaphores, *taken), *taken);
      break;
    case Operation::Up: {
      const std::optional<std::uint64_t> given = semaphore_of(executor.deeds(), DeedKind::Release);
      const auto taken = given ? std::ranges::find(semaphores, *given) : semaphores.end();
      if (taken == semaphores.end()) return true;
      semaphores.erase(taken);
      break;
    }
    case Operation::Other: break;
  }
  return executor.left_traces(event.thread);
}

bool SpinWatch::keeps(const Held& start, const Held& now) const {
  return rules_.may_hold ? std::ranges::includes(now, start) : now == start;
}

bool SpinWatch::went_round(const Executor& executor, const Event& event) {
  skip(event.thread);
  Step& now = steps_.back();
  if (now.previous != none) now.semaphores = steps_[now.previous].semaphores;
  now.leaves_traces = leaves_traces(executor, event, now.semaphores);
  now.state = executor.local_state(event.thread);
  now.held = executor.held(event.thread);
  now.held.insert(now.held.end(), now.semaphores.begin(), now.semaphores.end());
  std::ranges::sort(now.held);
  if (now.leaves_traces || !now.state) return false;
  // Back along the thread's own steps, as long as the round would be without traces.
  for (std::size_t at = now.previous; at != none; at = steps_[at].previous) {
    const Step& start = steps_[at];
    bool is_round = start.state == now.state && start.semaphores == now.semaphores;
    for (std::size_t i = steps_.size() - 1; is_round && i != at; i = steps_[i].previous)
      is_round = keeps(start.held, steps_[i].held);
    if (is_round) return true;
    if (start.leaves_traces) return false;
  }
  return false;
}

}  // namespace heddle::explore
