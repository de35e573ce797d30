// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FlagLocks: locks made of a variable (see LockKinds).
//
//   while (atomic_exchange(&taken, 1)) {}    takes the lock in the branch where the old value was 0
//   atomic_store(&taken, 0)                  frees it
//
// A variable becomes such a lock by conjecture, when it is first changed from one known value in one atomic step. If
// any write in any thread breaks the pattern, the lock excludes nobody (SharedMemory::has_plain_write).
#pragma once
#include <optional>

#include "topdown/actions/held_locks.h"

namespace heddle::topdown {

class FlagLocks {
 public:
  FlagLocks(const HeldLocks& held, Memory& memory, LockKinds& kinds, bool& changed)
      : d(memory.d), u(memory.u), held_(held), memory_(memory), kinds_(kinds), changed_(changed) {}

  /// A store of `size` bytes in one atomic step.
  struct Change {
    FormId address;
    std::uint32_t size = 0;
    FormId value;
    std::optional<std::int64_t> before;  ///< what the variable surely held just before
    AtomicOrder order = AtomicOrder::NotAtomic;
  };
  /// Takes or frees the lock, if that is what the store does; true then. The orders must be strong enough to pass on
  /// what the last holder wrote.
  bool change_flag(State& s, const Change& change) const;
  /// In an atomic section: what the variable surely holds.
  [[nodiscard]] std::optional<std::int64_t> content_in_section(const State& s, FormId address,
                                                               std::uint32_t size) const;

 private:
  const Domain& d;
  Universe& u;
  const HeldLocks& held_;
  Memory& memory_;
  LockKinds& kinds_;
  bool& changed_;
};

}  // namespace heddle::topdown
