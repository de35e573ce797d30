// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers that a cell may hold at all: its first one, and the constants that somebody stores there.
//
//   int mode = 0;  …  mode = 2;        0 or 2
//
// Nothing is known of a variable that another unit defines, of one that a pointer may lead to, or where something else
// than a constant is stored. That nobody else writes a variable of the program is an assumption (docs/depend.md).
#pragma once
#include <map>
#include <optional>
#include <set>

#include "depend/access/conditions.h"
#include "depend/access/shared_accesses.h"

namespace heddle::depend {

using Numbered = std::optional<std::set<std::int64_t>>;  ///< none: any

class KnownValues {
 public:
  KnownValues(const Program& program, const SharedAccesses& accesses, Numbers& numbers)
      : program_(program), accesses_(accesses), numbers_(numbers) {}

  const Numbered& of(const FixedCell& cell);
  /// What the access stores into the cell; nothing: not known. The access writes some of its bytes.
  [[nodiscard]] std::optional<std::int64_t> stored(const Access& access, const FixedCell& cell);

 private:
  [[nodiscard]] Numbered compute(const FixedCell& cell);

  const Program& program_;
  const SharedAccesses& accesses_;
  Numbers& numbers_;
  std::map<FixedCell, Numbered> known_;
};

/// What it holds when the program begins; nothing: not known, or no number.
[[nodiscard]] std::optional<std::int64_t> first_value(const Program& program, const FixedCell& cell);
/// The access may touch some of its bytes.
[[nodiscard]] bool may_touch(const Access& access, const FixedCell& cell);

}  // namespace heddle::depend
