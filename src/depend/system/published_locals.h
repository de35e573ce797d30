// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables whose address is stored where others find it become variables of the program.
//
//   int *p;  void task(void) { int n = 1; p = &n; *p = 2; *p = 3; }      an interrupt that reads *p reads n
//
// An entry runs once at a time, so such a local is there once. Done before anything else looks at the program.
#pragma once
#include "program/model/program.h"

namespace heddle::depend {

/// How many.
std::size_t publish_locals(Program& program);

}  // namespace heddle::depend
