// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/toy_executor.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore::toy {
namespace {

// Addresses and, divided by the distance, objects of dependence.
constexpr std::uint64_t distance = 16, variables = 0, cells = 1'000, locks = 2'000, semaphores = 3'000, ends_of = 4'000;
constexpr std::uint32_t width = 4;

std::uint64_t address_of(std::uint64_t space, std::uint64_t object) { return (space + object) * distance; }

TouchedObject touch(std::uint64_t object, TouchKind kind) {
  return {.object = object, .begin = 0, .end = 1, .kind = kind};
}

AccessKey key_of(ThreadIndex thread, std::size_t at) { return (AccessKey{thread} << 32U) | at; }

bool is_read(Kind kind) {
  return kind == Kind::Read || kind == Kind::RelaxedRead || kind == Kind::OddRead || kind == Kind::Await ||
         kind == Kind::Poll || kind == Kind::Assert;
}

bool is_write(Kind kind) { return kind == Kind::Write || kind == Kind::RelaxedWrite || kind == Kind::Update; }

ExecutionLimits no_limits() {
  ExecutionLimits limits;
  limits.events = UINT64_MAX;
  return limits;
}

}  // namespace

ToyExecutor::ToyExecutor(Threads threads) : ToyExecutor(std::move(threads), Use::Search, no_limits(), nullptr) {}

ToyExecutor::ToyExecutor(Threads threads, Use use, const ExecutionLimits& limits, Inputs* inputs)
    : threads_(std::move(threads)), use_(use), limits_(limits), inputs_(inputs), words_(*this) {
  ToyExecutor::restart();
}

void ToyExecutor::restart() {
  now_ = {};
  now_.owner.fill(no_thread);
  now_.threads.resize(threads_.size());
  for (Thread& thread : now_.threads) thread.started = true;
  for (const std::vector<Operation>& thread : threads_)
    for (const Operation& operation : thread)
      if (operation.kind == Kind::Spawn) now_.threads[operation.object].started = false;
  path_.clear();
}

void ToyExecutor::rewind(std::size_t length) {
  HEDDLE_CHECK(use_ == Use::Search || length == path_.size(), "an executor for one run does not go back");
  if (length >= path_.size()) return;
  now_ = path_[length].before;
  path_.resize(length);
}

bool ToyExecutor::stopped() const { return use_ == Use::Search ? now_.cut : state() != EndingKind::Running; }

std::span<const Deed> ToyExecutor::deeds() const {
  return path_.empty() ? std::span<const Deed>{} : std::span<const Deed>(path_.back().deeds);
}

std::size_t ToyExecutor::thread_count() const {
  if (use_ == Use::Search) return threads_.size();
  std::size_t count = 0;
  for (std::size_t t = 0; t < now_.threads.size(); ++t)
    if (now_.threads[t].started) count = t + 1;
  return count;
}

const ToyExecutor::Failures& ToyExecutor::failures() const {
  static const Failures none;
  return now_.failures ? *now_.failures : none;
}

ToyExecutor::Failures& ToyExecutor::new_failure() {
  if (!now_.failures) now_.failures.emplace();
  return *now_.failures;
}

const Operation* ToyExecutor::operation_of(ThreadIndex thread) const {
  const std::size_t at = now_.threads[thread].at;
  return at < threads_[thread].size() ? &threads_[thread][at] : nullptr;
}

/// Belongs to the operation before it.
bool ToyExecutor::is_invisible(const Operation& operation) const {
  const bool is_plain = operation.kind == Kind::Load || operation.kind == Kind::Store;
  return operation.kind == Kind::Input || operation.kind == Kind::Back || (is_plain && !limits_.at_accesses);
}

bool ToyExecutor::ends(const Operation& operation) const {
  return operation.kind == Kind::Exit || (operation.kind == Kind::Assert && now_.variables[operation.object] % 2 == 1);
}

