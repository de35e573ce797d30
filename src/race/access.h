// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

#include "program/model/program.h"
#include "program/names/access_kind.h"

namespace heddle::race {

/// One access of a warning: where it stands in the Program, and the number under which the driver that found it knows
/// more (evidence.h). A static stage and a run mean the same access when the place is the same.
struct Access {
  FunctionId function = {};
  std::uint32_t instruction = 0;
  AccessKind kind = AccessKind::Read;
  bool is_atomic = false;
  std::uint32_t number = 0;  ///< the driver's own
};

inline bool is_same_place(const Access& a, const Access& b) {
  return a.function == b.function && a.instruction == b.instruction &&
         without_updates(a.kind) == without_updates(b.kind);
}

/// A call on the way from a thread's entry to an access; the access itself is the last one.
struct CallStep {
  FunctionId function = {};
  std::uint32_t instruction = 0;
  friend auto operator<=>(const CallStep&, const CallStep&) = default;
};

}  // namespace heddle::race
