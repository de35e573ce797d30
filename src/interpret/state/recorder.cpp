// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/recorder.h"

#include <algorithm>
#include <cstring>

namespace heddle::interpret {
namespace {

EventKind access_kind(bool is_write, bool is_atomic) {
  if (is_atomic) return is_write ? EventKind::AtomicWrite : EventKind::AtomicRead;
  return is_write ? EventKind::Write : EventKind::Read;
}

}  // namespace

Recorder::Recorder(const MachineOptions& options, Threads& threads)
    : options_(options), threads_(threads), record_(options.record), paths_(1) {}

Event Recorder::here(EventKind kind, Address address) {
  Thread& thread = threads_.running();
  Event event;
  event.kind = kind;
  event.thread = threads_.current();
  event.address = address;
  event.path = path_of(thread);
  if (!thread.frames.empty() && thread.frames.back().code != nullptr) {
    event.function = thread.frames.back().code->id;
    event.instruction = thread.frames.back().pc;
  }
  return event;
}

void Recorder::add_access(const Object& object, Address address, std::uint64_t size, bool is_write, bool is_atomic) {
  Event event = here(access_kind(is_write, is_atomic), address);
  event.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 0xffffffffU));
  std::memcpy(&event.value, object.data + (address - object.base), std::min<std::uint64_t>(size, 8));
  events_.push_back(event);
}

void Recorder::add(EventKind kind, Address address, bool is_lock, std::uint32_t size) {
  Event event = here(kind, address);
  event.is_lock = is_lock;
  event.size = size;
  events_.push_back(event);
}

void Recorder::set_size(std::size_t first, Address address, std::uint32_t size) {
  const auto used =
      std::ranges::find_if(events_.begin() + static_cast<std::ptrdiff_t>(first), events_.end(),
                           [&](const Event& event) { return has_object(event.kind) && event.address == address; });
  if (used != events_.end()) used->size = size;
}

Passage& Recorder::add_passage(Passage::Kind kind, FunctionId function) {
  Passage& passage = passages_.emplace_back();
  passage.kind = kind;
  passage.function = function;
  passage.depth = static_cast<std::uint32_t>(threads_.running().frames.size());
  passage.event = static_cast<std::uint32_t>(events_.size());
  return passage;
}

void Recorder::add_jump(FunctionId function, std::uint32_t from, std::uint32_t to) {
  Passage& passage = add_passage(Passage::Kind::Jump, function);
  passage.from = from;
  passage.to = to;
}

void Recorder::add_enter(const Thread& thread) {
  const auto& frames = thread.frames;
  if (!options_.record_passages || frames.back().code == nullptr || &thread != &threads_.running()) return;
  Passage& passage = add_passage(Passage::Kind::Enter, frames.back().code->id);
  if (frames.size() < 2 || frames[frames.size() - 2].code == nullptr) return;
  passage.caller = frames[frames.size() - 2].code->id;
  passage.from = frames[frames.size() - 2].pc;
}

void Recorder::add_return(const Thread& thread) {
  if (options_.record_passages && thread.frames.back().code != nullptr && &thread == &threads_.running())
    add_passage(Passage::Kind::Return, thread.frames.back().code->id).from = thread.frames.back().pc;
}

void Recorder::clear() {
  events_.clear();
  passages_.clear();
}

void Recorder::drop_from(std::size_t first) {
  events_.resize(first);
  for (auto passage = passages_.rbegin(); passage != passages_.rend() && passage->event > first; ++passage)
    passage->event = static_cast<std::uint32_t>(first);
}

void Recorder::restore(std::vector<Event> events, std::vector<Passage> passages) {
  events_ = std::move(events);
  passages_ = std::move(passages);
}

void Recorder::record_section() {
  if (record_ == MachineOptions::Record::Nothing) record_ = MachineOptions::Record::Shared;
}

std::vector<StackEntry> Recorder::stack_of(const Event& event) const {
  std::vector<StackEntry> out;
  if (event.function.valid()) out.push_back({event.function, event.instruction});
  for (PathId at = event.path; at != 0; at = paths_[at].parent) out.push_back(paths_[at].entry);
  return out;
}

PathId Recorder::path_of(Thread& thread) {
  auto& frames = thread.frames;
  if (frames.empty()) return 0;
  if (frames.back().path != ~PathId{0}) return frames.back().path;
  std::size_t known = frames.size();
  while (known > 0 && frames[known - 1].path == ~PathId{0}) --known;
  for (std::size_t i = known; i < frames.size(); ++i) {
    if (i == 0) {
      frames[0].path = 0;
      continue;
    }
    const Frame& caller = frames[i - 1];
    if (caller.code == nullptr) {
      frames[i].path = caller.path;
      continue;
    }
    const auto key = std::tuple(caller.path, caller.code->id.index(), caller.pc);
    const auto [it, is_new] = path_index_.try_emplace(key, static_cast<PathId>(paths_.size()));
    if (is_new) paths_.push_back({caller.path, {caller.code->id, caller.pc}});
    frames[i].path = it->second;
  }
  return frames.back().path;
}

}  // namespace heddle::interpret
