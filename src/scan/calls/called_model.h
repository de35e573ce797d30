// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>

#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::scan {

/// The model of a direct call; null: the instruction is none, or the function has none. `models` by FunctionId.
inline const api::Model* called_model(const std::vector<const api::Model*>& models, const Function& function,
                                      const Instruction& instruction) {
  if (!instruction.is_call()) return nullptr;
  const auto operands = function.operands_of(instruction);
  return !operands.empty() && operands[0].is_function() ? models[operands[0].index()] : nullptr;
}

}  // namespace heddle::scan
