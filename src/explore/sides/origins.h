// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Origins: on what a value of a function depends, as far as one look at its definitions tells.
//
//   c = x; if (c == 0) …          the condition depends on what the read of the global x found
//   a[k]                          the address depends on what k depends on
//   p->n, f(), a parameter        on everything that the thread has read
//
// Sound for the search that prunes: a value can differ in another execution only if one of the things named here does.
// Values are in SSA form, so every choice between definitions is a phi and depends on the way (Origin::path). Only
// reads of global variables are named: an executor records all of them while there are two threads, and other memory
// may have got its content from anywhere. Cost: one walk over the definitions behind a value.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "api/models/api_models.h"
#include "explore/executor/other_sides.h"
#include "program/model/program.h"

namespace heddle::explore {

/// A number of bytes behind the beginning of a global variable.
struct GlobalPlace {
  GlobalId global;
  std::int64_t offset = 0;
};

/// The place if the operand is one, whatever runs. Thread-local variables have none.
std::optional<GlobalPlace> global_place(const Program& program, const Function& function, Operand address);
/// The global variable that the address lies in, at whatever distance; invalid: no such thing is known.
GlobalId global_of(const Program& program, const Function& function, Operand address);

class Origins {
 public:
  Origins(const Program& program, const api::ApiModels& models);

  [[nodiscard]] Origin of(FunctionId function, Operand value) const;
  /// Of all of them together.
  [[nodiscard]] Origin of(FunctionId function, std::span<const Operand> values) const;
  /// Only threads begin there: its parameter is what the creator gave, and nobody calls it.
  [[nodiscard]] bool is_only_entry(FunctionId function) const { return only_entry_[function.index()]; }

 private:
  const Program& program_;
  std::vector<bool> only_entry_;  ///< by function: only threads begin there, nobody calls it
};

}  // namespace heddle::explore
