// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The id of a race: what users write into baselines and type behind `heddle explain`. It is made of the variable, the
// two functions, the two kinds, and which access of that kind to that variable in its function each one is; never of a
// line, a body's hash or a schedule. So it survives edits elsewhere in the file and in the functions themselves:
//
//   void tick(void) { y++; x++; }   →   void tick(void) { y++; y--; x++; }      the races on x keep their ids
//
// Both drivers and every judge that finds a race of its own use this one formula.
#pragma once
#include <string>
#include <string_view>

#include "race/access_naming.h"

namespace heddle::race {

/// One side of a race, in what its id is made of.
struct IdSide {
  std::string_view variable;  ///< as the report writes it
  std::string_view function;  ///< symbol
  AccessKind kind = AccessKind::Read;
  std::uint32_t ordinal = 0;
};

/// Twelve hexadecimal digits. The order of the sides does not matter.
std::string race_id(const IdSide& first, const IdSide& second);

}  // namespace heddle::race
