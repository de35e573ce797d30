// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which units of libraries belong to a program: like a linker with archives, a member comes in if it defines a symbol
// that is used and not defined yet. Weak references alone bring nothing in.
//
//   main.c uses f; list.c defines f and uses g; map.c defines h; heap.c defines g    →   main.c, list.c, heap.c
//
// A linker looks at each archive once, in the order of its command. Here all are looked at until nothing changes; who
// comes first in that order wins.
#pragma once
#include <vector>

#include "program/model/program.h"

namespace heddle {

/// Removes the units with `is_member` that nothing needs. Others stay in their order; `is_member` has one entry a unit.
void keep_needed_members(std::vector<Program>& units, const std::vector<bool>& is_member);

}  // namespace heddle
