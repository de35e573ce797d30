// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryWrites: whether an instruction, or anything that a call leads to, may write the place where a pointer lies.
// Asked for one class of objects at a time: the functions that write it themselves, and everybody who may call them,
// are found once per class that is asked for (CAV07 §3.2: locks live in a small part of a program).
//
// Sound for what one thread does, under the assumptions of AliasFacts. A library function writes what its pointers, and
// the pointers behind those, lead to; one without a model, or that calls back, and assembly, may write anything.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "alias/alias_facts.h"
#include "alias/locks/lock_term.h"

namespace heddle::alias {

/// The functions that a call may reach, those without a body included.
[[nodiscard]] std::vector<FunctionId> targets_of(const Program& program, const AliasFacts& aliases, FunctionId caller,
                                                 std::size_t call);

class MemoryWrites {
 public:
  MemoryWrites(const Program& program, const api::ApiModels& models, const AliasFacts& aliases);

  /// Where a pointer leads; invalid: not known.
  [[nodiscard]] Place place(FunctionId function, const LockTerm& pointer) const;
  /// Of an instruction of the function that is no call: it writes an address that may overlap the cell.
  [[nodiscard]] bool may_write(FunctionId function, const Instruction& code, const LockTerm& cell) const;
  /// Of a call: somebody whom it leads to may.
  [[nodiscard]] bool call_may_write(FunctionId function, std::size_t call, const LockTerm& cell);
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const AliasFacts& aliases() const { return aliases_; }

 private:
  /// Objects that somebody writes, or all of them.
  struct Written {
    std::vector<std::uint32_t> objects;
    bool is_anything = false;
    [[nodiscard]] bool has(std::uint32_t object) const;
  };
  void add_library(FunctionId caller, std::size_t call, Written& out) const;
  void add_object(Place place, Written& out) const;
  void index_writes();
  const std::vector<bool>& writers(std::uint32_t object);

  const Program& program_;
  const api::ApiModels& models_;
  const AliasFacts& aliases_;
  std::vector<std::vector<FunctionId>> callers_;                  ///< by function
  std::vector<Written> written_;                                  ///< by function, itself; sorted; made when asked for
  std::unordered_map<std::uint32_t, std::vector<bool>> writers_;  ///< by object; only looked up
};

}  // namespace heddle::alias
