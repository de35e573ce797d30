// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drive: a solver's witness as a run of the interpreter, and its replay. Nothing of the encoding is trusted: what does
// not replay is no race.
//
//   the witness   main: start;  1: x = 5 at line 7;  2: reads x at line 12;  then lines 8 and 13
//   the run       main goes to its start and makes it, thread 1 goes to line 7 and makes it, …
//
// The interpreter stops in front of more than has an event (memory that one thread alone accesses, say): a thread goes
// on until it stands before its next event's instruction.
#pragma once
#include <optional>
#include <string>

#include "explore/evidence/confirm.h"
#include "judge/bmc/constraints.h"

namespace heddle::judge::bmc {

struct Driven {
  std::optional<explore::ConfirmedRace> race;
  std::string why;  ///< not, otherwise
};

Driven drive(const explore::Subject& subject, const Execution& execution, const Witness& witness);

}  // namespace heddle::judge::bmc
