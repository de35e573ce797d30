// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockChange: what a piece of code does to one lock, whatever is held when it begins. It gives back `released` holds of
// its caller (L−), then takes `acquired` of its own (L+): lock and unlock behave like brackets, and every word of
// brackets reduces to )…)(…(.
//
//   lock                 released 0, acquired 1          net loss −1
//   unlock               released 1, acquired 0          net loss  1
//   unlock; lock         released 1, acquired 1          net loss  0: held as before, but not all the time
//   lock; unlock         released 0, acquired 0          net loss  0: nothing happened
//
// If the lock is held h times at the beginning, it is held max(acquired, h − loss) times at the end, where loss is
// released − acquired. That is the whole meaning of a change, and everything below follows from it:
//
//   compose  max(q₂, max(q₁, h − r₁) − r₂) = max(max(q₂, q₁ − r₂), h − (r₁ + r₂)): acquired and loss of the sequence.
//   join     of all functions of this form that are below two others, the greatest has the smaller `acquired` and the
//            larger loss (look at h = 0 and at large h). So the two are coordinates of a product of two chains, and
//            join is commutative, associative, idempotent and monotone because min and max are. For an upper bound, the
//            larger and the smaller.
//   widen    a loss that grows with every round of a loop becomes `any`, so that a fixpoint ends.
//
// So "unlock; lock" on one path and nothing on the other joins to nothing (loss 0, acquired 0): as it was.
//
// Modes. A thread is taken not to hold one lock in two modes at a time: reader-writer locks wait for ever or fail
// there, so no execution gets behind it. So `mode`, that of the own holds, is exclusive if one of them surely is.
// `weakened` = w: a caller that held the lock w times or less may have had all its holds exchanged for shared ones
// ("unlock; lock shared" has w = 1), so they no longer count as exclusive. Since no more than `loss` holds leave
// nothing at all, only a w above it says anything: max(w, loss) is the third coordinate.
//
// Reentry::None: the caller holds no lock twice, so what is given back of its locks is given back once, however many
// places of the code do it: `if (c) unlock(m); …; if (!c) unlock(m);` is one release. That is right for all but
// recursive locks; whoever proves asks for Reentry::Possible.
#pragma once
#include <algorithm>
#include <cstdint>

#include "locks/hold.h"

namespace heddle::locks {

enum class Reentry : std::uint8_t {
  Possible,  ///< a caller may hold a lock several times
  None,      ///< it does not
};

struct LockChange {
  static constexpr std::uint8_t any = 255;  ///< any number of times

  std::uint8_t acquired = 0;    ///< L+: own holds
  Mode mode = Mode::Exclusive;  ///< of the own holds; Exclusive if there are none
  std::uint8_t released = 0;    ///< L−: holds of the caller that are given back
  std::uint8_t weakened = 0;    ///< lower bound: above the loss, or 0
  friend constexpr auto operator<=>(const LockChange&, const LockChange&) = default;

  static constexpr LockChange taking(Mode mode, std::uint8_t times = 1) { return {.acquired = times, .mode = mode}; }
  static constexpr LockChange giving_back(std::uint8_t times = 1) { return {.released = times}; }

