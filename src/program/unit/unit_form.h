// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which field of a Program goes into which column; see columns.h. Everything but the bodies of functions is described
// once for both directions. Bodies (unit_bodies.h) know more about themselves: how many operands an opcode has, that a
// value is mostly used soon after it was made.
#pragma once
#include "program/model/program.h"
#include "program/unit/columns.h"

namespace heddle {

Columns to_columns(const Program& program);

/// Fills `program`, whose arena `in` uses. What comes out is not validated; after a failure it is not complete.
void from_columns(ColumnReader& in, Program& program);

}  // namespace heddle
