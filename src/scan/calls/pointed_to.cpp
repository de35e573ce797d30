// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/pointed_to.h"

namespace heddle::scan {
namespace {

/// Whether the result is an address by itself, and not an operand's own or moved.
bool makes_pointers(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::Alloca:
    case Opcode::Gep:
    case Opcode::Freeze: return false;
    case Opcode::Cast: return instruction.cast_op() == CastOp::IntToPtr;
    default: return true;
  }
}

}  // namespace

std::vector<bool> find_pointed_to(const Program& program, const alias::AliasFacts& aliases) {
  std::vector<bool> classes(aliases.class_count());
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& instruction = function.instructions[i];
      if (!instruction.type || program.types[instruction.type].kind == TypeKind::Void || !makes_pointers(instruction))
        continue;
      if (const alias::Place place = aliases.place(FunctionId(f), Operand::value(function.result_of(i))); place.valid())
        classes[place.cls.index()] = true;
    }
  }
  std::vector<bool> out(program.globals.size());
  for (std::size_t g = 0; g < out.size(); ++g)
    if (const alias::Place place = aliases.place({}, Operand::global(GlobalId(g))); place.valid())
      out[g] = classes[place.cls.index()];
  return out;
}

}  // namespace heddle::scan
