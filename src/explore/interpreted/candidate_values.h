// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input values that are worth trying: the constants of the program's comparisons and their neighbours.
//
//   int n = nondet(); if (n > 41) …           0, 1, -1, 40, 41, 42
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::explore {

/// Sorted; always has 0, 1 and -1.
std::vector<std::uint64_t> candidate_values(const Program& program);

}  // namespace heddle::explore
