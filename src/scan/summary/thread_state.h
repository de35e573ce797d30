// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadState: which threads a function has started and waited for since its entry. What runs afterwards is not beside
// a thread that was waited for:
//
//   pthread_create(&t, 0, worker, 0);      running {worker by t}
//   x++;                                   beside worker
//   pthread_join(t, 0);                    running {}
//   printf("%d", x);                       alone
//
// Handles are named like locks (lvalue.h); all elements of an array are one name, and a loop that waits for elements of
// it has waited for all when it is left (assumption `loops-join-all`). What was started without a name for its handle
// counts among `others`; a loop that waits for threads without a name has waited for those (the same assumption).
#pragma once
#include <cstdint>
#include <vector>

#include "scan/names/lvalue.h"

namespace heddle::scan {

struct ThreadState {
  bool spawned = false;                ///< may have started any at all
  bool others = false;                 ///< those without a name may be running
  bool detached = false;               ///< there may be some that nobody can wait for
  bool joined_others = false;          ///< surely waited for those without a name
  std::vector<std::uint32_t> running;  ///< numbers of started threads; sorted
  std::vector<Lvalue> joined;          ///< handles surely waited for; sorted
  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

/// Either of the two happened.
ThreadState either(const ThreadState& a, const ThreadState& b);
/// First `before`, of which `then` waited for all but `still_running`, then `then`.
ThreadState in_order(const ThreadState& before, const std::vector<std::uint32_t>& still_running,
                     const ThreadState& then);

}  // namespace heddle::scan
