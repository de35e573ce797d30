// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must have been true of values where a point of a function is reached, by the branches that lead there.
//
//   if (m == 1) y = x;          at the first read m is 1, at the second it is 2: they are never both in one run, if m
//   is if (m == 2) y += x;         not defined anew between them
//
// A condition is a comparison with a constant, of a value or of what was read from a fixed place of a global variable.
// Several of one subject are met by their common range. Cost: for each branch of a function one walk over its blocks,
// when the function is first asked about; functions with very many blocks say nothing.
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "alias/global_places.h"
#include "depend/risk/call_graph.h"

namespace heddle::depend {

/// Numbers from `low` to `high` but `without`.
struct Range {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> without;

  [[nodiscard]] bool holds(std::int64_t number) const {
    return low <= number && number <= high && !without.contains(number);
  }
};
/// No number is in both.
[[nodiscard]] bool are_apart(const Range& a, const Range& b);

struct Conditions {
  std::map<ValueId, Range> values;
  std::map<alias::GlobalPlace, Range> places;  ///< of what was read there on the way
};

class ConditionFinder {
 public:
  ConditionFinder(const Program& program, const CallGraph& calls, const alias::GlobalPlaces& places)
      : program_(program), calls_(calls), places_(places) {}

  /// Where the instruction is reached.
  const Conditions& at(FunctionId function, std::size_t instruction);

 private:
  struct Fact {
    Operand subject;
    Range range;
  };
  const std::vector<Conditions>& of_blocks(FunctionId function);
  void add_edge(FunctionId function, BlockId from, BlockId to, const Fact& fact, std::vector<Conditions>& found);
  void add(FunctionId function, const Fact& fact, Conditions& to) const;
  [[nodiscard]] std::optional<Fact> fact_of(const Function& function, Operand condition, bool holds) const;
  [[nodiscard]] std::vector<bool> reached_without(FunctionId function, BlockId from, BlockId to) const;

  const Program& program_;
  const CallGraph& calls_;
  const alias::GlobalPlaces& places_;
  std::map<FunctionId, std::vector<Conditions>> blocks_;
};

}  // namespace heddle::depend
