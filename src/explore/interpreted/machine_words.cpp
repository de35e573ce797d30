// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/machine_words.h"

#include <algorithm>
#include <array>

#include "explore/sides/access_key.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;
using interpret::OutcomeKind;

EndingKind kind_of(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::Running: return EndingKind::Running;
    case OutcomeKind::Exited: return EndingKind::Exited;
    case OutcomeKind::Deadlock: return EndingKind::Deadlock;
    case OutcomeKind::AssertionFailed: return EndingKind::AssertionFailed;
    case OutcomeKind::Aborted: return EndingKind::Aborted;
    case OutcomeKind::UndefinedBehaviour: return EndingKind::Crashed;
    case OutcomeKind::Infeasible: return EndingKind::Infeasible;
    case OutcomeKind::CapReached: return EndingKind::LimitMet;
    case OutcomeKind::Unsupported: return EndingKind::Unsupported;
  }
  return EndingKind::Unsupported;
}

std::vector<interpret::TouchedBytes> next_touches(interpret::Machine& machine, ThreadIndex thread) {
  if (machine.outcome().kind != OutcomeKind::Running) return {};
  if (thread >= machine.thread_count()) return {};
  // Asking for a lock touches it, also where the answer is to wait.
  if (!machine.is_enabled(thread)) {
    std::vector<interpret::TouchedBytes> asked = machine.pending(thread).footprint;
    std::erase_if(asked, [](const interpret::TouchedBytes& touch) { return !touch.is_lock || touch.size == 0; });
    return asked;
  }
  // Creating and joining threads write plain memory as well, which only a trial shows.
  const OpKind kind = machine.pending_kind(thread);
  const bool needs_trial =
      kind == OpKind::Section || kind == OpKind::Spawn || kind == OpKind::Join || kind == OpKind::TryJoin;
  if (!needs_trial) return machine.pending(thread).footprint;
  std::vector<interpret::TouchedBytes> touches;
  if (machine.probe(thread, touches).kind == interpret::StepResult::Kind::NotEnabled) return {};
  return touches;
}

ReportFrame MachineWords::frame_of(const interpret::StackEntry& entry) const {
  ReportFrame frame;
  if (!entry.function.valid()) return frame;
  const Function& function = program_.functions[entry.function];
  frame.function = function.source_name.empty() ? function.name : function.source_name;
  if (entry.instruction >= function.instructions.size()) return frame;
  const LocationId at = function.instructions[entry.instruction].location;
  if (!at.valid()) return frame;
  const Location& location = program_.locations[at];
  if (location.file.valid()) frame.file = program_.files[location.file].path;
  frame.line = location.line;
  frame.column = location.column;
  return frame;
}

std::vector<ReportFrame> MachineWords::frames_of(const std::vector<interpret::StackEntry>& stack) const {
  std::vector<ReportFrame> frames;
  for (const interpret::StackEntry& entry : stack) frames.push_back(frame_of(entry));
  return frames;
}

std::vector<ReportFrame> MachineWords::stack(ThreadIndex thread) const { return frames_of(machine_.stack(thread)); }

void MachineWords::follow(const interpret::Event& event) {
  if (!event.is_lock) return;
  if (held_.size() <= event.thread) held_.resize(event.thread + 1);
  std::vector<interpret::Address>& held = held_[event.thread];
  if (event.kind == EventKind::Acquire || event.kind == EventKind::AcquireShared) held.push_back(event.address);
  if (event.kind == EventKind::Release || event.kind == EventKind::ReleaseShared)
    if (const auto lock = std::ranges::find(held, event.address); lock != held.end()) held.erase(lock);
}

std::vector<interpret::Address> MachineWords::locks_of(ThreadIndex thread) const {
  if (!follows_locks_) return machine_.held_locks(thread);
  return thread < held_.size() ? held_[thread] : std::vector<interpret::Address>{};
}

std::string MachineWords::name_of(std::uint64_t address) const {
  const interpret::Machine::Place place = machine_.place(address);
  if (!place.known) return "unknown memory";
  std::string name = place.name;
  if (place.global.valid()) {
    const Global& global = program_.globals[place.global];
    if (!global.source_name.empty()) name = global.source_name;
    if (place.offset == 0) return name;
  }
  return name + (place.global.valid() ? "" : " object of " + std::to_string(place.size) + " bytes") + ", byte " +
         std::to_string(place.offset);
}

