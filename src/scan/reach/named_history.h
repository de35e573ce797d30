// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NamedHistory: an acquisition history from the start of a thread on, in names that two threads can compare
// (lock_names.h).
//
//   main: lock(a); f();   f: lock(b); unlock(b); g();       at the entry of g: {a: {b}}
//
// Of several ways to one place, what all of them say is left. It is put together as locksets are: what is held at the
// entry of a function and is not given back on the way is held since, and got what the function acquired.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scan/reach/lock_names.h"

namespace heddle::scan {

/// A lock that is held, and what was surely taken since it was.
struct NamedRow {
  NamedLock held;
  std::vector<NamedLock> since;  ///< sorted by name; not empty
  friend auto operator<=>(const NamedRow&, const NamedRow&) = default;
};

using NamedHistory = std::vector<NamedRow>;  ///< sorted by name of the lock held

/// On either of two ways.
[[nodiscard]] NamedHistory either_history(const NamedHistory& a, const NamedHistory& b);

/// Two locks that were taken in opposite orders: the one that the first thread holds, and the second.
[[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> find_opposite(const NamedHistory& a,
                                                                                   const NamedHistory& b);

/// Where a function is at a point with this lockset and history.
struct HistoryPoint {
  const FunctionSummary& summary;
  std::uint32_t lockset = 0, history = 0;
};

struct Visit;

/// At the point of a function that was visited like this; `data`: the memory of an access there, whose locks have names
/// relative to it; invalid: there is none.
[[nodiscard]] NamedHistory history_at(const ScanInput& input, LockNames& names, const HistoryPoint& point,
                                      const Visit& visit, Lvalue data = {});

}  // namespace heddle::scan
