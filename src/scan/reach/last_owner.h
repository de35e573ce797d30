// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that only the last owner of an object comes to: an atomic count of owners was decreased, and its old or new
// value is the one that says so.
//
//   if (atomic_fetch_sub(&c->refs, 1) == 1) { close(c->fd); free(c); }        everything in the braces, and behind it
//
// Others have let go of the object by then, so a race there is hard to believe; whether it is that object's count
// nobody looks. A function counts if all ways to it lead through such a test.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "scan/reach/reach.h"

namespace heddle::scan {

/// What a value says: how many owners there are, or were, or whether there is one left.
enum class CountWord : std::uint8_t { Nothing, Count, IsLast, IsNotLast };

class LastOwner {
 public:
  using Counters = std::vector<std::optional<CountWord>>;  ///< by function: what its result says, once asked for

  LastOwner(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach);

  [[nodiscard]] bool at(FunctionId function, std::uint32_t instruction) const;

 private:
  void spread(const std::vector<FunctionSummary>& summaries, const Reach& reach);
  void find_blocks(FunctionId id, Counters& counters);

  const ScanInput& in_;
  std::vector<std::vector<bool>> behind_;  ///< by function, by block: behind such a test; empty: none is
  std::vector<bool> is_reached_before_;    ///< by function: on a way without one
};

}  // namespace heddle::scan
