// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding: something wrong other than a race that a run met on its way: a deadlock, a failed assertion, a crash
// (undefined behaviour), a misused lock. It never decides about races; it is told because it was seen. Where possible
// it comes with a schedule whose last step shows it again.
//
//   deadlock               every thread is blocked                    schedule ends with "deadlock"
//   crash                  read of 4 bytes through a null pointer     schedule ends with "fails 2"
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "explore/evidence/replay.h"
#include "explore/search/run.h"

namespace heddle::explore {

struct Finding {
  ReplayedEnding ending;
  std::optional<race::Schedule> schedule;  ///< replayed
};

/// Of many runs: one finding for each kind and place, the first sixteen.
class Findings {
 public:
  /// What a run that is over has met.
  void add(const Subject& subject, Run& run);
  void add(Findings other);
  [[nodiscard]] const std::vector<Finding>& all() const { return found_; }

 private:
  void add_one(const Subject& subject, Run& run, const Ending& met, ThreadIndex thread);

  std::vector<Finding> found_;
};

}  // namespace heddle::explore
