// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/first_race.h"

#include <algorithm>

#include "explore/clocks/lock_bytes.h"
#include "explore/watch/pair_watch.h"

namespace heddle::explore {
namespace {

void follow(const Executor& executor, RaceDetector& detector) {
  for (std::size_t i = 0; i < executor.steps() && !detector.race(); ++i)
    detector.follow(static_cast<std::uint32_t>(i), executor.deeds_of(i));
}

struct Locks {
  LockBytes all;
  std::set<std::pair<ThreadIndex, std::uint64_t>> held;  ///< at the end
};

Locks locks_of(const Executor& executor) {
  Locks locks;
  for (std::size_t i = 0; i < executor.steps(); ++i)
    for (const Deed& deed : executor.deeds_of(i)) {
      const bool takes = deed.kind == DeedKind::Acquire || deed.kind == DeedKind::AcquireShared;
      const bool gives = deed.kind == DeedKind::Release || deed.kind == DeedKind::ReleaseShared;
      if (takes || gives || deed.kind == DeedKind::Asks) locks.all.add(deed.address, deed.size);
      if (takes && deed.is_lock) locks.held.insert({deed.thread, deed.address});
      if (gives && deed.is_lock) locks.held.erase({deed.thread, deed.address});
    }
  return locks;
}

/// A lock has no bytes in an executor: a program that reads or writes them sees something else than in a real run.
bool is_lock_memory(const Deed& deed, const Locks& locks) {
  const bool is_access = deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || is_atomic(deed.kind);
  return is_access && locks.all.is_inside(deed);
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
    locks.all.add(*object, 0);
    for (std::size_t i = 0; i < executor.steps(); ++i)
      for (const Deed& deed : executor.deeds_of(i))
        if (is_end_of(deed, *object)) gaps.insert("memory ends in which a thread waits");
  }
}

constexpr const char* as_plain_memory = "a lock is used as plain memory";

void note_locks(const Executor& executor, std::set<std::string>& gaps) {
  Locks locks = locks_of(executor);
  note_waiting(executor, locks, gaps);
  LockBytes made;  // also those that nobody waits for or holds: their content may be copied to where somebody does
  for (std::size_t i = 0; i < executor.steps(); ++i) {
    made.follow(executor.deeds_of(i));
    for (const Deed& deed : executor.deeds_of(i))
      if (is_lock_memory(deed, locks)) gaps.insert(as_plain_memory);
  }
  if (made.were_used()) gaps.insert(as_plain_memory);
}

}  // namespace

std::optional<DetectedRace> first_race(const Executor& executor, MemoryOrders orders,
                                       const std::optional<AccessPair>& only) {
  RaceDetector detector(orders, only);
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

std::optional<DetectedRace> another_race(const Executor& executor, const std::vector<AccessPair>& known) {
  RaceDetector detector;
  detector.pass_over(known);
  follow(executor, detector);
  return detector.race();
}

std::vector<AccessPair> unordered_pairs(const Executor& executor, std::span<const Bytes> bytes) {
  struct Made {
    Deed deed;
    std::uint32_t epoch = 0;
  };
  std::vector<Made> made;
  std::vector<AccessPair> pairs;
  const auto is_asked_for = [&](const Deed& deed) {
    return std::ranges::any_of(bytes, [&](const Bytes& one) { return overlap(one, {deed.address, deed.size}); });
  };
  PairWatch nothing({});
  RaceDetector detector;
  detector.watch(&nothing);  // so that it goes on
  for (std::size_t i = 0; i < executor.steps(); ++i) {
    detector.follow(static_cast<std::uint32_t>(i), executor.deeds_of(i));
    bool in_section = false;
    for (const Deed& deed : executor.deeds_of(i)) {
      if (deed.kind == DeedKind::SectionBegin || deed.kind == DeedKind::SectionEnd)
        in_section = deed.kind == DeedKind::SectionBegin;
      const bool is_plain = deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || deed.kind == DeedKind::Free;
      if (!is_plain || in_section || !deed.is_certain || !is_asked_for(deed)) continue;
      const Clock& knows = detector.clock(deed.thread);
      for (const Made& one : made) {
        const bool is_conflict = one.deed.thread != deed.thread &&
                                 !(only_reads(one.deed.kind) && only_reads(deed.kind)) &&
                                 overlap(Bytes{one.deed.address, one.deed.size}, Bytes{deed.address, deed.size});
        if (!is_conflict || (one.deed.thread < knows.size() && knows[one.deed.thread] >= one.epoch)) continue;
        const auto is_same = [&](const AccessPair& pair) { return pair.is(one.deed.key, deed.key); };
        if (std::ranges::none_of(pairs, is_same)) pairs.push_back({one.deed.key, deed.key});
      }
      const auto stands_for_it = [&](const Made& one) {
        return one.deed.thread == deed.thread && one.deed.key == deed.key && one.epoch == knows[deed.thread] &&
               one.deed.address == deed.address && one.deed.size == deed.size;
      };
      if (std::ranges::none_of(made, stands_for_it)) made.push_back({deed, knows[deed.thread]});
    }
  }
  return pairs;
}

}  // namespace heddle::explore
