// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RelativeLockset (L+, L−): what happened to the locks since the function's entry (RELAY §3.2). L+ holds the locks
// surely acquired, with how often; L− those that may have been released and were held by a caller.
//
//   lock(a); lock(b); unlock(a)        ({b}, {})         a was ours to release
//   unlock(a); lock(b)                 ({b}, {a})        a was the caller's
//   unlock(a); lock(a)                 ({a}, {a})        released, then taken again: that is the order they apply in
//
// Unlike the paper's, a lock that the function itself acquired does not go to L− when it is released: a lock that is
// not re-entrant cannot have been held by the caller as well, and a re-entrant one is still held afterwards, once less.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/names/lvalue.h"

namespace heddle::scan {

struct HeldLock {
  Lvalue lock;
  bool is_shared = false;
  std::uint8_t count = 1;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};

struct RelativeLockset {
  std::vector<HeldLock> acquired;  ///< L+, sorted by lock
  std::vector<Lvalue> released;    ///< L−, sorted
  friend auto operator<=>(const RelativeLockset&, const RelativeLockset&) = default;

  void acquire(Lvalue lock, bool is_shared);
  void release(Lvalue lock);
  [[nodiscard]] const HeldLock* find(Lvalue lock) const;
  [[nodiscard]] bool is_empty() const { return acquired.empty() && released.empty(); }
};

/// Either of the two happened: ({a}, {}) and ({}, {b}) give ({}, {b}); ({a}, {a}) and ({}, {}) give ({}, {}).
RelativeLockset join(const RelativeLockset& a, const RelativeLockset& b);
/// First `before`, then `then`: the paper's lockUpdate.
RelativeLockset lock_update(const RelativeLockset& before, const RelativeLockset& then);

}  // namespace heddle::scan