bool ToyExecutor::can_run(ThreadIndex, const Operation& operation) const {
  switch (operation.kind) {
    case Kind::Lock: return now_.owner[operation.object] == no_thread;
    case Kind::Take: return now_.semaphores[operation.object] > 0;
    case Kind::Await: return now_.variables[operation.object] == operation.value;
    case Kind::Join: {
      const Thread& other = now_.threads[operation.object];
      return other.started && other.at >= threads_[operation.object].size();
    }
    default: return true;
  }
}

Standing ToyExecutor::standing(ThreadIndex thread) const {
  const Thread& here = now_.threads[thread];
  const Operation* operation = operation_of(thread);
  if (here.halted) return Standing::Halted;
  if (!here.started || operation == nullptr) return Standing::Finished;
  if (use_ == Use::Search && operation->kind == Kind::Exit) return Standing::AtEnd;
  return can_run(thread, *operation) ? Standing::Enabled : Standing::Waits;
}

std::vector<ThreadIndex> ToyExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < threads_.size(); ++t)
    if (standing(t) == Standing::Enabled) result.push_back(t);
  return result;
}

std::vector<Event> ToyExecutor::blocked() const {
  std::vector<Event> result;
  for (ThreadIndex t = 0; t < threads_.size(); ++t)
    if (standing(t) == Standing::Waits) result.push_back(describe(t));
  return result;
}

Creation ToyExecutor::creation_of(ThreadIndex thread) const {
  for (ThreadIndex t = 0; t < threads_.size(); ++t) {
    std::uint32_t ordinal = 0;
    for (const Operation& operation : threads_[t]) {
      if (operation.kind != Kind::Spawn) continue;
      if (operation.object == thread) return {t, ordinal};
      ++ordinal;
    }
  }
  return {};
}

NextOperation ToyExecutor::next(ThreadIndex thread) const { return {key_of(thread, now_.threads[thread].at), false}; }

std::vector<NextAccess> ToyExecutor::next_accesses(ThreadIndex thread) {
  if (thread >= thread_count() || standing(thread) != Standing::Enabled) return {};
  const Operation& operation = *operation_of(thread);
  if (operation.kind == Kind::Load || operation.kind == Kind::Store)
    return {{{address_of(cells, operation.object), width}, operation.kind == Kind::Store, false}};
  if (!is_read(operation.kind) && !is_write(operation.kind)) return {};
  return {{{address_of(variables, operation.object), width}, is_write(operation.kind), true}};
}

std::optional<std::uint64_t> ToyExecutor::awaited_object(ThreadIndex thread) const {
  const Operation* operation = operation_of(thread);
  if (operation == nullptr || operation->kind != Kind::Lock) return std::nullopt;
  return address_of(locks, operation->object);
}

std::vector<std::uint64_t> ToyExecutor::held(ThreadIndex thread) const {
  std::vector<std::uint64_t> result;
  for (std::size_t lock = 0; lock < most; ++lock)
    if (now_.owner[lock] == thread) result.push_back(address_of(locks, lock));
  return result;
}

SpinRules ToyExecutor::spin_rules() const {
  const auto tries = [](const Operation& operation) { return operation.kind == Kind::TryLock; };
  const bool has_tries =
      std::ranges::any_of(threads_, [&](const auto& thread) { return std::ranges::any_of(thread, tries); });
  return {.waits_end_alone = false, .may_hold = !has_tries};
}

std::optional<ContentHash> ToyExecutor::local_state(ThreadIndex thread) const {
  return ContentHash{now_.threads[thread].at, 0};
}

bool ToyExecutor::left_traces(ThreadIndex thread) const { return now_.threads[thread].changed; }

