// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/machine_executor.h"

#include <algorithm>
#include <span>
#include <tuple>

#include "explore/executor/adjacent.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;
using interpret::OutcomeKind;
using interpret::StepResult;

namespace {

constexpr std::uint64_t lock_space = 1ULL << 62, thread_space = 1ULL << 63, chunk_bits = 6;

void add_memory(Event& event, interpret::Address address, std::uint64_t size, bool writes) {
  const interpret::Address end = address + size;
  while (address < end) {
    const interpret::Address next = std::min(end, ((address >> chunk_bits) + 1) << chunk_bits);
    event.touches.push_back({.object = address >> chunk_bits,
                             .begin = address,
                             .end = next,
                             .kind = writes ? TouchKind::Write : TouchKind::Read});
    address = next;
  }
}

void add_object(Event& event, std::uint64_t object, TouchKind kind) {
  event.touches.push_back({.object = object, .begin = 0, .end = 1, .kind = kind});
}

/// Giving back what one does not hold gives nothing to others.
TouchKind lock_touch(OpKind kind, bool is_held) {
  if (kind == OpKind::Lock) return TouchKind::Acquire;
  const bool gives = (kind == OpKind::Unlock && is_held) || kind == OpKind::Wait;
  return gives ? TouchKind::Release : TouchKind::Write;
}

/// Operations for which no rule says in front of what they could run: a search must try.
bool is_conditional(OpKind kind) {
  switch (kind) {
    case OpKind::LockShared:
    case OpKind::Wake:
    case OpKind::BarrierLeave:
    case OpKind::SemWait:
    case OpKind::Once: return true;
    default: return false;
  }
}

interpret::MachineOptions options_for_search(const MachineLimits& limits) {
  interpret::MachineOptions options;
  options.switch_at_accesses = limits.at_accesses;
  options.max_threads = limits.threads;
  options.max_instructions = 50'000'000;
  options.max_heap_bytes = 64ULL << 20;
  options.spurious_wakeups = options.weak_tries = limits.weakest;
  options.stop_alone = true;
  options.stable_threads = true;
  return options;
}

bool is_plain(const interpret::Event& event) { return event.kind == EventKind::Read || event.kind == EventKind::Write; }

bool is_access(const interpret::Event& event) {
  return is_plain(event) || event.kind == EventKind::AtomicRead || event.kind == EventKind::AtomicWrite ||
         event.kind == EventKind::Free;
}

void add_once(Event& event, std::uint64_t object, TouchKind kind) {
  const auto is_same = [&](const Touch& touch) { return touch.object == object; };
  if (std::ranges::none_of(event.touches, is_same)) add_object(event, object, kind);
}

}  // namespace

std::uint64_t MachineExecutor::WaiterChooser::choose(const interpret::Choice& choice) {
  const std::uint64_t outcomes = choice.count == 0 && choice.bits == 1 ? 2 : choice.count;
  if (outcomes == 0 || count > 1) {
    (outcomes == 0 ? gave_value : several) = true;
    return outcomes == 0 ? value : 0;
  }
  count = static_cast<std::uint32_t>(outcomes);
  return wanted % outcomes;
}

MachineExecutor::MachineExecutor(const Program& program, const api::ApiModels& models, const MachineLimits& limits)
    : limits_(limits),
      machine_(program, models, options_for_search(limits), chooser_),
      start_(machine_.mark()),
      spin_({.waits_end_alone = limits.weakest, .may_hold = limits.weakest || !has_tries(program, models)}) {
  chooser_.value = limits.value;
}

void MachineExecutor::restart() {
  machine_.undo_to(start_);
  path_.clear();
  events_.clear();
  step_ends_.clear();
  parked_.clear();
  spinning_.clear();
  before_.clear();
  spin_.rewind(0);
  over_ = adjacent_ = false;
}

