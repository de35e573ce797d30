// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was learnt about locks over all rounds. Some locks are conjectures: a semaphore that starts at one, a variable
// that is only ever changed from "free" in one atomic step and back by whoever did that. The analysis holds them like
// locks from the first sight; if any use breaks the pattern, they exclude nobody, and the pairs are judged without
// them. What a variable that serves as a lock protects is tracked while it is held, until a write breaks the pattern;
// nothing may be derived from the other conjectures.
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "topdown/domain/universe.h"

namespace heddle::topdown {

struct LockName {
  ObjectId object;
  std::int64_t offset = 0;
  friend auto operator<=>(const LockName&, const LockName&) = default;
};

/// A semaphore serves as a lock if it starts at one and only its holder ever posts it.
struct SemaphoreUse {
  bool initialised_to_one = false;
  bool misused = false;
};

/// A variable serves as a lock if it goes from `free` to something else in one step, and back by the thread that did
/// that, and no other way.
struct FlagUse {
  std::int64_t free = 0;
  std::uint32_t size = 0;
};

struct LockKinds {
  std::map<LockName, SemaphoreUse> semaphores;
  std::set<ObjectId> misused_somewhere;  ///< some semaphore of the object was misused, it is not known which
  std::map<LockName, FlagUse> flags;
  std::map<LockName, bool> once;       ///< once-controls; true: the program writes them itself, so they may start again
  std::map<LockName, bool> recursive;  ///< initialised so far: always as a recursive lock?
  bool some_check_their_owner = false;  ///< a lock was made of a kind that fails where others wait for ever

  /// Bytes of synchronisation objects, by the object they lie in. What is read from them is not known.
  std::map<ObjectId, std::set<std::pair<std::int64_t, std::int64_t>>> bytes;
  std::size_t places = 0;  ///< how many those are

  /// A synchronisation object lies in [low, end) of the object.
  void note_object(ObjectId object, std::int64_t low, std::int64_t end) {
    if (bytes[object].emplace(low, end).second) ++places;
  }
  [[nodiscard]] bool is_in_object(const Cell& cell) const {
    const auto found = bytes.find(cell.object);
    if (found == bytes.end()) return false;
    return std::ranges::any_of(
        found->second, [&](const auto& place) { return cell.offset < place.second && place.first < cell.end(); });
  }

  [[nodiscard]] bool is_conjecture(const LockName& lock) const {
    return semaphores.contains(lock) || flags.contains(lock) || once.contains(lock);
  }
};

}  // namespace heddle::topdown
