// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HeldLocks: the locks of a state. What is held is kept as forms, so that releasing `&p->m` finds the `&p->m` that was
// taken. Only what is surely held is in the set (RELAY's L+).
#pragma once
#include <optional>

#include "topdown/domain/lock_kinds.h"
#include "topdown/memory/memory.h"

namespace heddle::topdown {

class HeldLocks {
 public:
  HeldLocks(Memory& memory, const LockKinds& kinds) : d(memory.d), u(memory.u), memory_(memory), kinds_(kinds) {}

  /// Taken now, or found to be held now: for the histories of others that is the same (lock_history.h).
  void hold(State& s, FormId lock, bool shared) const;
  /// The one lock of atomic sections.
  [[nodiscard]] FormId section_lock() const;
  [[nodiscard]] bool holds(const State& s, FormId lock) const { return u.maps.contains(s.locks, lock.index()); }
  /// The one concrete lock a form names; none if it depends on values.
  [[nodiscard]] std::optional<LockName> lock_name(FormId lock) const;
  /// A pointer that can only be one address (or null, which it is not where it is used) is that address.
  [[nodiscard]] FormId canonical(const State& s, FormId address) const;
  [[nodiscard]] bool may_be_same(const State& s, FormId a, FormId b) const;

 private:
  [[nodiscard]] bool is_recursive_lock(FormId lock) const;

  const Domain& d;
  Universe& u;
  Memory& memory_;
  const LockKinds& kinds_;
};

}  // namespace heddle::topdown
