// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number for a place of a function's code that accesses have no name for: a branch, a block, a call. It is the same
// in a unit and in the Program that units were linked to, as long as the function's code is. A copy of the function
// that differs (an inline function of units that were compiled otherwise) has other numbers, so nothing is mistaken for
// its namesake.
#pragma once
#include <cstdint>

#include "program/model/program.h"

namespace heddle {

std::uint64_t place_number(const Function& function, std::size_t instruction);
/// Of the function itself.
std::uint64_t place_number(const Function& function);

}  // namespace heddle
