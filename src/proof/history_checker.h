// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker of proofs by acquisition histories. A judge says of each meeting of a warning which two locks were taken
// in opposite orders; the checker looks at the claims alone and has the argument of CAV07 §4 again:
//
//   t1: thread 1 takes p, s1: it takes q since       t2: thread 2 takes q, s2: it takes p since
//
//   t1 < s1   q was taken since p was                s1 < t2   from t2 on thread 2 holds q, and s1 is not later than
//   now t2 < s2   p was taken since q was                s2 < t1   from t1 on thread 1 holds p
//
// No moment is before itself, so the two threads are never at their accesses at the same time. In terms of what is
// ordered: if q is taken by thread 1 behind the hold of thread 2, the access of thread 2 lies before it, and the two
// are ordered; so they are a race only if each order above is one of happening before.
//
// What it does not look at are the claims themselves: that a lock is surely held, or two names one lock, is the
// driver's to say, under the assumptions that the proof names. It shares no code with src/locks, nor with the judge.
#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "race/claims/lock_order.h"
#include "race/proof.h"

namespace heddle::proof {

/// Where the two orders stand in the claims of one meeting.
struct OppositeOrders {
  std::uint32_t first_row = 0, first_taken = 0;    ///< in Meeting::first: rows, and since of that row
  std::uint32_t second_row = 0, second_taken = 0;  ///< in Meeting::second
};

/// `orders`: one for each meeting. The error says what does not follow.
std::expected<race::Proof, std::string> check_history(const race::Meetings& meetings,
                                                      const std::vector<OppositeOrders>& orders);

}  // namespace heddle::proof
