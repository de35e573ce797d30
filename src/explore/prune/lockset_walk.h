// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LocksetWalk: which locks a thread surely holds along what it did, whichever sides of its branches it takes
// (COMPUTELOCKSETS, Fig. 5 of ATVA08).
//
//   lock(B); if (c) { lock(A); x++; unlock(A); y = 5; lock(C); } else { lock(C); x++; } z++;
//   The execution took c's side. At the branch {B}; x on the other side {B,C}; z: {B,C} on either side.
//
// A *way* is what one path to the present point leaves: locks held at least, threads joined at least. There may be
// several; they are not merged, because two paths with different locks can both be protected. A way that is implied by
// a weaker one is dropped, and beyond `most_ways` all become their intersection: every constituent stays a subset of
// what is really held, so a check that fears every way stays sound.
//
// An end of a branch adds the ways of the sides that were not taken. They were computed where the branch began and wait
// on a stack, since branches nest (Fig. 6).
#pragma once
#include <vector>

#include "explore/executor/other_sides.h"

namespace heddle::explore {

struct HeldLock {
  std::uint64_t address = 0;
  Region region = any_region;
  bool is_shared = false;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};

struct Way {
  std::vector<HeldLock> locks;      ///< sorted by address
  std::vector<ThreadIndex> joined;  ///< sorted; they have ended
  friend auto operator<=>(const Way&, const Way&) = default;

  [[nodiscard]] bool has_joined(ThreadIndex thread) const;
};
using Ways = std::vector<Way>;  ///< sorted

/// They hold a lock that excludes each other.
[[nodiscard]] bool have_common_lock(const Way& a, const Way& b);
/// The way behind an update: (held ∪ acquired) \ released.
[[nodiscard]] Way behind(const Way& way, const LockUpdate& update);
/// Drops what is implied, and bounds them.
void simplify(Ways& ways);
/// What all of them have.
[[nodiscard]] Way intersection(const Ways& ways);

class LocksetWalk {
 public:
  static constexpr std::size_t most_ways = 16;

  explicit LocksetWalk(Way start) : ways_{std::move(start)} {}

  void acquire(const LockName& lock, bool is_shared = false);
  void release(std::uint64_t address);
  void release_region(Region region);
  void join(ThreadIndex thread);
  /// A branch begins. Null: it is decided, so its other sides are never taken.
  void begin(const Side* side);
  void end();

  /// How the present point is reached; behind `begin`: where the branch began.
  [[nodiscard]] const Ways& ways() const { return ways_; }
  /// How an access on the other side of the branch that begins here is reached.
  [[nodiscard]] Ways ways_behind(const LockUpdate& update) const;

 private:
  Ways ways_;
  std::vector<Ways> updates_;  ///< of the branches that are not over
};

}  // namespace heddle::explore
