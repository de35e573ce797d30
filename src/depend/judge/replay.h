// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule once more, on a new board: each turn must be possible where it is taken, in the line it was taken in, and
// with the last one the triple happens. What does not fit is an error that names the turn, the first one is 1: then
// the program, or what is said of its system, is another one than when the schedule was made.
#pragma once
#include <string>

#include "base/result.h"
#include "depend/judge/setting.h"
#include "depend/judge/turn.h"
#include "depend/judge/watch.h"

namespace heddle::depend {

struct Retold {
  Watch::State end;                ///< with the three accesses
  std::vector<std::string> story;  ///< a line for each thing that happens, then what could not be followed
};

Result<Retold> retell(Setting& setting, const Triple& triple, const std::vector<Turn>& turns);

/// The triple of a text (to_text of triples.h), wherever in these lines it is made.
Result<Triple> triple_of(const Setting& setting, const std::string& text, bool is_in_steps);

/// What the board does not run: then no run is a proof that a triple happens. Empty: nothing.
std::string why_not_run(Setting& setting);

}  // namespace heddle::depend
