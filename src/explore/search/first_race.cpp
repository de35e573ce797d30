// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/first_race.h"

#include <algorithm>
#include <map>

namespace heddle::explore {
namespace {

constexpr std::uint64_t lock_bytes = 4;  // of a lock that says nothing: the smallest, a spin lock

void follow(const Executor& executor, RaceDetector& detector) {
  for (std::size_t i = 0; i < executor.steps() && !detector.race(); ++i)
    detector.follow(static_cast<std::uint32_t>(i), executor.deeds_of(i));
}

struct Locks {
  std::map<std::uint64_t, std::uint64_t> all;            ///< with their sizes
  std::set<std::pair<ThreadIndex, std::uint64_t>> held;  ///< at the end
  std::uint64_t largest = 0;
};

Locks locks_of(const Executor& executor) {
  Locks locks;
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i)) {
      const bool takes = deed.kind == DeedKind::Acquire || deed.kind == DeedKind::AcquireShared;
      const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
      if (takes || gives) {
        std::uint64_t& size = locks.all[deed.address];
        size = std::max({size, lock_bytes, std::uint64_t{deed.size}});
        locks.largest = std::max(locks.largest, size);
      }
      if (takes && deed.is_lock) locks.held.insert({deed.thread, deed.address});
      if (gives && deed.is_lock) locks.held.erase({deed.thread, deed.address});
    }
  return locks;
}

/// A lock has no bytes in an executor: a program that reads or writes them sees something else than in a real run.
bool is_lock_memory(const Deed& deed, const Locks& locks) {
  if (deed.kind != DeedKind::Read && deed.kind != DeedKind::Write && !is_atomic(deed.kind)) return false;
  auto lock = locks.all.lower_bound(deed.address > locks.largest ? deed.address - locks.largest : 0);
  for (; lock != locks.all.end() && lock->first < deed.address + deed.size; ++lock)
    if (deed.address < lock->first + lock->second) return true;
  return false;
}

bool is_end_of(const Deed& deed, std::uint64_t object) {
  return deed.kind == DeedKind::Free && deed.address <= object && object < deed.address + deed.size;
}

/// A thread that waits has looked at the object, though it made no deed of it.
void note_waiting(const Executor& executor, Locks& locks, std::set<std::string>& gaps) {
  for (ThreadIndex t = 0; t < executor.thread_count(); ++t) {
    if (executor.standing(t) != Standing::Waits) continue;
    const std::optional<std::uint64_t> object = executor.awaited_object(t);
    if (!object) continue;
    if (locks.held.contains({t, *object})) gaps.insert("a thread waits for a lock that it holds itself");
    locks.all.try_emplace(*object, lock_bytes);
    locks.largest = std::max(locks.largest, lock_bytes);
    for (std::size_t i = 0; i < executor.steps(); ++i)
      for (const Deed& deed : executor.deeds_of(i))
        if (is_end_of(deed, *object)) gaps.insert("memory ends in which a thread waits");
  }
}

void note_locks(const Executor& executor, std::set<std::string>& gaps) {
  Locks locks = locks_of(executor);
  note_waiting(executor, locks, gaps);
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i))
      if (is_lock_memory(deed, locks)) gaps.insert("a lock is used as plain memory");
}

}  // namespace

std::optional<DetectedRace> first_race(const Executor& executor, MemoryOrders orders) {
  RaceDetector detector(orders);
  follow(executor, detector);
  return detector.race();
}

std::optional<DetectedRace> first_race(const Executor& executor, std::set<std::string>& gaps) {
  RaceDetector detector;
  follow(executor, detector);
  if (!detector.unclear().empty()) gaps.insert(detector.unclear());
  note_locks(executor, gaps);
  return detector.race();
}

}  // namespace heddle::explore