void MachineExecutor::rewind(std::size_t length) {
  if (length >= path_.size()) return;
  for (std::size_t i = length; i < path_.size(); ++i)
    if (before_[i].parks) {
      parked_.erase(path_[i]);
      spinning_.erase(path_[i]);
    }
  machine_.undo_to(before_[length].mark);
  over_ = before_[length].over;
  adjacent_ = before_[length].adjacent;
  path_.resize(length);
  before_.resize(length);
  spin_.rewind(length);
  step_ends_.resize(length);
  events_.resize(length == 0 ? 0 : step_ends_.back());
}

bool MachineExecutor::is_over(ThreadIndex thread) const {
  return machine_.pending_kind(thread) == OpKind::None || machine_.is_at_end(thread) || parked_.contains(thread);
}

std::vector<ThreadIndex> MachineExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (!is_over(t) && machine_.is_enabled(t)) result.push_back(t);
  return result;
}

std::vector<Event> MachineExecutor::blocked() const {
  std::vector<Event> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (!is_over(t) && !machine_.is_enabled(t)) result.push_back(describe(t));
  return result;
}

/// What is known of an operation before it runs; a section's accesses are not.
Event MachineExecutor::describe(ThreadIndex thread) const {
  Event event;
  event.thread = thread;
  const OpKind kind = machine_.pending_kind(thread);
  const interpret::Address object = machine_.pending_object(thread);
  event.conditional = is_conditional(kind);
  if (kind == OpKind::Join) add_object(event, thread_space | object, TouchKind::Acquire);
  if (kind == OpKind::TryJoin || kind == OpKind::Detach) add_object(event, thread_space | object, TouchKind::Write);
  const bool is_held = machine_.holds(thread, object);
  for (const interpret::Touch& touch : machine_.pending_touches(thread)) {
    if (touch.is_lock)
      add_object(event, lock_space | touch.address, lock_touch(kind, is_held));
    else if (touch.is_atomic || limits_.at_accesses)
      add_memory(event, touch.address, touch.size, touch.is_write);
  }
  return event;
}

/// What a step did beyond its operation. Whatever the clocks take for order has to be a touch.
void MachineExecutor::add_events(Event& event, std::span<const interpret::Event> done) const {
  bool in_section = false;
  for (const interpret::Event& one : done) {
    switch (one.kind) {
      case EventKind::ThreadEnd: add_object(event, thread_space | one.thread, TouchKind::Release); break;
      case EventKind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(one.address)); break;
      case EventKind::SectionBegin: in_section = true; break;
      case EventKind::SectionEnd: in_section = false; break;
      case EventKind::Acquire:
      case EventKind::Release:
      case EventKind::AcquireShared:
      case EventKind::ReleaseShared: add_once(event, lock_space | one.address, TouchKind::Write); break;
      default: break;
    }
    const bool is_atomic = one.kind == EventKind::AtomicRead || one.kind == EventKind::AtomicWrite;
    if (is_atomic || ((in_section || limits_.at_accesses) && is_access(one)))
      add_memory(event, one.address, one.size, one.kind != EventKind::Read && one.kind != EventKind::AtomicRead);
  }
  const auto key = [](const Touch& touch) { return std::tuple(touch.object, touch.begin, touch.end, touch.kind); };
  std::ranges::sort(event.touches, {}, key);
  event.touches.erase(std::ranges::unique(event.touches).begin(), event.touches.end());
}

