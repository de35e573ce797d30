// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LiveSlots: which registers of a frame can still be read when it stands before an instruction. Two states that differ
// in the others only have the same future, and the states of a run are told apart by the rest (state/state_hash.h).
//
//   %3 = load i32, ptr %p     live: %p
//   %4 = add i32 %3, 1        live: %3, %p
//   store i32 %4, ptr %p      live: %4, %p
//   ret void                  live: none
//
// A frame that waits for a call to return stands before the call: what its arguments were counts as live. A phi has its
// value when its block begins. Where setjmp was called, old registers can come back to life: that is not known here.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "interpret/code/decoded.h"

namespace heddle::interpret {

class LiveSlots {
 public:
  explicit LiveSlots(const Program& program) : program_(program) {}

  /// Ascending. Worked out when a function is first asked for.
  [[nodiscard]] std::span<const std::uint32_t> at(const FunctionCode& code, const std::vector<Shape>& shapes,
                                                  std::uint32_t pc) const;

 private:
  struct OfFunction {
    std::vector<std::uint32_t> slots;
    std::vector<std::size_t> ends;  ///< in slots, of each instruction
  };
  [[nodiscard]] OfFunction work_out(const FunctionCode& code, const std::vector<Shape>& shapes) const;

  const Program& program_;
  mutable std::map<FunctionId, OfFunction> known_;
};

}  // namespace heddle::interpret