  [[nodiscard]] constexpr bool has_lost() const { return released != 0 || weakened != 0; }
  [[nodiscard]] constexpr int loss() const { return released == any ? any : released - acquired; }
  /// An exclusive hold of the caller counts as one only if there were more than this.
  [[nodiscard]] constexpr int exchanged() const { return weakened != 0 ? weakened : loss(); }
};

/// `weakened` of a change that is otherwise complete.
constexpr void set_exchanged(LockChange& change, int exchanged) {
  const bool says_anything = exchanged > std::max(change.loss(), 0);
  change.weakened = says_anything ? static_cast<std::uint8_t>(std::min<int>(exchanged, LockChange::any)) : 0;
}

/// The mode of the own holds after both. Those of `a` are to `b` what a caller's are: as exclusive as they were if
/// there are more than `b` may have exchanged. An upper bound drops them only if they surely went.
template <Bound bound>
constexpr Mode mode_after(const LockChange& a, const LockChange& b) {
  if (b.acquired != 0 && b.mode == Mode::Exclusive) return Mode::Exclusive;
  const int least = bound == Bound::Lower ? b.exchanged() : b.loss();
  return a.acquired > std::max(least, 0) ? a.mode : Mode::Shared;
}

/// First `a`, then `b`.
template <Bound bound, Reentry reentry>
constexpr LockChange compose(const LockChange& a, const LockChange& b) {
  LockChange out;
  const int own = b.acquired + std::max(0, a.acquired - b.released);
  const bool is_any = bound == Bound::Upper && std::max(a.acquired, b.acquired) == LockChange::any;
  if (is_any || own > Hold::most)
    out.acquired = bound == Bound::Upper ? LockChange::any : Hold::most;
  else
    out.acquired = static_cast<std::uint8_t>(own);
  if (out.acquired != 0) out.mode = mode_after<bound>(a, b);

  // An upper bound that cannot count so far stops there, a lower one fears any number.
  const int given_back = a.released + std::max(0, b.released - a.acquired);
  const int most = reentry == Reentry::None ? 1 : bound == Bound::Lower ? LockChange::any : LockChange::any - 1;
  const bool is_endless = reentry == Reentry::Possible && b.released == LockChange::any;
  out.released = static_cast<std::uint8_t>(is_endless ? most : std::min(given_back, most));

  if constexpr (bound == Bound::Lower) {
    // Whoever takes the lock exclusively holds it in no other way.
    const bool is_exclusive = b.acquired != 0 && b.mode == Mode::Exclusive;
    const int later = a.loss() + b.exchanged();
    set_exchanged(out, std::min(is_exclusive ? later : std::max(a.exchanged(), later), most));
  }
  return out;
}

/// Either of the two happened.
template <Bound bound>
constexpr LockChange join(const LockChange& a, const LockChange& b) {
  LockChange out;
  if constexpr (bound == Bound::Lower) {
    out.acquired = std::min(a.acquired, b.acquired);
    if (out.acquired != 0) out.mode = weaker(a.mode, b.mode);
    const int loss = std::max(a.loss(), b.loss());
    out.released = static_cast<std::uint8_t>(std::min<int>(loss + out.acquired, LockChange::any));
    set_exchanged(out, std::max(a.exchanged(), b.exchanged()));
  } else {
    out.acquired = std::max(a.acquired, b.acquired);
    out.mode = a.acquired == 0 ? b.mode : b.acquired == 0 ? a.mode : stronger(a.mode, b.mode);
    out.released = static_cast<std::uint8_t>(std::min(a.loss(), b.loss()) + out.acquired);
  }
  return out;
}

/// The join of what is known at the head of a loop and what comes round, with a change that grows made `any`.
template <Bound bound>
constexpr LockChange widen(const LockChange& known, const LockChange& next) {
  LockChange out = join<bound>(known, next);
  if constexpr (bound == Bound::Lower) {
    if (out.released > known.released) out.released = LockChange::any;
    set_exchanged(out, out.exchanged() > std::max(known.exchanged(), 0) ? LockChange::any : out.exchanged());
  } else if (out.acquired > known.acquired) {
    out.acquired = LockChange::any;
  }
  return out;
}

/// Whether `a` claims all that `b` claims: the order of which join gives the least upper bound.
template <Bound bound>
constexpr bool leq(const LockChange& a, const LockChange& b) {
  if constexpr (bound == Bound::Lower)
    return a.acquired >= b.acquired && (b.acquired == 0 || a.mode <= b.mode) && a.loss() <= b.loss() &&
           std::max(a.exchanged(), 0) <= std::max(b.exchanged(), 0);
  return a.acquired <= b.acquired && (a.acquired == 0 || a.mode >= b.mode) && a.loss() >= b.loss();
}

}  // namespace heddle::locks
