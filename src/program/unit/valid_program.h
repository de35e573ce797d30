// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a Program that came from a file is one: what every stage takes for granted about the front end's work.
//
//   - every id exists; every list an instruction points into has that element
//   - blocks partition the instructions, none is empty, a terminator ends each and stands nowhere else
//   - an opcode has its operands, in number and kind; enums hold values they have
//   - constants and places refer to earlier rows only; types contain each other only through pointers, and not
//     too deeply
//   - a value is defined before it is used (valid_uses.h)
//
// Near-linear.
#pragma once
#include "base/result.h"
#include "program/model/program.h"

namespace heddle {

/// The message names the first thing that is wrong.
Result<void> check_program(const Program& program);

}  // namespace heddle
