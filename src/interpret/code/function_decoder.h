// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function of the Program becomes FunctionCode. Every value gets its slots in the frame, in the order of the
// Program; an instruction keeps its number; a phi disappears, and each edge into its block carries the moves instead.
//
//   %3 = add i32 %1, 7        Code{Add, width 32, dst 3, a 1, b -2}       slot -2 is the constant 7
//   br label %loop            Code{Branch, extra e}                       edge e: target, moves of loop's phis
//
// An instruction or type that the machine does not know becomes Op::Unsupported: it ends the run if it is reached.
#pragma once
#include "interpret/code/constant_pool.h"
#include "interpret/code/decoded.h"

namespace heddle::interpret {

class FunctionDecoder {
 public:
  FunctionDecoder(const Program& program, const Function& function, const std::vector<Shape>& shapes,
                  ConstantPool& pool, FunctionCode& out)
      : program_(program), function_(function), shapes_(shapes), pool_(pool), out_(out) {}

  void run();

 private:
  const Shape& shape(TypeId id) const { return shapes_[id.index()]; }

  void number_slots();
  /// Where an operand lies: in the frame, or below zero in the constant pool.
  std::int32_t slot(Operand operand);
  std::int32_t thread_local_slot(GlobalId global);
  TypeId type_of(Operand operand) const;
  std::uint32_t bits_of(Operand operand) const;
  /// The edge from the block that is being decoded: where it goes, with the moves of the phis there.
  std::uint32_t edge_to(Operand target);
  void add_phi(std::size_t at);
  Code decode(const Instruction& i, std::size_t at);
  void decode_memory(const Instruction& i, Code& code);
  void decode_call(const Instruction& i, Code& code);
  void decode_operator(const Instruction& i, Code& code);
  void decode_cast(const Instruction& i, Code& code);
  void decode_parts(const Instruction& i, Code& code);
  void decode_branch(const Instruction& i, Code& code);
  std::uint32_t leaf_index(TypeId type, std::span<const std::int32_t> path) const;

  const Program& program_;
  const Function& function_;
  const std::vector<Shape>& shapes_;
  ConstantPool& pool_;
  FunctionCode& out_;
  std::vector<std::int32_t> slots_;
  std::vector<bool> is_used_;  ///< of each value
  std::int32_t next_slot_ = 0;
  BlockId block_;
};

}  // namespace heddle::interpret
