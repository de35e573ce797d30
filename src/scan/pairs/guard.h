// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guard: the lock that most accesses of a variable hold, inferred by a vote. Accesses that do without it are what a
// reader wants to see first.
//
//   conn.state    worker() 3 accesses, with conn.lock       thread_exit() 1, with conn.lock
//                 listener() 1, without                     -> guard conn.lock, share 2/3 of the functions
//
// A function counts once, however often it names the variable: a counter that is read and written is not two votes; if
// it holds the lock on some ways only, by their share. How much the lock counts for is what functions or what accesses
// say, whichever is more. Main does without locks as long as nobody else knows what it sets up: where it takes one that
// is a vote for it, where it does not it has none. It ranks warnings and decides nothing.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "scan/objects/occurrences.h"

namespace heddle::scan {

/// Accesses of one variable under one set of circumstances.
struct MemberGroup {
  const Circumstances* in = nullptr;
  bool is_write = false, is_atomic = false;
  bool is_free =
      false;  ///< frees the object, or touches nobody knows how much of it: says nothing about the lock of a member
  std::vector<Candidate> members;
};

struct Guard {
  std::uint32_t lock = LockNames::none;  ///< none: nobody locks
  std::uint32_t guarded = 0;             ///< so many accesses hold it
  std::uint32_t locations = 0;           ///< of so many
  std::int64_t share = 0;                ///< thousandths of the functions, or of the accesses

  [[nodiscard]] bool is_lacking(const MemberGroup& group) const;
};

[[nodiscard]] Guard infer_guard(std::span<const MemberGroup> groups, const LockNames& names);

/// What the accesses of a variable have in common; a row for each that has warnings.
struct VariableFacts {
  std::vector<Candidate> without_guard;  ///< a few accesses that do not hold the usual lock
  std::uint32_t more_without = 0;
};

[[nodiscard]] VariableFacts accesses_without(const Guard& guard, std::span<const MemberGroup> groups);

}  // namespace heddle::scan
