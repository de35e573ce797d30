// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/race_detector.h"

#include <algorithm>

namespace heddle::explore {

namespace {

constexpr std::uint64_t page_bytes = 64;
constexpr std::uint64_t record_bytes = 48;  // about: budgets rest on it, so it does not change with the type

}  // namespace

const Clock& RaceDetector::clock(ThreadIndex thread) {
  start(thread);
  return threads_[thread];
}

std::uint64_t RaceDetector::bytes() const {
  // A clock reaches to its own thread's number at least: half a square of them.
  const std::uint64_t clocks = threads_.size() * threads_.size() / 2 * sizeof(std::uint32_t);
  return clocks + records_.size() * record_bytes + shadow_.size() * page_bytes * (sizeof(Cell) + sizeof(Access));
}

void RaceDetector::start(ThreadIndex thread) {
  if (threads_.size() <= thread) threads_.resize(thread + 1);
  Clock& own = threads_[thread];
  if (own.size() <= thread) own.resize(thread + 1);
  if (own[thread] == 0) own[thread] = 1;
}

void RaceDetector::tick(ThreadIndex thread) { ++threads_[thread][thread]; }

void RaceDetector::follow(std::uint32_t step, std::span<const Deed> deeds) {
  step_ = step;
  for (std::size_t i = 0; i < deeds.size() && !race_; ++i) {
    const Deed& deed = deeds[i];
    start(deed.thread);
    if (deed.kind == DeedKind::Spawn)
      i += follow_creation(deeds.subspan(i));
    else
      follow_deed(deed);
  }
}

/// The call also writes the new thread's handle. In every run it does so before the thread exists; but nobody promises
/// that, so an access that comes behind the creation alone is unclear. How many deeds belong to it, besides the Spawn.
std::size_t RaceDetector::follow_creation(std::span<const Deed> deeds) {
  const Deed& spawn = deeds.front();
  std::size_t count = 0;
  while (count + 1 < deeds.size() && deeds[count + 1].kind == DeedKind::Write && deeds[count + 1].key == spawn.key)
    follow_deed(deeds[++count]);
  follow_deed(spawn);
  const Access behind{spawn.thread, threads_[spawn.thread][spawn.thread], 0};
  for (const Deed& handle : deeds.subspan(1, count)) handles_[handle.address] = {handle.size, behind};
  return count;
}

void RaceDetector::check_handles(const Deed& deed) {
  const std::uint64_t end = deed.address + deed.size;
  for (auto at = handles_.lower_bound(deed.address - std::min<std::uint64_t>(deed.address, page_bytes));
       at != handles_.end() && at->first < end; ++at)
    if (at->first + at->second.size > deed.address && at->second.written.thread != deed.thread &&
        !ordered(at->second.written, deed.thread))
      unclear_ = "the handle of a thread is used where it may not be written yet";
}

/// What an operation on a lock gives comes behind its access to the lock's bytes, what it takes in front of it.
void RaceDetector::follow_deed(const Deed& deed) {
  const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
  use_lock(deed);
  if (deed.is_use && gives) touch_object(deed);
  follow_order(deed);
  if (deed.is_use && !gives) touch_object(deed);
}

void RaceDetector::follow_order(const Deed& deed) {
  Clock& own = threads_[deed.thread];
  if (is_lenient() && uses_object(deed.kind) && deed.kind != DeedKind::Asks) return use(deed);
  switch (deed.kind) {
    case DeedKind::Read: return access(deed, false, false);
    case DeedKind::Free: check_locks_in(deed); [[fallthrough]];
    case DeedKind::Write: return access(deed, true, false);
    case DeedKind::AtomicRead: return access(deed, false, true);
    case DeedKind::AtomicWrite: return access(deed, true, true);
    case DeedKind::AcquireShared: return join(own, locks_[deed.address].exclusive);
    case DeedKind::Acquire: join(own, locks_[deed.address].exclusive); return join(own, locks_[deed.address].shared);
    case DeedKind::Release: return give(deed, locks_[deed.address].exclusive);
    case DeedKind::ReleaseShared: return give(deed, locks_[deed.address].shared);
    case DeedKind::Spawn: {
      const auto child = static_cast<ThreadIndex>(deed.address);
      const Clock parent = atomics_.given(deed.thread, own);
      start(child);
      join(threads_[child], parent);
      return tick(deed.thread);
    }
    case DeedKind::Join: {
      const auto child = static_cast<ThreadIndex>(deed.address);
      if (const auto end = ended_.find(child); end != ended_.end()) join(own, end->second);
      return;
    }
    case DeedKind::ThreadEnd: return give(deed, ended_[deed.thread]);
    case DeedKind::SectionBegin:
      in_section_ = true;
      section_.clear();
      return;
    case DeedKind::SectionEnd: return end_section(deed.thread);
    case DeedKind::SectionFailed:
      in_section_ = false;
      section_.clear();
      return;
    case DeedKind::Fence:
      if (!follows_orders()) return;
      atomics_.fence(deed, own);
      return tick(deed.thread);
    case DeedKind::Uses:
    case DeedKind::Asks:
    case DeedKind::SyncReset: return;
  }
}

void RaceDetector::give(const Deed& deed, Clock& to) {
  join(to, atomics_.given(deed.thread, threads_[deed.thread]));
  tick(deed.thread);
}

/// Behind every other use of the object, and before every later one.
void RaceDetector::use(const Deed& deed) {
  SharedLock& object = locks_[deed.address];
  join(threads_[deed.thread], object.exclusive);
  join(threads_[deed.thread], object.shared);
  give(deed, object.exclusive);
}

void RaceDetector::use_lock(const Deed& deed) {
  const bool is_passing = deed.kind == DeedKind::Uses || deed.kind == DeedKind::Asks;
  if (!uses_object(deed.kind) || (is_passing && !deed.is_use)) return;
  SharedLock& lock = locks_[deed.address];
  if (!deed.is_use && lock.size != 0) return;  // the end of an operation that has touched it
  if (lock.uses.size() <= deed.thread) lock.uses.resize(deed.thread + 1);
  Use& use = lock.uses[deed.thread];
  use.epoch = threads_[deed.thread][deed.thread];
  use.access = {deed, step_, in_section_};
}

/// A use that nothing orders in front of the end of the memory could come behind it.
void RaceDetector::check_locks_in(const Deed& freed) {
  const Clock& own = threads_[freed.thread];
  for (auto lock = locks_.lower_bound(freed.address); lock != locks_.end() && lock->first < freed.address + freed.size;
       ++lock)
    for (std::size_t t = 0; t < lock->second.uses.size(); ++t)
      if (t != freed.thread && lock->second.uses[t].epoch > (t < own.size() ? own[t] : 0))
        unclear_ = "memory is freed while a lock in it may be in use";
}

void RaceDetector::Page::make_finer(std::uint32_t wanted) {
  if (wanted >= bytes) return;
  std::vector<Cell> finer;
  finer.reserve(page_bytes / wanted);
  for (std::uint64_t at = 0; at < page_bytes; at += wanted) finer.push_back(cells[at / bytes]);
  cells = std::move(finer);
  bytes = wanted;
}

RaceDetector::Page& RaceDetector::page_of(std::uint64_t at) {
  const std::uint64_t number = at / page_bytes;
  if (number == last_.number) return *last_.page;
  Page& page = shadow_[number];
  if (page.cells.empty()) page.cells.resize(1);
  last_.number = number;
  last_.page = &page;  // stays where it is
  return page;
}

void RaceDetector::mark_lock(const Deed& deed, SharedLock& lock) {
  lock.size = deed.size;
  largest_lock_ = std::max(largest_lock_, lock.size);
  for (std::uint64_t at = deed.address; at < deed.address + deed.size; ++at)
    page_of(at).locks |= 1ULL << (at % page_bytes);
}

/// The operation is an atomic access to the object's bytes, setting it up or destroying it a plain write. The order
/// that it brings is not by these bytes.
void RaceDetector::touch_object(const Deed& deed) {
  if (!handles_.empty() && unclear_.empty()) check_handles(deed);
  if (deed.kind == DeedKind::SyncReset) return check_bytes(deed, true, false);
  SharedLock& lock = locks_[deed.address];
  if (lock.size < deed.size) mark_lock(deed, lock);
  Use& use = lock.uses[deed.thread];
  if (use.checked == lock.disturbed || in_section_) return;
  use.checked = lock.disturbed;
  const auto meets = [&](const Access& earlier) { return races(earlier, deed, true); };
  for (std::uint64_t at = deed.address; at < deed.address + deed.size; ++at) {
    const Cell& cell = page_of(at).at(at);
    if (meets(cell.write) && report(cell.write, deed)) return;
    if (const Access* write = unordered_write(deed, at, true); write != nullptr && report(*write, deed)) return;
    if (const auto read = std::ranges::find_if(cell.reads, meets); read != cell.reads.end() && report(*read, deed))
      return;
  }
}

/// A plain access to bytes of locks.
void RaceDetector::check_uses(const Deed& deed) {
  const Clock& own = threads_[deed.thread];
  auto lock = locks_.lower_bound(deed.address > largest_lock_ ? deed.address - largest_lock_ : 0);
  for (; lock != locks_.end() && lock->first < deed.address + deed.size; ++lock) {
    if (deed.address >= lock->first + lock->second.size) continue;
    ++lock->second.disturbed;
    const std::vector<Use>& uses = lock->second.uses;
    for (std::size_t t = 0; t < uses.size() && !race_; ++t)
      if (t != deed.thread && uses[t].epoch > (t < own.size() ? own[t] : 0) && !uses[t].access.in_section &&
          is_looked_for(uses[t].access.deed.key, deed.key))
        report(uses[t].access, deed);
  }
}

/// Before the order that the pair itself would give.
void RaceDetector::check_unclear(const Deed& deed, bool writes, bool is_atomic) {
  const auto is_unclear = [&](const Access& earlier) {
    if (earlier.epoch == 0 || earlier.thread == deed.thread || ordered(earlier, deed.thread)) return false;
    const Record& record = records_[earlier.record];
    const bool was_atomic = explore::is_atomic(record.deed.kind);
    return (is_atomic && !in_section_ && record.in_section && !was_atomic) ||
           (in_section_ && !is_atomic && was_atomic && !record.in_section);
  };
  for (std::uint64_t i = 0; i < deed.size && unclear_.empty(); ++i) {
    const std::uint64_t at = deed.address + i;
    const auto page = shadow_.find(at / page_bytes);
    if (page == shadow_.end() || page->second.cells.empty()) continue;
    const Cell& cell = page->second.at(at);
    if (is_unclear(cell.write) || (writes && std::ranges::any_of(cell.reads, is_unclear)))
      unclear_ = "an atomic access meets a plain one inside an atomic section";
  }
}

void RaceDetector::access(const Deed& deed, bool writes, bool is_atomic) {
  if (is_atomic != in_section_ && unclear_.empty()) check_unclear(deed, writes, is_atomic);
  if (!handles_.empty() && unclear_.empty()) check_handles(deed);
  const bool is_sync = is_atomic || in_section_;
  const bool by_order = follows_orders() && is_atomic && !in_section_;
  if (is_sync) synchronise(deed, writes);  // by order: only sections have published what is found there
  if (by_order && !writes) atomics_.read(deed, threads_[deed.thread]);
  if (is_sync && !by_order) atomics_.read_all({deed.address, deed.size}, threads_[deed.thread]);
  if (watch_ != nullptr) watch_->see(deed, is_sync, threads_[deed.thread]);
  check_bytes(deed, writes, is_atomic);
  if (in_section_) {
    section_.push_back(deed);
  } else if (is_atomic) {
    if (!by_order)
      publish(deed, writes);
    else if (writes)
      atomics_.write(deed, threads_[deed.thread]);
    tick(deed.thread);
  }
}

void RaceDetector::check_bytes(const Deed& deed, bool writes, bool is_atomic) {
  if (only_ && !only_->has(deed.key)) return;
  std::uint32_t record = 0;
  bool has_locks = false;
  const std::uint64_t last = deed.address + deed.size;
  for (std::uint64_t at = deed.address; at < last && !race_;) {
    Page& page = page_of(at);
    const std::uint64_t start = at - at % page_bytes, end = std::min(last, start + page_bytes);
    const std::uint64_t marks = (at - start) | (end - start) | page_bytes;
    page.make_finer(static_cast<std::uint32_t>(marks & (~marks + 1)));
    if (page.locks != 0)
      for (std::uint64_t byte = at; byte < end; ++byte)
        has_locks = has_locks || (page.locks >> (byte - start) & 1) != 0;
    for (; at < end && !race_; at += page.bytes)
      check_cell({at, page.bytes}, page.at(at), deed, writes, is_atomic, record);
  }
  if (has_locks && !is_atomic && !in_section_ && !race_) check_uses(deed);
}

bool RaceDetector::ordered(const Access& earlier, ThreadIndex thread) {
  const Clock& own = threads_[thread];
  return earlier.thread < own.size() && own[earlier.thread] >= earlier.epoch;
}

/// The same for an access, which may depend on something that its thread consumed.
bool RaceDetector::ordered(const Access& earlier, const Deed& deed) {
  return ordered(earlier, deed.thread) ||
         (deed.depends && atomics_.consumed(deed.thread, earlier.thread, earlier.epoch));
}

bool RaceDetector::conflicts(const Access& earlier, const Deed& deed, bool is_atomic) const {
  if (earlier.epoch == 0 || earlier.thread == deed.thread) return false;
  const Record& record = records_[earlier.record];
  const bool was_controlled = record.in_section || explore::is_atomic(record.deed.kind);
  return !(was_controlled && (is_atomic || in_section_));
}

/// Nothing orders them, and one of them writes (the caller knows that).
bool RaceDetector::races(const Access& earlier, const Deed& deed, bool is_atomic) {
  return conflicts(earlier, deed, is_atomic) && !ordered(earlier, deed) &&
         is_looked_for(records_[earlier.record].deed.key, deed.key);
}

void RaceDetector::check_cell(const Part& part, Cell& cell, const Deed& deed, bool writes, bool is_atomic,
                              std::uint32_t& record) {
  const std::uint32_t epoch = threads_[deed.thread][deed.thread];
  // The first access of an epoch stands for the others, unless one of them is looked for.
  if (!only_ && cell.write.epoch == epoch && cell.write.thread == deed.thread && cell.reads.empty()) return;
  if (!only_ && !writes && cell.reads.size() == 1 && cell.reads[0].epoch == epoch &&
      cell.reads[0].thread == deed.thread)
    return;
  if (races(cell.write, deed, is_atomic) && report(cell.write, deed)) return;
  if (const Access* write = unordered_write(deed, part.at, is_atomic); write != nullptr && report(*write, deed)) return;
  if (writes)
    for (const Access& read : cell.reads)
      if (races(read, deed, is_atomic) && report(read, deed)) return;
  if (record == 0) {
    if (records_.empty()) records_.emplace_back();  // number 0 means none
    record = static_cast<std::uint32_t>(records_.size());
    records_.push_back({deed, step_, in_section_});
  }
  const Access now{deed.thread, epoch, record};
  if (writes) {
    // A controlled write may leave reads behind that are not ordered with it: a later plain write must still meet them.
    std::erase_if(cell.reads, [&](const Access& read) { return ordered(read, deed.thread); });
    if (cell.write.epoch != 0 && cell.write.thread != deed.thread && !ordered(cell.write, deed.thread))
      for (std::uint32_t i = 0; i < part.bytes; ++i) unordered_writes_[part.at + i].push_back(cell.write);
    cell.write = now;
    return;
  }
  const auto same = std::ranges::find_if(cell.reads, [&](const Access& read) { return read.thread == deed.thread; });
  if (same == cell.reads.end())
    cell.reads.push_back(now);
  else
    *same = now;
}

/// A write of another thread that conflicts with the access and is neither the last one nor in front of it.
const RaceDetector::Access* RaceDetector::unordered_write(const Deed& deed, std::uint64_t at, bool is_atomic) {
  const auto writes = unordered_writes_.find(at);
  if (writes == unordered_writes_.end()) return nullptr;
  const auto found =
      std::ranges::find_if(writes->second, [&](const Access& write) { return races(write, deed, is_atomic); });
  return found == writes->second.end() ? nullptr : &*found;
}

/// False: nobody knows whether both are made.
bool RaceDetector::report(const Access& earlier, const Deed& deed) {
  const Record& record = records_[earlier.record];
  if (!record.deed.is_certain || !deed.is_certain) {
    unclear_ = "a library call may touch memory that another thread accesses";
    return false;
  }
  return report(DetectedAccess{record.deed, record.step, record.in_section}, deed);
}

/// False: the run goes on.
bool RaceDetector::report(const DetectedAccess& earlier, const Deed& deed) {
  if (watch_ != nullptr) {
    watch_->meet(earlier.deed.key, deed.key);
    return false;
  }
  race_ = DetectedRace{earlier, {deed, step_, in_section_}};
  return true;
}

void RaceDetector::synchronise(const Deed& deed, bool writes) {
  Clock& own = threads_[deed.thread];
  const std::uint64_t from = deed.address > largest_sync_ ? deed.address - largest_sync_ : 0;
  for (auto cell = sync_.lower_bound({from, 0}); cell != sync_.end(); ++cell) {
    const auto [address, size] = cell->first;
    if (address >= deed.address + deed.size) break;
    if (address + size <= deed.address) continue;
    join(own, cell->second.writes);
    if (writes) join(own, cell->second.reads);
  }
}

void RaceDetector::publish(const Deed& deed, bool writes) {
  SyncCell& cell = sync_[{deed.address, deed.size}];
  largest_sync_ = std::max<std::uint64_t>(largest_sync_, deed.size);
  join(writes ? cell.writes : cell.reads, threads_[deed.thread]);
}

void RaceDetector::end_section(ThreadIndex thread) {
  for (const Deed& deed : section_) publish(deed, !only_reads(deed.kind));
  section_.clear();
  in_section_ = false;
  tick(thread);
}

}  // namespace heddle::explore
