// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Origins: on what a value of a function depends, as far as one look at its definitions tells.
//
//   c = x; if (c == 0) …          the condition depends on what the read of the global x found
//   a[k]                          the address depends on what k depends on
//   p->n, f(), a parameter        on everything that the thread has read; unless it is the same place of a global
//                                 variable whoever calls (global_places.h)
//
// Sound for the search that prunes: a value can differ in another execution only if one of the things named here does.
// Values are in SSA form, so every choice between definitions is a phi and depends on the branches that decide by which
// edge its block is come to (deciding_branches.h); an address on the stack depends on the whole way (Origin::path).
// Only reads of global variables are named: an executor records all of them while there are two threads, and other
// memory may have got its content from anywhere. Cost: one walk over the definitions behind a value.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "alias/global_places.h"
#include "explore/executor/other_sides.h"
#include "explore/sides/deciding_branches.h"
#include "program/model/program.h"

namespace heddle::explore {

class Origins {
 public:
  /// `places` and `only_entry` (thread_entries.h) must outlive it.
  Origins(const Program& program, const alias::GlobalPlaces& places, const std::vector<bool>& only_entry);

  [[nodiscard]] Origin of(FunctionId function, Operand value) const;
  /// Of all of them together.
  [[nodiscard]] Origin of(FunctionId function, std::span<const Operand> values) const;

 private:
  const std::vector<DecidingBranches>& deciding(FunctionId function) const;

  const Program& program_;
  const alias::GlobalPlaces& places_;
  mutable std::map<FunctionId, std::vector<DecidingBranches>> deciding_;  ///< of functions that were asked for
  const std::vector<bool>& only_entry_;
};

}  // namespace heddle::explore
