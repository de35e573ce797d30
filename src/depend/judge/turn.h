// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <vector>

namespace heddle::depend {

/// What may be chosen while a system runs and is looked at.
struct Choice {
  enum class Kind : std::uint8_t {
    GoOn,
    Raise,
    Pause,
    Take,  ///< the access that was made is the first one of the triple
    Pass,  ///< it is not
  };
  Kind kind = Kind::GoOn;
  std::uint64_t value = 0;  ///< GoOn: of the input; Raise: the entry
  bool has_input = false;   ///< GoOn
};

/// A choice, with the line in which the run on top stood (0: nobody ran).
struct Turn {
  Choice choice;
  std::uint32_t line = 0;
};

}  // namespace heddle::depend
