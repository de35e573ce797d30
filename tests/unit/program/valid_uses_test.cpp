// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/valid_uses.h"

#include <functional>

#include "frontend/scratch_source.h"
#include "program/unit/unit_file.h"
#include "program/unit/valid_program.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

/// The body of `f` with its operands changed by `edit`, which gets them and says where.
bool is_valid_after(const Program& program, const std::function<void(const Function&, std::vector<Operand>&)>& edit) {
  for (const Function& f : program.functions) {
    if (f.name != "f") continue;
    Function changed = f;
    std::vector<Operand> operands(f.operands.begin(), f.operands.end());
    edit(f, operands);
    changed.operands = operands;
    return UseCheck().run(changed);
  }
  ADD_FAILURE() << "there is no f";
  return false;
}

std::size_t find(const Function& f, Opcode opcode, std::size_t skip = 0) {
  for (std::size_t i = 0; i < f.instructions.size(); ++i)
    if (f.instructions[i].opcode == opcode && skip-- == 0) return i;
  ADD_FAILURE() << "no such instruction";
  return 0;
}

Operand value_of(const Function& f, std::size_t instruction) {
  return Operand::value(ValueId(f.parameters.size() + instruction));
}

TEST(ValidUses, AreThoseOfCompiledPrograms) {
  const Program program = frontend::read_text(
      "int g(int);\nint f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (g(i)) s += (int)(char)i; else s -= i; }"
      "return s; }\nint w(void) { goto x; y: return 1; x: goto y; }\n");
  EXPECT_TRUE(check_program(program));
  EXPECT_TRUE(is_valid_after(program, [](const Function&, std::vector<Operand>&) {}));
}

TEST(ValidUses, AreNoneOfAValueItself) {
  const Program program = frontend::read_text("long f(int n) { return (long)(char)n; }\n");
  EXPECT_FALSE(is_valid_after(program, [](const Function& f, std::vector<Operand>& operands) {
    const std::size_t cast = find(f, Opcode::Cast);
    operands[f.instructions[cast].first_operand] = value_of(f, cast);
  }));
  EXPECT_FALSE(is_valid_after(program, [](const Function& f, std::vector<Operand>& operands) {
    operands[f.instructions[find(f, Opcode::Cast)].first_operand] = value_of(f, find(f, Opcode::Cast, 1));
  }));
}

TEST(ValidUses, DoNotComeFromABranchThatWasNotTaken) {
  const Program program =
      frontend::read_text("int g(int); void h(int);\nvoid f(int n) { if (n) { h(g(1)); } else { h(g(2)); } h(3); }\n");
  EXPECT_FALSE(is_valid_after(program, [](const Function& f, std::vector<Operand>& operands) {
    // The argument of the first h is the result of the second g.
    const Instruction& call = f.instructions[find(f, Opcode::Call, 1)];
    operands[call.first_operand + 1] = value_of(f, find(f, Opcode::Call, 2));
  }));
  EXPECT_FALSE(is_valid_after(program, [](const Function& f, std::vector<Operand>& operands) {
    // So is that of the last one: its block is reached without it, too.
    const Instruction& call = f.instructions[find(f, Opcode::Call, 4)];
    operands[call.first_operand + 1] = value_of(f, find(f, Opcode::Call, 2));
  }));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
