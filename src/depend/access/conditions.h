// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must have been true where a point of a function is reached, by the branches that lead there.
//
//   if (m == 1) y = x;          at the first read m is 1, at the second it is 2: they are never both in one run, if m
//   if (m == 2) y += x;         is not defined anew between them
//   if (a + b > c) y = x;       a relation: of what was read from a, b and c
//
// A value is compared with a number, or two expressions with each other. A *cell* is a fixed place of a global variable
// with a size; what is known of it was true when it was read. Cost: for each branch of a function one walk over its
// blocks, when the function is first asked about; functions with very many blocks say nothing.
#pragma once
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "alias/global_places.h"
#include "depend/access/call_graph.h"
#include "depend/access/numbers.h"

namespace heddle::depend {

/// Numbers from `low` to `high` but `without`.
struct Range {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::set<std::int64_t> without;

  [[nodiscard]] bool holds(std::int64_t number) const {
    return low <= number && number <= high && !without.contains(number);
  }
  [[nodiscard]] bool is_empty() const { return low > high || (low == high && without.contains(low)); }
};
/// What is in both.
void meet(Range& into, const Range& other);
/// No number is in both.
[[nodiscard]] bool are_apart(const Range& a, const Range& b);

struct FixedCell {
  alias::GlobalPlace place;
  std::uint64_t size = 0;
  friend auto operator<=>(const FixedCell&, const FixedCell&) = default;
};

/// A cell and the load, in the function at hand, that read it.
struct ReadCell {
  FixedCell cell;
  FunctionId function;
  std::size_t load = 0;
};

struct CellFact {
  ReadCell read;
  Range range;
};

/// Of two expressions, written out, or of one and a number.
struct Relation {
  enum Ordering : std::uint8_t { Less = 1, Equal = 2, Greater = 4 };
  std::string left, right;
  std::uint8_t orderings = 0;
  Range range;                  ///< without a second expression: of the first
  std::vector<ReadCell> cells;  ///< in both
  std::vector<ValueId> values;  ///< other values in both: it can be compared in its own function only
};

/// They are of the same expressions, and not both true of the same values.
[[nodiscard]] bool are_apart(const Relation& a, const Relation& b);

struct Conditions {
  std::map<ValueId, Range> values;
  std::vector<CellFact> cells;
  std::vector<Relation> relations;

  /// Nothing gets there.
  [[nodiscard]] bool are_impossible() const;
};

class ConditionFinder {
 public:
  ConditionFinder(const Program& program, const CallGraph& calls, const alias::GlobalPlaces& places, Numbers& numbers)
      : program_(program), calls_(calls), places_(places), numbers_(numbers) {}

  /// Where the instruction is reached.
  const Conditions& at(FunctionId function, std::size_t instruction);
  /// The numbers that an integer may have there.
  [[nodiscard]] Range range(FunctionId function, std::size_t instruction, Operand operand);
  /// Whether the condition is true if `subject`, which it asks for, is the number; nothing: it asks for something else.
  [[nodiscard]] std::optional<bool> holds_with(FunctionId function, Operand condition, Operand subject,
                                               std::int64_t number) const;
  /// 1 or -1: a loop's counter that goes up, or down, in every round; 0: it is none.
  [[nodiscard]] int direction(FunctionId function, ValueId value) const;

 private:
  struct Fact {
    Operand subject;
    Range range;
  };
  const std::vector<Conditions>& of_blocks(FunctionId function);
  template <class Add>
  void add_edge(FunctionId function, BlockId from, BlockId to, std::vector<Conditions>& found, Add add);
  void add(FunctionId function, const Fact& fact, Conditions& to) const;
  void add_branch(FunctionId function, BlockId block, std::vector<Conditions>& found);
  void add_switch(FunctionId function, BlockId block, std::vector<Conditions>& found);
  [[nodiscard]] std::optional<Fact> fact_of(FunctionId function, Operand condition, bool holds) const;
  [[nodiscard]] std::optional<Relation> relation_of(FunctionId function, Operand condition, bool holds) const;
  /// The numbers that a value can have by how it is made: `n % 10`, `n & 7`.
  [[nodiscard]] Range made_range(FunctionId function, ValueId value) const;
  [[nodiscard]] std::optional<ReadCell> read_cell(FunctionId function, ValueId value) const;
  /// The expression as text; empty: too long.
  std::string write_out(FunctionId function, Operand operand, Relation& relation, int depth) const;
  [[nodiscard]] std::vector<bool> reached_without(FunctionId function, BlockId from, BlockId to) const;
  /// Of a loop's counter: where it begins, and by how much it changes in a round, least and most.
  struct Counter {
    Range begins, steps;
  };
  [[nodiscard]] std::optional<Counter> counter(FunctionId function, ValueId value) const;

  const Program& program_;
  const CallGraph& calls_;
  const alias::GlobalPlaces& places_;
  Numbers& numbers_;
  std::map<FunctionId, std::vector<Conditions>> blocks_;
};

}  // namespace heddle::depend
