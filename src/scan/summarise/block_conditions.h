// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What numbers the parameters of a function are, or are not, wherever one of its blocks is reached.
//
//   void control(int op) { if (op == 3) x++; else if (op == 4) x--; }
//   the block of x++: op is 3; the block of x--: op is 4 (and not 3: one condition a block)
//
// A parameter has one value in a call, so what all ways to a block agree on is so there.
#pragma once
#include <vector>

#include "scan/execute/value_names.h"
#include "scan/summary/function_summary.h"

namespace heddle::scan {

/// By rank; empty if no branch asks for a parameter.
[[nodiscard]] std::vector<Condition> find_block_conditions(const ScanInput& input, const FunctionBody& body,
                                                           ValueNames& names);

/// The parameter that a number is, through casts that keep it; no_parameter if it is none. `keeps_zero`: casts that
/// keep whether it is zero will do.
[[nodiscard]] std::uint32_t number_parameter(const Program& program, const Function& function, Operand operand,
                                             bool keeps_zero);

}  // namespace heddle::scan
