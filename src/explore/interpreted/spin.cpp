// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/spin.h"

#include <algorithm>

#include "api/action.h"

namespace heddle::explore {

using interpret::Address;
using interpret::EventKind;
using interpret::OpKind;
using interpret::ThreadIndex;

namespace {

std::optional<Address> semaphore_taken(std::span<const interpret::Event> events) {
  for (const interpret::Event& event : events)
    if (event.kind == EventKind::Acquire && !event.is_lock) return event.address;
  return std::nullopt;
}

}  // namespace

bool takes_or_gives(OpKind op) {
  switch (op) {
    case OpKind::Lock:
    case OpKind::LockShared:
    case OpKind::TryLock:
    case OpKind::TryLockShared:
    case OpKind::Unlock:
    case OpKind::Wait:
    case OpKind::Wake:
    case OpKind::SemWait:
    case OpKind::SemTryWait:
    case OpKind::SemPost: return true;
    default: return false;
  }
}

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

bool SpinWatch::leaves_traces(const interpret::Machine& machine, ThreadIndex thread, OpKind op,
                              interpret::Machine::Mark before, Held& semaphores) const {
  if (op == OpKind::Wait && !rules_.waits_end_alone) return true;
  if (op == OpKind::Wake && !(rules_.waits_end_alone && machine.woke_by_itself(thread))) return true;
  if (op == OpKind::SemWait || op == OpKind::SemTryWait) {
    if (const std::optional<Address> taken = semaphore_taken(machine.events()))
      semaphores.insert(std::ranges::upper_bound(semaphores, *taken), *taken);
  }
  if (op == OpKind::SemPost) {
    const auto posted =
        std::ranges::find_if(machine.events(), [](const auto& e) { return e.kind == EventKind::Release; });
    const auto taken =
        posted == machine.events().end() ? semaphores.end() : std::ranges::find(semaphores, posted->address);
    if (taken == semaphores.end()) return true;
    semaphores.erase(taken);
  }
  return machine.left_traces(thread, before, takes_or_gives(op));
}

bool SpinWatch::keeps(const Held& start, const Held& now) const {
  return rules_.may_hold ? std::ranges::includes(now, start) : now == start;
}

bool SpinWatch::went_round(const interpret::Machine& machine, ThreadIndex thread, OpKind op,
                           interpret::Machine::Mark before) {
  skip(thread);
  Step& now = steps_.back();
  if (now.previous != none) now.semaphores = steps_[now.previous].semaphores;
  now.leaves_traces = leaves_traces(machine, thread, op, before, now.semaphores);
  now.state = machine.local_state(thread);
  now.held = machine.held_locks(thread);
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

bool has_tries(const Program& program, const api::ApiModels& models) {
  const auto is_try = [](const api::Effect& effect) {
    return api::treat(
        api::action_of(effect), [](const api::TakeLock& take) { return !take.outcome.blocking; },
        [](const api::UseSemaphore& use) { return !use.outcome.blocking; },
        api::Always<false, api::GiveLock, api::SetUpObject, api::StartThread, api::RunLater, api::LeaveThread,
                    api::UseCondition, api::WaitAtBarrier, api::RunOnce, api::UseThreadValue, api::MakeMemory,
                    api::Touch, api::TouchAtomic, api::MovePointers, api::ReturnValue, api::CallBack, api::End,
                    api::Assume, api::MaskEntries, api::DoUnsupported>{});
  };
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    const api::Model* model = function.has_body() ? nullptr : models.find(function.name);
    return model != nullptr && std::ranges::any_of(model->effects, is_try);
  });
}

}  // namespace heddle::explore
