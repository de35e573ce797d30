// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that an operand, an initialiser or a constant of a program refers to. Linear in the program.
//
//   f() { g(); }   g is used, f is not
#pragma once
#include <vector>

#include "program/model/program.h"

namespace heddle {

class UsedFunctions {
 public:
  explicit UsedFunctions(const Program& program) : program_(program), used_(program.functions.size(), false) {
    for (const Function& function : program.functions)
      for (const Operand operand : function.operands) mark(operand);
    for (const Global& global : program.globals)
      for (const Relocation& relocation : global.relocations) mark(relocation.target);
    for (const Constant& constant : program.constants)
      for (const Operand element : constant.elements) mark(element);
  }

  [[nodiscard]] bool contains(FunctionId id) const {
    return used_[id.index()] || program_.functions[id].is_address_taken;
  }

 private:
  void mark(Operand operand) {
    if (operand.is_function() && operand.index() < used_.size()) used_[operand.index()] = true;
  }

  const Program& program_;
  std::vector<bool> used_;
};

}  // namespace heddle
