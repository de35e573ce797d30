// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/first_race.h"

namespace heddle::explore {
namespace {

constexpr std::uint64_t lock_bytes = 4;  // the smallest: a spin lock

void follow(const Executor& executor, RaceDetector& detector) {
  for (std::size_t i = 0; i < executor.steps() && !detector.race(); ++i)
    detector.follow(static_cast<std::uint32_t>(i), executor.deeds_of(i));
}

struct Locks {
  std::set<std::uint64_t> all;
  std::set<std::pair<ThreadIndex, std::uint64_t>> held;  ///< at the end
};

Locks locks_of(const Executor& executor) {
  Locks locks;
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i)) {
      const bool takes = deed.kind == DeedKind::Acquire || deed.kind == DeedKind::AcquireShared;
      const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
      if (takes || gives) locks.all.insert(deed.address);
      if (takes && deed.is_lock) locks.held.insert({deed.thread, deed.address});
      if (gives && deed.is_lock) locks.held.erase({deed.thread, deed.address});
    }
  return locks;
}

/// A lock has no bytes in an executor: a program that reads or writes them sees something else than in a real run.
bool is_lock_memory(const Deed& deed, const std::set<std::uint64_t>& locks) {
  if (deed.kind != DeedKind::Read && deed.kind != DeedKind::Write && !is_atomic(deed.kind)) return false;
  const auto near = locks.upper_bound(deed.address > lock_bytes ? deed.address - lock_bytes : 0);
  return near != locks.end() && *near < deed.address + deed.size;
}

void note_locks(const Executor& executor, std::set<std::string>& gaps) {
  const Locks locks = locks_of(executor);
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i))
      if (is_lock_memory(deed, locks.all)) gaps.insert("a lock is used as plain memory");
  for (ThreadIndex t = 0; t < executor.thread_count(); ++t) {
    if (executor.standing(t) != Standing::Waits) continue;
    if (const std::optional<std::uint64_t> lock = executor.awaited_lock(t); lock && locks.held.contains({t, *lock}))
      gaps.insert("a thread waits for a lock that it holds itself");
  }
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