Event ToyExecutor::describe(ThreadIndex t) const {
  const Operation& operation = *operation_of(t);
  Event event;
  event.thread = t;
  const auto touches = [&](std::uint64_t space, TouchKind kind) {
    event.touches.push_back(touch(space + operation.object, kind));
  };
  event.conditional = operation.kind == Kind::Take || operation.kind == Kind::Await;
  if (is_read(operation.kind)) touches(variables, TouchKind::Read);
  if (is_write(operation.kind)) touches(variables, TouchKind::Write);
  switch (operation.kind) {
    case Kind::Load:
      if (limits_.at_accesses) touches(cells, TouchKind::Read);
      break;
    case Kind::Store:
      if (limits_.at_accesses) touches(cells, TouchKind::Write);
      break;
    case Kind::Lock: touches(locks, TouchKind::Acquire); break;
    case Kind::Unlock: touches(locks, now_.owner[operation.object] == t ? TouchKind::Release : TouchKind::Write); break;
    case Kind::TryLock: touches(locks, TouchKind::Write); break;
    case Kind::Post:
      event.operation = explore::Operation::Up;
      touches(semaphores, TouchKind::Write);
      break;
    case Kind::Take:
      event.operation = explore::Operation::Down;
      touches(semaphores, TouchKind::Write);
      break;
    case Kind::Toss: event.choices = operation.value; break;
    case Kind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(operation.object)); break;
    case Kind::Join: touches(ends_of, TouchKind::Acquire); break;
    default: break;
  }
  return event;
}

/// Before it is performed.
void ToyExecutor::add_deeds(ThreadIndex t, const Operation& operation) {
  const auto add = [&](DeedKind kind, std::uint64_t address, bool is_lock = false, bool orders = true) {
    Deed deed{.kind = kind, .is_lock = is_lock, .acquires = orders, .releases = orders, .thread = t, .size = width};
    deed.address = address;
    deed.key = key_of(t, now_.threads[t].at);
    deed.replaces = operation.kind != Kind::Update;
    path_.back().deeds.push_back(deed);
  };
  const bool orders = operation.kind != Kind::RelaxedRead && operation.kind != Kind::RelaxedWrite;
  const std::uint64_t variable = address_of(variables, operation.object);
  const std::uint64_t lock = address_of(locks, operation.object);
  if (is_read(operation.kind) || operation.kind == Kind::Update) add(DeedKind::AtomicRead, variable, false, orders);
  if (is_write(operation.kind)) add(DeedKind::AtomicWrite, variable, false, orders);
  switch (operation.kind) {
    case Kind::Load: return add(DeedKind::Read, address_of(cells, operation.object));
    case Kind::Store: return add(DeedKind::Write, address_of(cells, operation.object));
    case Kind::Lock: return add(DeedKind::Acquire, lock, true);
    case Kind::Unlock:
      if (now_.owner[operation.object] == t) add(DeedKind::Release, lock, true);
      return;
    case Kind::TryLock:
      if (now_.owner[operation.object] == no_thread) add(DeedKind::Acquire, lock, true);
      return;
    case Kind::Post: return add(DeedKind::Release, address_of(semaphores, operation.object));
    case Kind::Take: return add(DeedKind::Acquire, address_of(semaphores, operation.object));
    case Kind::Spawn: return add(DeedKind::Spawn, operation.object);
    case Kind::Join: return add(DeedKind::Join, operation.object);
    default: return;
  }
}

void ToyExecutor::unlock(ThreadIndex t, std::uint64_t lock) {
  if (now_.owner[lock] == t)
    now_.owner[lock] = no_thread;
  else
    new_failure().misuses.push_back(ending_at(EndingKind::LockMisused, "unlock of a lock that is not held", t));
}

void ToyExecutor::perform_input(Thread& thread, ThreadIndex number, const Operation& operation) {
  if (inputs_ == nullptr && !rehearses_) gaps_.insert(input_was_chosen);
  const std::uint64_t value = inputs_ == nullptr ? limits_.value : inputs_->choose({number, 32, 0, true});
  if (value != operation.value) ++thread.at;
}

