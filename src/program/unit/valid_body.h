// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of check_program (valid_program.h): constants and bodies, once the types are known to be fine.
#pragma once
#include "program/model/program.h"

namespace heddle {

/// A global or function that exists.
bool is_address(const Program& program, Operand operand);
/// As many elements and words as its type has.
bool is_constant_of_its_type(const Program& program, const Constant& constant);
/// The first function whose body is malformed, null if there is none. The rest of the Program is fine.
const Function* find_malformed_body(const Program& program);

}  // namespace heddle
