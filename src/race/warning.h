// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings: pairs of guarded accesses that nothing separates. Two accesses can only race if they may touch the same
// bytes, at least one writes, not both are atomic, the phases of their threads may overlap, and no lock that both
// surely hold keeps them apart (RELAY §3.4). One warning stands for a pair of program locations.
#pragma once
#include <vector>

#include "threads/parallel.h"
#include "topdown/transfer/top_down.h"

namespace heddle::race {

struct Warning {
  topdown::GuardedAccess first;  ///< a write
  topdown::GuardedAccess second;
};

std::vector<Warning> find_warnings(const topdown::TopDownResult& result);

}  // namespace heddle::race
