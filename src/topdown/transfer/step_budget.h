// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StepBudget: how much the analysis may do. It counts steps, not seconds, so that a second run ends at the same place;
// a Stop comes on top of it.
#pragma once
#include <cstdint>
#include <string>

#include "base/stop.h"
#include "topdown/domain/universe.h"

namespace heddle::topdown {

/// Thrown when a budget is used up; caught once, by Rounds, and reported as an obstacle.
struct BudgetExceeded {
  std::string what;
};

class StepBudget {
 public:
  StepBudget(const Universe& universe, std::uint64_t most_steps, std::size_t most_bytes, const Stop& stop)
      : u(universe), most_steps_(most_steps), most_bytes_(most_bytes), stop_(stop) {}

  void step();
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  const Universe& u;
  std::uint64_t most_steps_;
  std::size_t most_bytes_;
  Stop stop_;
  std::uint64_t steps_ = 0;
};

}  // namespace heddle::topdown
