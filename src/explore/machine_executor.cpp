// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/machine_executor.h"

#include <algorithm>
#include <span>

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

TouchKind lock_touch(OpKind kind) {
  if (kind == OpKind::Lock) return TouchKind::Acquire;
  return kind == OpKind::Unlock || kind == OpKind::Wait ? TouchKind::Release : TouchKind::Write;
}

/// Operations for which no rule says in front of what they could run: a search must try.
bool is_conditional(OpKind kind) {
  switch (kind) {
    case OpKind::LockShared:
    case OpKind::Wake:
    case OpKind::BarrierLeave:
    case OpKind::SemWait:
    case OpKind::Once:
    case OpKind::Section: return true;
    default: return false;
  }
}

interpret::MachineOptions options_for_search() {
  interpret::MachineOptions options;
  options.max_threads = 64;
  options.max_instructions = 50'000'000;
  options.max_heap_bytes = 64ULL << 20;
  return options;
}

}  // namespace

std::uint64_t MachineExecutor::WaiterChooser::choose(const interpret::Choice& choice) {
  if (choice.count == 0 || count > 1) {
    (choice.count == 0 ? gave_value : several) = true;
    return 0;
  }
  count = static_cast<std::uint32_t>(choice.count);
  return wanted % choice.count;
}

MachineExecutor::MachineExecutor(const Program& program, const api::ApiModels& models, const MachineLimits& limits)
    : limits_(limits), machine_(program, models, options_for_search(), chooser_), start_(machine_.mark()) {}

void MachineExecutor::restart() {
  machine_.undo_to(start_);
  path_.clear();
  events_.clear();
  step_ends_.clear();
  parked_.clear();
  over_ = false;
}

bool MachineExecutor::can_run(ThreadIndex thread) const {
  if (parked_.contains(thread) || !machine_.is_enabled(thread)) return false;
  if (machine_.pending_kind(thread) != OpKind::Section) return true;
  std::vector<interpret::Touch> touches;
  return machine_.probe(thread, touches).kind != StepResult::Kind::NotEnabled;
}

std::vector<ThreadIndex> MachineExecutor::enabled() const {
  std::vector<ThreadIndex> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t)
    if (machine_.status(t) != interpret::ThreadStatus::Finished && can_run(t)) result.push_back(t);
  return result;
}

std::vector<Event> MachineExecutor::blocked() const {
  std::vector<Event> result;
  for (ThreadIndex t = 0; t < machine_.thread_count(); ++t) {
    if (machine_.status(t) == interpret::ThreadStatus::Finished || parked_.contains(t) || can_run(t)) continue;
    result.push_back(describe(t));
  }
  return result;
}

Event MachineExecutor::describe(ThreadIndex thread) const {
  Event event;
  event.thread = thread;
  const interpret::PendingOp pending = machine_.pending(thread);
  event.conditional = is_conditional(pending.kind);
  std::vector<interpret::Touch> footprint = pending.footprint;
  if (!pending.footprint_known) {
    footprint.clear();
    machine_.probe(thread, footprint);
  }
  if (pending.kind == OpKind::Join) add_object(event, thread_space | pending.object, TouchKind::Acquire);
  if (pending.kind == OpKind::TryJoin || pending.kind == OpKind::Detach)
    add_object(event, thread_space | pending.object, TouchKind::Write);
  const bool is_section = pending.kind == OpKind::Section;
  for (const interpret::Touch& touch : footprint) {
    if (touch.is_lock)
      add_object(event, lock_space | touch.address, lock_touch(pending.kind));
    else if (touch.is_atomic || is_section)
      add_memory(event, touch.address, touch.size, touch.is_write);
  }
  return event;
}

/// What the events of a step say beyond its operation: ends of threads, new threads.
void MachineExecutor::add_events(Event& event) const {
  for (const interpret::Event& done : machine_.events()) {
    if (done.kind == EventKind::ThreadEnd) add_object(event, thread_space | done.thread, TouchKind::Release);
    if (done.kind == EventKind::Spawn) event.spawned.push_back(static_cast<ThreadIndex>(done.address));
  }
}

Event MachineExecutor::step(ThreadIndex thread, std::uint32_t choice) {
  Event event = describe(thread);
  chooser_.wanted = choice;
  chooser_.count = 1;
  const interpret::Machine::Mark before = machine_.mark();
  StepResult result = machine_.step(thread, limits_.step_instructions);
  instructions_ += result.instructions;
  bool happened = true;
  if (result.kind == StepResult::Kind::Ended) {
    // The step's accesses count, only its last instruction must not take place yet.
    note_ending(machine_.outcome());
    happened = stop_short(thread, before, result);
    parked_.insert(thread);
  }
  add_events(event);
  event.choices = chooser_.count;
  event.choice = choice;
  if (chooser_.gave_value) gaps_.insert("an input value was chosen");
  if (chooser_.several) gaps_.insert("one step had several choices");
  path_.push_back(thread);
  if (happened)
    finish_step(result, event);
  else
    event.spawned.clear();
  step_ends_.push_back(events_.size());
  return event;
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

void MachineExecutor::finish_step(const StepResult& result, Event& event) {
  for (const interpret::Event& done : machine_.events()) events_.push_back(done);
  if (!event.spawned.empty() && event.thread != 0) gaps_.insert("threads are created by other threads than main");
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

bool MachineExecutor::has_race() const {
  RaceDetector detector;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < step_ends_.size() && !detector.race(); ++i) {
    detector.follow(static_cast<std::uint32_t>(i), std::span(events_).subspan(begin, step_ends_[i] - begin));
    begin = step_ends_[i];
  }
  return detector.race().has_value();
}

}  // namespace heddle::explore
