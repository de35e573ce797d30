// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AskedBits: which bits of which values decide something, so that a model follows them one by one.
//
//   if (flags & BUSY) …; flags |= BUSY; flags ^= READY;   of `flags`, the bit BUSY; nobody asks for READY
//   bool open; … if (open) …                              the lowest bit of `open`
//
// A bit is asked for where a mask of a few bits, or a truth value, is taken from a number, and in all that the number
// comes from: other numbers, what callers pass and callees return, and, if it was read from memory, whatever is stored.
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::judge::transaction {

class AskedBits {
 public:
  explicit AskedBits(const Program& program);

  /// One bit for each that is asked for.
  [[nodiscard]] std::uint64_t of(FunctionId function, ValueId value) const {
    return masks_[function.index()][value.index()];
  }
  /// Of anything that is read from memory.
  [[nodiscard]] std::uint64_t of_memory() const { return of_memory_; }
  /// A mask of so few bits that they are told apart.
  [[nodiscard]] static bool is_few(std::uint64_t mask);

 private:
  struct Asked {
    FunctionId function;
    ValueId value;
  };
  void ask(FunctionId id, Operand operand, std::uint64_t mask);
  void ask_sources(const Asked& asked);
  void ask_stores();
  [[nodiscard]] unsigned width(FunctionId id, Operand operand) const;
  [[nodiscard]] std::uint64_t masks_passed(FunctionId id, Operand operand, unsigned depth) const;

  const Program& program_;
  std::vector<std::vector<std::uint64_t>> masks_;                         ///< by function, by value
  std::vector<std::vector<std::pair<FunctionId, std::uint32_t>>> calls_;  ///< by callee
  std::vector<Asked> work_;
  std::uint64_t of_memory_ = 0;
};

}  // namespace heddle::judge::transaction
