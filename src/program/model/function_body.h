// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>

#include "program/model/program.h"

namespace heddle {

/// The body of a Function while it grows: the same lists, as vectors. Their elements already point into the arena.
struct FunctionBody {
  std::vector<Block> blocks;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<GepInfo> geps;
  std::vector<CallInfo> calls;
  std::vector<std::span<const std::int32_t>> indices;
  std::vector<std::string_view> texts;
  std::vector<ValueName> names;

  void freeze(Arena& arena, Function& out) const {
    out.blocks = arena.copy(blocks);
    out.instructions = arena.copy(instructions);
    out.operands = arena.copy(operands);
    out.geps = arena.copy(geps);
    out.calls = arena.copy(calls);
    out.indices = arena.copy(indices);
    out.texts = arena.copy(texts);
    out.names = arena.copy(names);
  }
};

}  // namespace heddle
