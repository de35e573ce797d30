// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/ways.h"

namespace heddle::depend {

const WayFinder::Above& WayFinder::above(FunctionId function) {
  const auto known = above_.find(function);
  return known != above_.end() ? known->second : above_.emplace(function, calls_.above(function)).first->second;
}

std::vector<std::size_t> WayFinder::points_in(FunctionId function, const Point& point,
                                              const std::vector<std::size_t>& calls) {
  std::vector<std::size_t> points = calls;
  if (function == point.function) points.push_back(point.instruction);
  return points;
}

bool WayFinder::may_follow(std::size_t entry, const Point& first, const Point& second) {
  bool found = false;
  each(entry, first, second, [&](const Way&) {
    found = true;
    return false;
  });
  return found;
}

}  // namespace heddle::depend
