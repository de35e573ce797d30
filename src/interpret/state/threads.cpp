// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/threads.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::interpret {
namespace {

Thread nobody() {
  Thread thread;
  thread.status = ThreadStatus::Finished;
  thread.op = OpKind::None;
  return thread;
}

bool is_nobody(const Thread& thread) { return !thread.entry.valid() && thread.op == OpKind::None; }

/// Slots above the top frame are dead.
std::size_t used_slots(const Thread& thread) {
  if (thread.frames.empty()) return 0;
  const Frame& top = thread.frames.back();
  return std::min<std::size_t>(top.base + (top.code == nullptr ? 0 : top.code->frame_slots), thread.slots.size());
}

}  // namespace

Threads::Threads(const MachineOptions& options, UndoLog& log) : options_(options), log_(log) {
  threads_.emplace_back();
}

std::optional<ThreadIndex> Threads::add() {
  const std::uint32_t ordinal = running().children++;
  auto index = static_cast<ThreadIndex>(threads_.size());
  if (options_.stable_threads) {
    const auto next = static_cast<ThreadIndex>(names_.size() + 1);
    index = names_.try_emplace({current_, ordinal}, next).first->second;
  }
  if (index >= options_.max_threads) return std::nullopt;
  while (threads_.size() <= index) threads_.push_back(nobody());
  HEDDLE_CHECK(is_nobody(threads_[index]), "two threads with one number");
  threads_[index] = {};
  threads_[index].creator = current_;
  threads_[index].ordinal = ordinal;
  threads_[index].saved_in = log_.epoch();
  if (log_.is_on()) log_.add({LogEntry::Kind::NewThread, 0, index, 0, 0, 0});
  ++live_;
  return index;
}

void Threads::finish(Thread& thread) {
  thread.status = ThreadStatus::Finished;
  thread.op = OpKind::None;
  --live_;
}

void Threads::remove(ThreadIndex index) {
  threads_[index] = nobody();
  while (threads_.size() > 1 && is_nobody(threads_.back())) threads_.pop_back();
}

ThreadIndex Threads::with_handle(std::uint64_t handle) const {
  const std::uint64_t index = handle - handle_of(0);
  if (index >= threads_.size() || (index > 0 && is_nobody(threads_[index]))) return no_thread;
  return static_cast<ThreadIndex>(index);
}

std::vector<StackEntry> Threads::stack(ThreadIndex index) const {
  std::vector<StackEntry> out;
  const auto& frames = threads_[index].frames;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    if (frame->code != nullptr) out.push_back({frame->code->id, frame->pc});
  return out;
}

void Threads::save(ThreadIndex index) {
  Thread& thread = threads_[index];
  if (!log_.is_on() || thread.saved_in == log_.epoch()) return;
  if (saves_.size() == save_count_) saves_.emplace_back();
  saves_[save_count_].index = index;
  Thread& save = saves_[save_count_].thread;
  ++save_count_;
  const auto used = static_cast<std::ptrdiff_t>(used_slots(thread));
  std::vector<Slot> kept = std::move(thread.slots);
  std::vector<Slot> reused = std::move(save.slots);
  thread.slots.clear();
  save = thread;
  reused.assign(kept.begin(), kept.begin() + used);
  save.slots = std::move(reused);
  thread.slots = std::move(kept);
  thread.saved_in = log_.epoch();
  log_.add({LogEntry::Kind::Thread, 0, index, 0, 0, 0});
}

void Threads::undo(const LogEntry& entry) {
  if (entry.kind == LogEntry::Kind::NewThread) {
    remove(entry.id);
    return;
  }
  --save_count_;
  HEDDLE_CHECK(saves_[save_count_].index == entry.id, "copies of threads lie in the order of the log");
  std::swap(threads_[entry.id], saves_[save_count_].thread);
}

void Threads::count_live() {
  live_ = static_cast<std::size_t>(
      std::ranges::count_if(threads_, [](const Thread& t) { return t.status != ThreadStatus::Finished; }));
}

}  // namespace heddle::interpret