Event MachineExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  Event event = describe(thread);
  const OpKind kind = machine_.pending_kind(thread);
  chooser_.wanted = choice;
  chooser_.count = 1;
  const interpret::Machine::Mark before = machine_.mark();
  before_.push_back({before, over_, adjacent_});
  StepResult result = machine_.step(thread, limits_.step_instructions);
  instructions_ += result.instructions;
  bool happened = true;
  if (result.kind == StepResult::Kind::Ended) {
    // The step's accesses count, only its last instruction must not take place yet.
    note_ending(machine_.outcome());
    const bool touches_memory = std::ranges::any_of(machine_.events(), is_access);
    const std::vector<interpret::Event> section = unfinished_section(machine_.events(), thread);
    happened = stop_short(thread, before, result);
    if (!happened && !section.empty())
      add_unfinished(event, section);
    else if (!happened && touches_memory)
      gaps_.insert("the program ends in the middle of an operation");
    park(thread);
  }
  const bool goes_on = !parked_.contains(thread) && result.kind == StepResult::Kind::Stopped;
  if (!goes_on) {
    spin_.skip(thread);
  } else if (spin_.went_round(machine_, thread, kind, before)) {
    park(thread);
    spinning_.insert(thread);
  }
  if (happened) add_events(event, machine_.events());
  event.choices = chooser_.count;
  event.choice = chooser_.count > 1 ? choice : 0;
  note_choices();
  path_.push_back(thread);
  if (happened) finish_step(result, event);
  if (result.kind == StepResult::Kind::NotEnabled) fail_section(thread, event);
  step_ends_.push_back(events_.size());
  if (limits_.at_accesses && !adjacent_) look_for_adjacent();
  return event;
}

/// It makes no further step in this execution.
void MachineExecutor::park(ThreadIndex thread) {
  parked_.insert(thread);
  before_.back().parks = true;
}

void MachineExecutor::note_choices() {
  if (chooser_.gave_value) gaps_.insert(input_was_chosen);
  if (chooser_.several) gaps_.insert("one step had several choices");
  for (const interpret::Note& note : machine_.notes()) gaps_.insert(note.what);
}

bool MachineExecutor::stop_short(ThreadIndex thread, interpret::Machine::Mark before, StepResult& result) {
  machine_.undo_to(before);
  chooser_.count = 1;
  if (result.instructions <= 1) return false;
  result = machine_.step(thread, result.instructions - 1);
  if (result.kind == StepResult::Kind::Stopped || result.kind == StepResult::Kind::Finished) return true;
  machine_.undo_to(before);
  return false;
}

void MachineExecutor::fail_section(ThreadIndex thread, Event& event) {
  const interpret::FailedSection& failed = machine_.failed_section();
  if (failed.is_blocked) gaps_.insert("an atomic section waits for something else than its assumption");
  park(thread);
  add_unfinished(event, unfinished_section(failed.events, thread));
}

/// Its accesses were made; behind the false assumption, or the end of the program, there is nothing.
void MachineExecutor::add_unfinished(Event& event, std::span<const interpret::Event> section) {
  add_events(event, section);
  events_.insert(events_.end(), section.begin(), section.end());
}

void MachineExecutor::finish_step(const StepResult& result, Event& event) {
  std::size_t threads = machine_.thread_count() - event.spawned.size();
  for (const interpret::Event& done : machine_.events()) {
    events_.push_back(done);
    if (done.kind == EventKind::Spawn) ++threads;
    if (done.kind == EventKind::SyncReset && threads > 1)
      gaps_.insert("a lock is initialised or destroyed while threads run");
  }
  const bool was_cut = result.instructions >= limits_.step_instructions || path_.size() >= limits_.events;
  if (!was_cut) return;
  gaps_.insert("an execution was cut at its limit");
  over_ = true;
}

void MachineExecutor::note_ending(const interpret::Outcome& outcome) {
  switch (outcome.kind) {
    case OutcomeKind::Running:
    case OutcomeKind::Exited:
    case OutcomeKind::Deadlock:
    case OutcomeKind::AssertionFailed:
    case OutcomeKind::Aborted:
    case OutcomeKind::Infeasible: return;
    case OutcomeKind::UndefinedBehaviour: gaps_.insert("undefined behaviour: " + outcome.what); return;
    case OutcomeKind::CapReached: gaps_.insert("a limit was met: " + outcome.what); return;
    case OutcomeKind::Unsupported: gaps_.insert("not supported: " + outcome.what); return;
  }
}

