// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies of all functions in columns. Most instructions look like one before: the same opcode, flags, types, number
// and kinds of operands. That is a shape; an instruction is the number of its shape (frequent ones have small numbers),
// where it stands in the source, and for each operand an index, in a column of its kind:
//
//   %7 = load i32, %5      shape 0 (load, i32, one value), location "the next new one", value 2 back
//
// Blocks and values are counted from where they are used. What a gep or a call has besides follows in order of the
// instructions, without an index.
#pragma once
#include <optional>

#include "program/model/program.h"
#include "program/unit/columns.h"

namespace heddle {

void bodies(ColumnWriter& out, const Program& program);
/// Fills the bodies of `program`, whose functions are declared and whose other tables are complete.
void bodies(ColumnReader& in, Program& program);

/// None for a kind or an index that does not exist.
inline std::optional<Operand> operand_of(Operand::Kind kind, std::uint64_t index) {
  if (index > Operand::largest_index) return std::nullopt;
  switch (kind) {
    case Operand::Kind::None: return Operand();
    case Operand::Kind::Value: return Operand::value(ValueId(index));
    case Operand::Kind::Constant: return Operand::constant(ConstantId(index));
    case Operand::Kind::Global: return Operand::global(GlobalId(index));
    case Operand::Kind::Function: return Operand::function(FunctionId(index));
    case Operand::Kind::Block: return Operand::block(BlockId(index));
    case Operand::Kind::Asm: return Operand::inline_asm();
  }
  return std::nullopt;
}

}  // namespace heddle
