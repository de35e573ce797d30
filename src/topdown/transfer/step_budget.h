// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StepBudget: how much the analysis may do. It counts steps, not seconds, so that a second run ends at the same place;
// a Stop comes on top of it. A first try has half of each; where that is not enough, the program is TooLarge for it.
#pragma once
#include <cstdint>
#include <string>

#include "base/stop.h"
#include "topdown/domain/universe.h"
#include "topdown/transfer/size_bounds.h"

namespace heddle::topdown {

/// Thrown when a budget is used up; caught once, by Rounds, and reported as an obstacle.
struct BudgetExceeded {
  std::string what;
};

class StepBudget {
 public:
  StepBudget(const Universe& universe, std::uint64_t most_steps, std::size_t most_bytes, const Stop& stop,
             bool is_first_try)
      : u(universe),
        is_first_try_(is_first_try),
        most_steps_(is_first_try ? most_steps / 2 : most_steps),
        most_bytes_(is_first_try ? most_bytes / 2 : most_bytes),
        stop_(stop),
        own_stop_(is_first_try ? stop.half() : stop) {}

  void step();
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  [[noreturn]] void give_up(const std::string& what) const;

  const Universe& u;
  bool is_first_try_;
  std::uint64_t most_steps_;
  std::size_t most_bytes_;
  Stop stop_, own_stop_;
  std::uint64_t steps_ = 0;
};

}  // namespace heddle::topdown