std::string MachineWords::value_at(const Bytes& bytes) const {
  constexpr std::array<char, 17> digits{"0123456789abcdef"};
  std::string text;
  std::vector<std::uint8_t> content = machine_.bytes(bytes.address, std::min<std::size_t>(bytes.size, 16));
  if (program_.layout.little_endian) std::ranges::reverse(content);
  for (const std::uint8_t byte : content) (text += digits[byte >> 4U]) += digits[byte & 15U];
  return text.empty() ? text : "0x" + text;
}

std::string MachineWords::thread_name(ThreadIndex thread) const {
  const FunctionId entry = machine_.entry_of(thread);
  const std::string root(!entry.valid()                                  ? ""
                         : program_.functions[entry].source_name.empty() ? program_.functions[entry].name
                                                                         : program_.functions[entry].source_name);
  return thread == 0 ? "main" : "thread " + std::to_string(thread) + " (" + root + ")";
}

ReportAccess MachineWords::describe(ThreadIndex thread, const Bytes& bytes) {
  ReportAccess access;
  bool writes = false, ends = false;
  for (const interpret::TouchedBytes& touch : next_touches(machine_, thread)) {
    if (touch.size == 0 || !overlap({touch.address, touch.size}, bytes)) continue;
    writes = writes || touch.is_write;
    ends = ends || touch.is_end;
    access.is_atomic = access.is_atomic || touch.is_atomic || touch.is_lock;
  }
  access.kind = ends ? "free" : writes ? "write" : "read";
  if (machine_.pending_kind(thread) == OpKind::Section) access.kind += " in an atomic section";
  access.path = name_of(bytes.address);
  access.stack = stack(thread);
  if (const interpret::PendingOp pending = machine_.pending(thread); pending.function.valid()) {
    const ReportFrame top = frame_of({pending.function, pending.instruction});
    access.file = top.file;
    access.line = top.line;
    access.column = top.column;
    access.function = top.function;
  }
  access.thread = thread_name(thread);
  for (const interpret::Address lock : locks_of(thread)) access.locks.push_back(name_of(lock));
  return access;
}

std::vector<std::string> MachineWords::inputs() const { return {machine_.inputs().begin(), machine_.inputs().end()}; }

ReportAccess MachineWords::describe_made(const Deed& deed) {
  ReportAccess access;
  access.kind = deed.kind == DeedKind::Free ? "free" : only_reads(deed.kind) ? "read" : "write";
  access.is_atomic = is_atomic(deed.kind) || uses_object(deed.kind);
  access.path = name_of(deed.address);
  access.thread = thread_name(deed.thread);
  for (const interpret::Address lock : locks_of(deed.thread)) access.locks.push_back(name_of(lock));
  const auto is_it = [&](const interpret::Event& event) {
    return event.address == deed.address && event.size == deed.size &&
           key_of(event.function, event.instruction) == deed.key;
  };
  const std::span<const interpret::Event> events = machine_.events();
  const auto event = std::ranges::find_if(events, is_it);
  if (event == events.end()) return access;
  access.stack = frames_of(machine_.stack_of(*event));
  if (access.stack.empty()) return access;
  const ReportFrame& top = access.stack.front();
  access.file = top.file;
  access.line = top.line;
  access.column = top.column;
  access.function = top.function;
  return access;
}

/// A deadlock has no place of its own.
Ending MachineWords::ending_of(const interpret::RunOutcome& outcome) const {
  Ending ending{kind_of(outcome.kind), outcome.what, outcome.thread, {}};
  if (outcome.kind != OutcomeKind::Deadlock) ending.stack = frames_of(outcome.stack);
  return ending;
}

Ending MachineWords::ending() const { return ending_of(machine_.outcome()); }

std::vector<Ending> MachineWords::avoided() const {
  std::vector<Ending> endings;
  for (const interpret::RunOutcome& outcome : avoided_) endings.push_back(ending_of(outcome));
  return endings;
}

std::vector<Ending> MachineWords::misuses() const {
  std::vector<Ending> misuses;
  for (const interpret::Note& note : machine_.notes())
    if (note.kind == interpret::Note::Kind::LockMisuse)
      misuses.push_back({EndingKind::LockMisused, note.what, note.thread, frames_of(note.stack)});
  return misuses;
}

}  // namespace heddle::explore
