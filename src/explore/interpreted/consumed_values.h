// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses may depend on a value that was read with memory_order_consume. Such a read orders what depends on it
// and nothing else.
//
//   p = load(&q, consume); a = p->v; b = x;      p->v depends on what was read, x does not
//
// A value depends on every operand that does; memory of a function's own passes it on, and so do calls and returns. A
// value that gets anywhere else makes every access one that may depend. What a branch decides does not depend on its
// condition: that is the rule of the languages.
//
// Sound for its one use: no race is claimed of a pair whose second access may depend. Cost: one pass over the program
// for each round in which something was added; none if nothing is consumed.
#pragma once
#include <span>
#include <vector>

#include "program/model/program.h"

namespace heddle::explore {

class ConsumedValues {
 public:
  explicit ConsumedValues(const Program& program);

  [[nodiscard]] bool is_used() const { return is_used_; }
  /// An address, a value stored or an argument of the instruction may depend.
  [[nodiscard]] bool may_reach(FunctionId function, std::uint32_t instruction) const;

 private:
  void look_at(FunctionId id, std::size_t number);
  void pass_to_memory(FunctionId id, Operand address);
  void pass_to_call(FunctionId id, const Instruction& call);
  [[nodiscard]] bool any_depends(FunctionId id, std::span<const Operand> operands) const;
  void add(FunctionId id, ValueId value);

  const Program& program_;
  /// By function, then value: it depends; for a variable of the function: so does what lies in it.
  std::vector<std::vector<bool>> values_, contents_;
  std::vector<std::vector<bool>> own_;  ///< variables of the function that are only read and written, alike
  std::vector<bool> results_;           ///< by function: what it returns depends
  bool is_used_ = false, is_everywhere_ = false, changed_ = false;
};

}  // namespace heddle::explore