void ToyExecutor::perform(ThreadIndex t, const Operation& operation, Event& event) {
  add_deeds(t, operation);
  Thread& thread = now_.threads[t];
  if (!rehearses_) ++instructions_;
  ++thread.done;
  const auto set = [&](std::uint32_t& value, std::uint32_t to) {
    thread.changed = thread.changed || value != to;
    value = to;
  };
  switch (operation.kind) {
    case Kind::OddRead: thread.at += now_.variables[operation.object] % 2; break;
    case Kind::Poll:
      if (now_.variables[operation.object] != operation.value) return;
      break;
    case Kind::Write:
    case Kind::RelaxedWrite: set(now_.variables[operation.object], operation.value); break;
    case Kind::Update: set(now_.variables[operation.object], now_.variables[operation.object] + 1); break;
    case Kind::Store: set(now_.cells[operation.object], operation.value); break;
    case Kind::Lock: now_.owner[operation.object] = t; break;
    case Kind::Unlock: unlock(t, operation.object); break;
    case Kind::TryLock:
      if (now_.owner[operation.object] == no_thread)
        now_.owner[operation.object] = t;
      else
        thread.at += 2;
      break;
    case Kind::Post: ++now_.semaphores[operation.object]; break;
    case Kind::Take: --now_.semaphores[operation.object]; break;
    case Kind::Back: thread.at -= operation.object; return;
    case Kind::Toss: thread.at += event.choice; break;
    case Kind::Input: perform_input(thread, t, operation); break;
    case Kind::Spawn: now_.threads[operation.object].started = thread.changed = true; break;
    default: break;
  }
  ++thread.at;
}

Ending ToyExecutor::ending_at(EndingKind kind, std::string what, ThreadIndex thread) const {
  return {kind, std::move(what), thread, words_.stack(thread)};
}

/// True: the operation ends the program, so only a replay performs it.
bool ToyExecutor::end_program(ThreadIndex t, const Operation& operation, Event& event) {
  if (!ends(operation)) return false;
  const bool exits = operation.kind == Kind::Exit;
  const Ending ending =
      ending_at(exits ? EndingKind::Exited : EndingKind::AssertionFailed,
                exits ? "the program ends" : "variable " + std::to_string(operation.object) + " is odd", t);
  add_deeds(t, operation);  // the assertion has read its variable
  now_.threads[t].halted = true;
  event.end = use_ == Use::Replay ? StepEnd::Halted : StepEnd::CutOff;
  if (use_ == Use::Replay) {
    new_failure().ending = ending;
    return true;
  }
  new_failure().avoided.push_back(ending.kind);
  new_failure().endings.push_back(ending);
  return true;
}

void ToyExecutor::run_tail(ThreadIndex t, Event& event) {
  for (const Operation* next = operation_of(t); next != nullptr && is_invisible(*next); next = operation_of(t))
    perform(t, *next, event);
}

void ToyExecutor::finish(ThreadIndex t, Event& event) {
  if (event.end == StepEnd::Stopped && operation_of(t) == nullptr) {
    event.end = StepEnd::Finished;
    event.touches.push_back(touch(ends_of + t, TouchKind::Release));
    Deed end{.kind = DeedKind::ThreadEnd, .thread = t};
    end.address = t;
    path_.back().deeds.push_back(end);
  }
  if (path_.size() >= limits_.events) {
    now_.cut = true;
    if (!rehearses_) gaps_.insert("an execution was cut at its limit");
  }
  if (use_ == Use::Search || state() != EndingKind::Running) return;
  bool waits = false;
  for (ThreadIndex other = 0; other < threads_.size(); ++other) {
    const Standing there = standing(other);
    if (there == Standing::Enabled || there == Standing::Halted) return;
    waits = waits || there == Standing::Waits;
  }
  if (waits) new_failure().ending = {EndingKind::Deadlock, "every thread is blocked", no_thread, {}};
}

Event ToyExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  Event event;
  event.thread = thread;
  event.end = StepEnd::Refused;
  if (thread >= thread_count() || standing(thread) != Standing::Enabled ||
      (use_ == Use::Replay && state() != EndingKind::Running))
    return event;
  event = describe(thread);
  event.choice = choice;
  if (inputs_ != nullptr && event.choices > 1)
    event.choice = static_cast<std::uint32_t>(inputs_->choose({thread, 0, event.choices, false}));
  path_.push_back({now_, {}});
  now_.threads[thread].changed = false;
  const Operation operation = *operation_of(thread);
  if (!end_program(thread, operation, event)) {
    perform(thread, operation, event);
    run_tail(thread, event);
  }
  finish(thread, event);
  return event;
}

}  // namespace heddle::explore::toy
