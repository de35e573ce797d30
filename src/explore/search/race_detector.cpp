// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/race_detector.h"

#include <algorithm>

namespace heddle::explore {

using interpret::EventKind;

namespace {

constexpr std::uint64_t page_bytes = 64;

bool is_atomic_event(const interpret::Event& event) {
  return event.kind == EventKind::AtomicRead || event.kind == EventKind::AtomicWrite;
}

bool acquires(AtomicOrder order) {
  return order == AtomicOrder::Acquire || order == AtomicOrder::AcqRel || order == AtomicOrder::SeqCst;
}

bool releases(AtomicOrder order) {
  return order == AtomicOrder::Release || order == AtomicOrder::AcqRel || order == AtomicOrder::SeqCst;
}

}  // namespace

const Clock& RaceDetector::clock(interpret::ThreadIndex thread) {
  start(thread);
  return threads_[thread];
}

std::uint64_t RaceDetector::bytes() const {
  // A clock reaches to its own thread's number at least: half a square of them.
  const std::uint64_t clocks = threads_.size() * threads_.size() / 2 * sizeof(std::uint32_t);
  return clocks + records_.size() * sizeof(Record) + shadow_.size() * page_bytes * (sizeof(Cell) + sizeof(Access));
}

void RaceDetector::start(interpret::ThreadIndex thread) {
  if (threads_.size() <= thread) threads_.resize(thread + 1);
  Clock& own = threads_[thread];
  if (own.size() <= thread) own.resize(thread + 1);
  if (own[thread] == 0) own[thread] = 1;
}

void RaceDetector::tick(interpret::ThreadIndex thread) { ++threads_[thread][thread]; }

void RaceDetector::follow(std::uint32_t step, std::span<const interpret::Event> events) {
  step_ = step;
  for (std::size_t i = 0; i < events.size() && !race_; ++i) {
    const interpret::Event& event = events[i];
    start(event.thread);
    if (event.kind == EventKind::Spawn) i += follow_handle(events.subspan(i + 1), event);
    follow_event(event);
  }
}

/// The new thread's handle is written by the same call, before the thread exists: the creation is one operation.
std::size_t RaceDetector::follow_handle(std::span<const interpret::Event> rest, const interpret::Event& spawn) {
  std::size_t count = 0;
  while (count < rest.size() && rest[count].kind == EventKind::Write && rest[count].function == spawn.function &&
         rest[count].instruction == spawn.instruction)
    follow_event(rest[count++]);
  return count;
}

void RaceDetector::follow_event(const interpret::Event& event) {
  Clock& own = threads_[event.thread];
  use_lock(event);
  switch (event.kind) {
    case EventKind::Read: return access(event, false, false);
    case EventKind::Free: check_locks_in(event); [[fallthrough]];
    case EventKind::Write: return access(event, true, false);
    case EventKind::AtomicRead: return access(event, false, true);
    case EventKind::AtomicWrite: return access(event, true, true);
    case EventKind::Acquire: join(own, locks_[event.address].exclusive); return join(own, locks_[event.address].shared);
    case EventKind::AcquireShared: return join(own, locks_[event.address].exclusive);
    case EventKind::Release: join(locks_[event.address].exclusive, own); return tick(event.thread);
    case EventKind::ReleaseShared: join(locks_[event.address].shared, own); return tick(event.thread);
    case EventKind::Spawn: {
      const auto child = static_cast<interpret::ThreadIndex>(event.address);
      const Clock parent = own;
      start(child);
      join(threads_[child], parent);
      return tick(event.thread);
    }
    case EventKind::Join: {
      const auto child = static_cast<interpret::ThreadIndex>(event.address);
      if (const auto end = ended_.find(child); end != ended_.end()) join(own, end->second);
      return;
    }
    case EventKind::ThreadEnd: ended_[event.thread] = own; return tick(event.thread);
    case EventKind::SectionBegin:
      in_section_ = true;
      section_.clear();
      return;
    case EventKind::SectionEnd: return end_section(event.thread);
    case EventKind::SectionFailed:
      in_section_ = false;
      section_.clear();
      return;
    case EventKind::SyncReset: return;
  }
}

void RaceDetector::use_lock(const interpret::Event& event) {
  switch (event.kind) {
    case EventKind::Acquire:
    case EventKind::AcquireShared:
    case EventKind::Release:
    case EventKind::ReleaseShared: break;
    default: return;
  }
  Clock& uses = locks_[event.address].uses;
  if (uses.size() <= event.thread) uses.resize(event.thread + 1);
  uses[event.thread] = threads_[event.thread][event.thread];
}

/// A use that nothing orders in front of the end of the memory could come behind it.
void RaceDetector::check_locks_in(const interpret::Event& freed) {
  const Clock& own = threads_[freed.thread];
  for (auto lock = locks_.lower_bound(freed.address); lock != locks_.end() && lock->first < freed.address + freed.size;
       ++lock)
    for (std::size_t t = 0; t < lock->second.uses.size(); ++t)
      if (t != freed.thread && lock->second.uses[t] > (t < own.size() ? own[t] : 0))
        unclear_ = "memory is freed while a lock in it may be in use";
}

/// Before the order that the pair itself would give.
void RaceDetector::check_unclear(const interpret::Event& event, bool writes, bool is_atomic) {
  const auto is_unclear = [&](const Access& earlier) {
    if (earlier.epoch == 0 || earlier.thread == event.thread || ordered(earlier, event.thread)) return false;
    const Record& record = records_[earlier.record];
    const bool was_atomic = is_atomic_event(record.event);
    return (is_atomic && !in_section_ && record.in_section && !was_atomic) ||
           (in_section_ && !is_atomic && was_atomic && !record.in_section);
  };
  for (std::uint64_t i = 0; i < event.size && unclear_.empty(); ++i) {
    const interpret::Address at = event.address + i;
    const auto page = shadow_.find(at / page_bytes);
    if (page == shadow_.end()) continue;
    const Cell& cell = page->second[at % page_bytes];
    if (is_unclear(cell.write) || (writes && std::ranges::any_of(cell.reads, is_unclear)))
      unclear_ = "an atomic access meets a plain one inside an atomic section";
  }
}

void RaceDetector::access(const interpret::Event& event, bool writes, bool is_atomic) {
  if (is_atomic != in_section_ && unclear_.empty()) check_unclear(event, writes, is_atomic);
  const bool by_order = orders_ != nullptr && is_atomic && !in_section_;
  if (by_order) {
    const Instruction* at = instruction_of(event);
    // Whether an exchange succeeds is not known yet: the stronger of its two orders misses races and invents none.
    const bool takes = at == nullptr || acquires(at->order) ||
                       (at->opcode == Opcode::CmpXchg && acquires(static_cast<AtomicOrder>(at->detail)));
    if (takes && !writes) synchronise(event, false);
  } else if (is_atomic || in_section_) {
    synchronise(event, writes);
  }
  std::uint32_t record = 0;
  for (std::uint64_t i = 0; i < event.size && !race_; ++i) {
    const interpret::Address at = event.address + i;
    std::vector<Cell>& page = shadow_[at / page_bytes];
    if (page.empty()) page.resize(page_bytes);
    check_byte(page[at % page_bytes], event, writes, is_atomic, record);
  }
  if (in_section_) {
    section_.push_back(event);
  } else if (is_atomic) {
    if (!by_order)
      publish(event, writes);
    else if (writes)
      publish_by_order(event);
    tick(event.thread);
  }
}

bool RaceDetector::ordered(const Access& earlier, interpret::ThreadIndex thread) {
  const Clock& own = threads_[thread];
  return earlier.thread < own.size() && own[earlier.thread] >= earlier.epoch;
}

bool RaceDetector::conflicts(const Access& earlier, const interpret::Event& event, bool is_atomic) const {
  if (earlier.epoch == 0 || earlier.thread == event.thread) return false;
  const Record& record = records_[earlier.record];
  const bool was_controlled = record.in_section || is_atomic_event(record.event);
  return !(was_controlled && (is_atomic || in_section_));
}

void RaceDetector::check_byte(Cell& cell, const interpret::Event& event, bool writes, bool is_atomic,
                              std::uint32_t& record) {
  const std::uint32_t epoch = threads_[event.thread][event.thread];
  if (cell.write.epoch == epoch && cell.write.thread == event.thread && cell.reads.empty()) return;
  if (!writes && cell.reads.size() == 1 && cell.reads[0].epoch == epoch && cell.reads[0].thread == event.thread) return;
  if (conflicts(cell.write, event, is_atomic) && !ordered(cell.write, event.thread)) return report(cell.write, event);
  if (writes)
    for (const Access& read : cell.reads)
      if (conflicts(read, event, is_atomic) && !ordered(read, event.thread)) return report(read, event);
  if (record == 0) {
    if (records_.empty()) records_.emplace_back();  // number 0 means none
    record = static_cast<std::uint32_t>(records_.size());
    records_.push_back({event, step_, in_section_});
  }
  const Access now{event.thread, epoch, record};
  if (writes) {
    // A controlled write may leave reads behind that are not ordered with it: a later plain write must still meet them.
    std::erase_if(cell.reads, [&](const Access& read) { return ordered(read, event.thread); });
    cell.write = now;
    return;
  }
  const auto same = std::ranges::find_if(cell.reads, [&](const Access& read) { return read.thread == event.thread; });
  if (same == cell.reads.end())
    cell.reads.push_back(now);
  else
    *same = now;
}

void RaceDetector::report(const Access& earlier, const interpret::Event& event) {
  const Record& record = records_[earlier.record];
  race_ = DetectedRace{{record.event, record.step, record.in_section}, {event, step_, in_section_}};
}

void RaceDetector::synchronise(const interpret::Event& event, bool writes) {
  Clock& own = threads_[event.thread];
  const interpret::Address from = event.address > largest_sync_ ? event.address - largest_sync_ : 0;
  for (auto cell = sync_.lower_bound({from, 0}); cell != sync_.end(); ++cell) {
    const auto [address, size] = cell->first;
    if (address >= event.address + event.size) break;
    if (address + size <= event.address) continue;
    join(own, cell->second.writes);
    if (writes) join(own, cell->second.reads);
  }
}

void RaceDetector::publish(const interpret::Event& event, bool writes) {
  SyncCell& cell = sync_[{event.address, event.size}];
  largest_sync_ = std::max<std::uint64_t>(largest_sync_, event.size);
  join(writes ? cell.writes : cell.reads, threads_[event.thread]);
}

const Instruction* RaceDetector::instruction_of(const interpret::Event& event) const {
  if (!event.function.valid()) return nullptr;
  const Function& function = orders_->functions[event.function];
  if (event.instruction >= function.instructions.size()) return nullptr;
  const Instruction& at = function.instructions[event.instruction];
  return at.is_atomic() ? &at : nullptr;  // a library call: sequentially consistent
}

/// A store replaces what readers get; an update adds to it, or at least leaves the release sequence whole.
void RaceDetector::publish_by_order(const interpret::Event& event) {
  const Instruction* at = instruction_of(event);
  const bool is_update = at != nullptr && at->opcode != Opcode::Store;
  SyncCell& cell = sync_[{event.address, event.size}];
  largest_sync_ = std::max<std::uint64_t>(largest_sync_, event.size);
  if (!is_update) cell.writes.clear();
  if (at == nullptr || releases(at->order)) join(cell.writes, threads_[event.thread]);
}

void RaceDetector::end_section(interpret::ThreadIndex thread) {
  for (const interpret::Event& event : section_)
    publish(event, event.kind != EventKind::Read && event.kind != EventKind::AtomicRead);
  section_.clear();
  in_section_ = false;
  tick(thread);
}

std::vector<interpret::Event> unfinished_section(std::span<const interpret::Event> step,
                                                 interpret::ThreadIndex thread) {
  const auto begin = std::ranges::find(step, EventKind::SectionBegin, &interpret::Event::kind);
  if (begin == step.end() || std::ranges::find(step, EventKind::SectionEnd, &interpret::Event::kind) != step.end())
    return {};
  std::vector<interpret::Event> section(begin, step.end());
  section.emplace_back().kind = EventKind::SectionFailed;
  section.back().thread = thread;
  return section;
}

}  // namespace heddle::explore
