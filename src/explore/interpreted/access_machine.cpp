// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>

#include "explore/evidence/replay.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;
using interpret::ThreadIndex;
using interpret::Touch;

namespace {

interpret::MachineOptions access_options(std::uint32_t max_threads) {
  interpret::MachineOptions options;
  options.switch_at_accesses = true;
  options.max_threads = max_threads;
  options.max_instructions = 200'000'000;
  options.max_heap_bytes = 256ULL << 20;
  return options;
}

}  // namespace

ReportFrame frame_of(const Program& program, const interpret::StackEntry& entry) {
  ReportFrame frame;
  if (!entry.function.valid()) return frame;
  const Function& function = program.functions[entry.function];
  frame.function = function.shown_name();
  if (entry.instruction >= function.instructions.size()) return frame;
  const LocationId at = function.instructions[entry.instruction].location;
  if (!at.valid()) return frame;
  const Location& location = program.locations[at];
  if (location.file.valid()) frame.file = program.files[location.file].path;
  frame.line = location.line;
  frame.column = location.column;
  return frame;
}

AccessMachine::AccessMachine(const Program& program, const api::ApiModels& models, interpret::Chooser& chooser,
                             std::uint32_t max_threads)
    : program_(program), machine_(program, models, access_options(max_threads), chooser), children_(1), held_(1) {}

bool AccessMachine::step(ThreadIndex thread) {
  if (machine_.outcome().kind != interpret::OutcomeKind::Running) return false;
  if (thread >= machine_.thread_count() || !machine_.is_enabled(thread)) return false;
  const interpret::StepResult result = machine_.step(thread);
  if (result.kind == interpret::StepResult::Kind::NotEnabled) return false;
  for (const interpret::Event& event : machine_.events()) {
    if (held_.size() <= event.thread) held_.resize(event.thread + 1);
    std::vector<interpret::Address>& held = held_[event.thread];
    if (event.kind == EventKind::Spawn) {
      if (children_.size() <= event.thread) children_.resize(event.thread + 1);
      children_[event.thread].push_back(static_cast<ThreadIndex>(event.address));
    } else if (event.is_lock && (event.kind == EventKind::Acquire || event.kind == EventKind::AcquireShared)) {
      held.push_back(event.address);
    } else if (event.is_lock && (event.kind == EventKind::Release || event.kind == EventKind::ReleaseShared)) {
      if (const auto lock = std::ranges::find(held, event.address); lock != held.end()) held.erase(lock);
    }
  }
  return true;
}

ThreadIndex AccessMachine::child(ThreadIndex creator, std::uint32_t ordinal) const {
  if (creator >= children_.size() || ordinal >= children_[creator].size()) return interpret::no_thread;
  return children_[creator][ordinal];
}

std::vector<std::string> AccessMachine::locks_of(ThreadIndex thread) const {
  std::vector<std::string> names;
  if (thread >= held_.size()) return names;
  for (const interpret::Address lock : held_[thread]) names.push_back(name_of(lock));
  return names;
}

std::string AccessMachine::name_of(interpret::Address address) const {
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

std::string AccessMachine::value_at(const Touch& bytes) const {
  constexpr std::array<char, 17> digits{"0123456789abcdef"};
  std::string text;
  std::vector<std::uint8_t> content = machine_.bytes(bytes.address, std::min<std::size_t>(bytes.size, 16));
  if (program_.layout.little_endian) std::ranges::reverse(content);
  for (const std::uint8_t byte : content) (text += digits[byte >> 4U]) += digits[byte & 15U];
  return text.empty() ? text : "0x" + text;
}

std::string AccessMachine::thread_name(ThreadIndex thread) const {
  const FunctionId entry = machine_.entry_of(thread);
  const std::string root(entry.valid() ? program_.functions[entry].shown_name() : "");
  return thread == 0 ? "main" : "thread " + std::to_string(thread) + " (" + root + ")";
}

ReportAccess AccessMachine::describe(ThreadIndex thread, const Touch& bytes) {
  ReportAccess access;
  bool writes = false;
  for (const Touch& touch : next_touches(thread)) {
    if (touch.is_lock || touch.address >= bytes.address + bytes.size || bytes.address >= touch.address + touch.size)
      continue;
    writes = writes || touch.is_write;
    access.is_atomic = access.is_atomic || touch.is_atomic;
  }
  access.kind = writes ? "write" : "read";
  if (machine_.pending_kind(thread) == OpKind::Section) access.kind += " in an atomic section";
  access.path = name_of(bytes.address);
  for (const interpret::StackEntry& entry : machine_.stack(thread)) access.stack.push_back(frame_of(program_, entry));
  if (const interpret::PendingOp pending = machine_.pending(thread); pending.function.valid()) {
    const ReportFrame top = frame_of(program_, {pending.function, pending.instruction});
    access.file = top.file;
    access.line = top.line;
    access.column = top.column;
    access.function = top.function;
  }
  access.thread = thread_name(thread);
  access.locks = locks_of(thread);
  return access;
}

}  // namespace heddle::explore
