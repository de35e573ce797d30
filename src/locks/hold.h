// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hold: how one lock is held: in which mode, and how often. The smallest piece of src/locks; the order of the folder is
//
//   hold.h                  a mode and a count
//   excludes.h              do two held locks exclude each other
//   lock_change.h           what a piece of code does to one lock
//   relative_lockset.h      … to all locks
//   acquisition_history.h   what was acquired since a lock was taken
//   lock_state.h            lockset and history in step
//   consistency.h           can two threads stand at two points, by their locks and histories
//
// Everything is generic in the name of a lock (lock_name.h) and comes in two bounds. `Lower` is what surely holds, for
// whoever wants to prove that two accesses exclude each other: such a set shrinks where paths meet. `Upper` is what may
// hold, for whoever wants to prove that an access is as exposed as another: such a set grows.
#pragma once
#include <algorithm>
#include <cstdint>

namespace heddle::locks {

/// In this order: what is stored as a number reads 0 for exclusive.
enum class Mode : std::uint8_t { Exclusive, Shared };

constexpr Mode weaker(Mode a, Mode b) { return std::max(a, b); }
constexpr Mode stronger(Mode a, Mode b) { return std::min(a, b); }

enum class Bound : std::uint8_t {
  Lower,  ///< at least this: must
  Upper,  ///< at most this: may
};

/// A lock that is surely held `count` times, each time in this mode or a stronger one.
struct Hold {
  static constexpr std::uint8_t most = 16;  ///< counts stop here: a lower bound may say less than it knows

  Mode mode = Mode::Exclusive;
  std::uint8_t count = 1;
  friend constexpr auto operator<=>(const Hold&, const Hold&) = default;

  /// Taken again by its holder. A lock that is not recursive is held once however often it is taken: a second time
  /// waits for ever or fails. A lock whose kind is not known counts as not recursive, which claims less, and so does
  /// the weaker mode of two.
  [[nodiscard]] constexpr Hold taken_again(Mode again, bool is_recursive) const {
    const auto more = static_cast<std::uint8_t>(std::min<int>(count + 1, most));
    return {weaker(mode, again), is_recursive ? more : std::uint8_t{1}};
  }
  /// Given back once; a count of zero: not held any more.
  [[nodiscard]] constexpr Hold given_back() const { return {mode, static_cast<std::uint8_t>(count - 1)}; }
};

/// Held on either of two paths: as often as on both, in the weaker mode.
constexpr Hold join(Hold a, Hold b) { return {weaker(a.mode, b.mode), std::min(a.count, b.count)}; }

}  // namespace heddle::locks
