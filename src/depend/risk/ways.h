// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may come behind what in one run of an entry, across functions. A *way* is a function with two of its points,
// each the instruction in question or a call that leads to it.
//
//   task() { a(); b(); }   a() { y = x; }   b() { y += x; }      one way from the first read to the second: task, a(),
//   b()
//
// No paths are listed, and nothing is inlined: a question costs the calls above the two functions.
#pragma once
#include <map>
#include <vector>

#include "depend/access/call_graph.h"
#include "depend/access/shared_accesses.h"

namespace heddle::depend {

struct Point {
  FunctionId function;
  std::size_t instruction = 0;
  friend auto operator<=>(const Point&, const Point&) = default;
};

[[nodiscard]] inline Point point_of(const Access& access) { return {access.function, access.instruction}; }

struct Way {
  FunctionId function;
  std::size_t first = 0, second = 0;
  Rounds rounds = Rounds::One;  ///< Many: in another round of a loop
};

class WayFinder {
 public:
  /// `reached`: by entry and function.
  WayFinder(const CallGraph& calls, const std::vector<std::vector<bool>>& reached) : calls_(calls), reached_(reached) {}

  /// Calls `take` for each way from the first to the second until it says false.
  template <class Take>
  void each(std::size_t entry, const Point& first, const Point& second, Take take);
  [[nodiscard]] bool may_follow(std::size_t entry, const Point& first, const Point& second);

 private:
  using Above = std::map<FunctionId, std::vector<std::size_t>>;
  const Above& above(FunctionId function);
  /// Where the function has the point, or calls one that does.
  static std::vector<std::size_t> points_in(FunctionId function, const Point& point,
                                            const std::vector<std::size_t>& calls);

  const CallGraph& calls_;
  const std::vector<std::vector<bool>>& reached_;
  std::map<FunctionId, Above> above_;
};

template <class Take>
void WayFinder::each(std::size_t entry, const Point& first, const Point& second, Take take) {
  const Above &over_first = above(first.function), &over_second = above(second.function);
  for (const auto& [function, calls] : over_first) {
    if (!reached_[entry][function.index()] || !over_second.contains(function)) continue;
    for (const std::size_t p : points_in(function, first, calls))
      for (const std::size_t q : points_in(function, second, over_second.at(function))) {
        if (calls_.may_follow(function, p, q, Rounds::One) && !take(Way{function, p, q, Rounds::One})) return;
        if (calls_.share_rounds(function, p, q) && !take(Way{function, p, q, Rounds::Many})) return;
      }
  }
}

}  // namespace heddle::depend
