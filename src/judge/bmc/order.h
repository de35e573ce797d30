// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order: which point of an execution comes before which, as bits for a solver. Unary vector clocks: for each point and
// each other thread, up to where that thread's points are known to come before it.
//
//   before(a, b)     is a bit that may be chosen; chosen, it orders the two, all that comes before a, and all behind b
//
// What starts of threads order, and waits for their ends on all ways, is a constant. Nothing need be ordered: what is
// left open is up to the schedule. Cost: a bit for each two points of two threads, and for each pair that somebody asks
// for as many clauses as third threads have points.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "judge/bmc/execution.h"
#include "judge/circuit/clauses.h"

namespace heddle::judge::bmc {

class Order {
 public:
  Order(const Execution& execution, Circuit& circuit, Clauses& clauses);

  /// Of two points of two threads, or two of one.
  Bit before(PointNumber a, PointNumber b);
  /// In every execution that has both.
  [[nodiscard]] bool must_be_before(PointNumber a, PointNumber b) const;
  /// What orders two points in the solver's model: what is certain, and what was asked for and is chosen.
  [[nodiscard]] std::vector<std::pair<PointNumber, PointNumber>> chosen() const;
  /// Not by what was chosen alone: it may be said to be before without a reason.
  Bit may_be_known_before(PointNumber a, PointNumber b) const { return known(a, b); }

 private:
  void find_certain();
  [[nodiscard]] Bit known(PointNumber a, PointNumber b) const;
  void order(Bit condition, PointNumber a, PointNumber b);

  const Execution& execution_;
  Circuit& circuit_;
  Clauses& clauses_;
  std::vector<std::vector<std::uint32_t>> certain_;   ///< by point and thread: so many of its points are always before
  std::vector<std::vector<std::vector<Bit>>> known_;  ///< by point, other thread, its point's position
  std::map<std::pair<PointNumber, PointNumber>, Bit> asked_;
};

}  // namespace heddle::judge::bmc