/// A lock has no bytes in the machine: who reads or writes them sees something else than in a real run.
void MachineExecutor::note_locks() {
  constexpr std::uint64_t lock_bytes = 4;  // the smallest: a spin lock
  std::set<interpret::Address> locks;
  std::set<std::pair<ThreadIndex, interpret::Address>> held;
  for (const interpret::Event& event : events_) {
    const bool takes = event.kind == EventKind::Acquire || event.kind == EventKind::AcquireShared;
    const bool gives = event.kind == EventKind::Release || event.kind == EventKind::ReleaseShared;
    if (takes || gives) locks.insert(event.address);
    if (takes && event.is_lock) held.insert({event.thread, event.address});
    if (gives && event.is_lock) held.erase({event.thread, event.address});
  }
  for (const interpret::Event& event : events_) {
    if (!is_plain(event) && event.kind != EventKind::AtomicRead && event.kind != EventKind::AtomicWrite) continue;
    const auto near = locks.upper_bound(event.address > lock_bytes ? event.address - lock_bytes : 0);
    if (near != locks.end() && *near < event.address + event.size) gaps_.insert("a lock is used as plain memory");
  }
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t) {
    if (is_over(t) || machine_.is_enabled(t)) continue;
    const OpKind kind = machine_.pending_kind(t);
    if ((kind == OpKind::Lock || kind == OpKind::LockShared) && held.contains({t, machine_.pending(t).object}))
      gaps_.insert("a thread waits for a lock that it holds itself");
  }
}

std::optional<DetectedRace> MachineExecutor::race(const Program* orders) {
  RaceDetector detector(orders);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < step_ends_.size() && !detector.race(); ++i) {
    detector.follow(static_cast<std::uint32_t>(i), std::span(events_).subspan(begin, step_ends_[i] - begin));
    begin = step_ends_[i];
  }
  if (orders == nullptr) {
    if (!detector.unclear().empty()) gaps_.insert(detector.unclear());
    note_locks();
  }
  return detector.race();
}

void MachineExecutor::look_for_adjacent() {
  const std::vector<ThreadIndex> ready = enabled();
  for (std::size_t i = 0; i < ready.size(); ++i)
    for (std::size_t j = i + 1; j < ready.size(); ++j)
      if (racing_bytes(machine_, ready[i], ready[j]).size != 0) adjacent_ = true;
}

bool MachineExecutor::is_livelocked() {
  if (over_ || spinning_.empty() || parked_.size() != spinning_.size() || !enabled().empty()) return false;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (machine_.is_at_end(t)) return false;
  return std::ranges::all_of(spinning_, [&](ThreadIndex thread) { return comes_round(thread); });
}

/// Tried in the present state, which is as it was afterwards.
bool MachineExecutor::comes_round(ThreadIndex thread) {
  constexpr int longest = 100;  // steps of a round
  const std::optional<ContentHash> start = machine_.local_state(thread);
  const interpret::Machine::Mark here = machine_.mark();
  bool is_back = false;
  for (int i = 0; i < longest && !is_back && machine_.is_enabled(thread); ++i) {
    chooser_.count = 1;
    chooser_.wanted = 0;
    const OpKind kind = machine_.pending_kind(thread);
    const interpret::Machine::Mark before = machine_.mark();
    const bool goes_on = machine_.step(thread, limits_.step_instructions).kind == StepResult::Kind::Stopped;
    if (!goes_on || machine_.left_traces(thread, before, takes_or_gives(kind))) break;
    is_back = machine_.local_state(thread) == start;
  }
  machine_.undo_to(here);
  return is_back;
}

bool MachineExecutor::is_deadlocked() const {
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (machine_.is_at_end(t)) return false;
  return !over_ && parked_.empty() && enabled().empty() && !blocked().empty();
}

}  // namespace heddle::explore
