// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order inside one execution: which events depend on each other, and happens-before as vector clocks.
//
//   T1: lock m   T1: unlock m   T2: lock m        hb: 0 -> 1 -> 2, and T2's lock races with T1's *lock*: another
//                                                 execution can reverse the order of these two
//
// Cost: an event looks at the earlier events on the objects it touches, of each thread from the latest one back to the
// first that is ordered with it anyway. Where locks are handed on that is two.
#pragma once
#include <cstddef>
#include <vector>

#include "base/hash_slots.h"
#include "explore/clocks/clock.h"
#include "explore/executor/executor.h"

namespace heddle::explore {

bool overlap(const TouchedObject& a, const TouchedObject& b);
/// By touches alone; events of one thread are ordered anyway.
bool dependent(const Event& a, const Event& b);
/// `later` waits for what `earlier` gives, so it cannot run in front of it.
bool never_enabled_together(const Event& earlier, const Event& later);

/// `later` takes something that `earlier` touched without taking it itself: a third thread may have held it then (a
/// failed try, a further reader), so `later` need not be enabled in front of `earlier`.
bool may_have_to_wait(const Event& earlier, const Event& later);

/// One execution with its happens-before relation, grown at the end and cut back.
class Trace {
 public:
  void clear();
  void append(Event event);
  void truncate(std::size_t size);

  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] const Event& operator[](std::size_t i) const { return events_[i]; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const Clock& clock(std::size_t i) const { return clocks_[i]; }
  [[nodiscard]] bool happens_before(std::size_t a, std::size_t b) const;

  /// Events whose order with event number `i` another execution can reverse, latest first.
  [[nodiscard]] const std::vector<std::size_t>& races(std::size_t i) const { return races_[i]; }
  /// The same for an event that waits at the end.
  [[nodiscard]] std::vector<std::size_t> races_with(const Event& event) const;
  /// The same for all executions of one Mazurkiewicz trace, and different for different ones.
  [[nodiscard]] std::vector<std::uint64_t> fingerprint() const;

 private:
  [[nodiscard]] const Clock& clock_before(const Event& event) const;
  /// What was before an event: its clock but for itself, and its races.
  struct Past {
    Clock clock;
    std::vector<std::size_t> races;
  };
  [[nodiscard]] Past past_of(const Event& event) const;
  /// Who touched an object: of each thread, the numbers of its events.
  struct Users {
    std::uint64_t object = 0;
    std::vector<std::vector<std::size_t>> by_thread;
  };
  /// Null: nobody did.
  [[nodiscard]] const Users* users_of(std::uint64_t object) const;
  Users& make_users(std::uint64_t object);

  std::vector<Event> events_;
  std::vector<Clock> clocks_;
  std::vector<std::uint32_t> rank_;              ///< position among the events of its thread, from 1
  std::vector<std::vector<std::size_t>> races_;  ///< of each event
  std::vector<Users> users_;
  mutable HashSlots slots_;  ///< numbers of users_, from 1
  std::vector<std::vector<std::size_t>> by_thread_;
  std::vector<std::size_t> spawned_by_;  ///< of each thread; none: it was there at the beginning
  static constexpr std::size_t none = ~std::size_t{0};

  /// Uses of an object by a thread, those that are still to be looked at; the latest is `last[-1]`.
  struct Cursor {
    const std::size_t* first;
    const std::size_t* last;
  };
  mutable std::vector<Cursor> cursors_;  ///< of past_of, so that it need not allocate
  mutable Clock settled_;
};

}  // namespace heddle::explore
