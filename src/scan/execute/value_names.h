// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ValueNames: what the values of a function are, and what the memory is called that they lead to (lvalue.h).
//
//   %1 = gep %d, 16      value_of(%1): the address (Formal 0, 16)
//   %2 = phi %a, %b      value_of(%2): not known; lvalue_of(%2): what %2 points to, by a name of its own
//   5                    value_of(5): a number; lvalue_of(5): none
//
// Symbolic execution fills it in; the later walks ask, and make names for what callees lead to. A value is set once, at
// its definition, and asked for behind it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scan/names/lvalue.h"
#include "scan/names/member_key.h"
#include "scan/summary/function_body.h"
#include "scan/summary/function_summary.h"
#include "scan/summary/scan_input.h"

namespace heddle::scan {

/// Of a cast: whether the result is zero if and only if the operand is. One bit of a byte is what memory holds for a
/// `bool`.
[[nodiscard]] bool keeps_zero(const Program& program, const Instruction& cast);

inline constexpr std::uint32_t no_parameter = ~0U;

class ValueNames {
 public:
  /// `nodes` is emptied first; lent, so that its memory serves the next function as well.
  ValueNames(const ScanInput& input, MemberKeys& keys, NodeTable& nodes, const FunctionBody& body);

  [[nodiscard]] SymbolicValue value_of(Operand operand);
  [[nodiscard]] const SymbolicValue& value_of(ValueId value) const { return values_[value.index()]; }
  /// Neither zero nor null, whatever happens. A name does not tell: what is null or `&a` has the name of `a`.
  [[nodiscard]] bool is_surely_not_zero(Operand operand) { return is_surely_not_zero(operand, most_steps); }
  /// Where a pointer leads; invalid for null, numbers and code.
  [[nodiscard]] Lvalue lvalue_of(Operand pointer);
  /// What memory by the name of a value may be, if the value is one of several that are known (RELAY's may(os)): `c ?
  /// &a : &b` is a or b. Empty if it is not chosen among others, or among too many. Ask when all values are set.
  [[nodiscard]] std::vector<Lvalue> meanings(Lvalue where);
  /// What a value points to, by the name of the value.
  [[nodiscard]] NodeId value_node(ValueId value);
  /// Some object of a type, when nothing else is known of it.
  [[nodiscard]] NodeId some_object(TypeId type);
  /// The parameter that a pointer is; no_parameter if it is none.
  [[nodiscard]] std::uint32_t code_parameter(Operand pointer);
  /// Which member lies there; `address` is how the instruction gets there.
  [[nodiscard]] MemberKey key_of(Lvalue where, Operand address);
  /// What a pointer that lies there points to, by its declared type.
  [[nodiscard]] TypeId pointee_at(Lvalue where);
  void set(std::size_t instruction, const SymbolicValue& value) {
    values_[body_.function.result_of(instruction).index()] = value;
  }

  [[nodiscard]] NodeTable& nodes() { return nodes_; }
  [[nodiscard]] const NodeTable& nodes() const { return nodes_; }
  [[nodiscard]] MemberKeys& keys() { return keys_; }

 private:
  static constexpr int most_steps = 8;
  [[nodiscard]] bool is_surely_not_zero(Operand operand, int steps);
  void name_parameters();
  [[nodiscard]] std::span<const Operand> choices(Operand value) const;
  [[nodiscard]] SymbolicValue constant(const Constant& constant) const;
  [[nodiscard]] MemberKey key_of(Lvalue where);
  [[nodiscard]] MemberKey key_of(Operand address);

  const ScanInput& in_;
  MemberKeys& keys_;
  const FunctionBody& body_;
  NodeTable& nodes_;
  std::vector<SymbolicValue> values_;
};

}  // namespace heddle::scan
