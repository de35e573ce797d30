// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replay: runs a race::Schedule at the grain of accesses, and looks at the state it ends in. A race is there when both
// threads can make their next step and those steps touch the same bytes, one of them writes, and not both are atomic or
// inside atomic sections (DETECTRACE of ATVA08). Nothing counts as a race before this function has said so.
//
//   run 0 12       main up to behind the second pthread_create
//   run 1 2        the first thread stands before  x = 1
//   run 2 2        the second one before           x = 2
//   race 1 2       both can go on, the four bytes of x are touched by both: a race
//
//   unordered 1 2  instead of "race": the last step made thread 2's access; by the clocks of the memory orders written
//                  in the program nothing orders it behind an access of thread 1 to the same bytes
//
// Why that is enough: the state is one that the program reaches, step by step, and in it both accesses can be made, in
// either order, with nothing between them. Neither the clocks nor the search that found the schedule are trusted, and
// an interleaving of whole operations is an execution under every memory model. For a pair without order the run itself
// is such an execution, and the clocks are asked (search/race_detector.h): the languages call it a data race when
// neither access happens before the other.
//
// Deterministic: the same schedule of the same program gives the same answer, and a schedule of another program (or of
// another state of the same) is refused. Words are made by the executor, for the state at the end. Cost: one execution.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/executor/subject.h"
#include "race/schedule.h"

namespace heddle::explore {

/// What of a replay another process can be told.
struct ReplayedTrace {
  std::vector<ThreadIndex> created;  ///< in the order of their creation, main not included
  std::vector<std::uint64_t> marks;  ///< of the schedule's slices (explore/evidence/mark.h)
  std::uint64_t end_mark = 0;
};

struct ReplayedRace {
  ReportAccess first;
  ReportAccess second;
  NextOperation first_operation;  ///< what the two were about to do
  NextOperation second_operation;
  std::string variable;  ///< `counter`, `heap object of 8 bytes, byte 4`
  std::string value;     ///< what the bytes both touch hold now, as hexadecimal
  std::uint64_t context_switches = 0;
  std::vector<std::string> inputs;  ///< what the run was given: `standard input = 7`
  /// Of a pair that nothing orders: which edge is missing, as a sentence without a full stop. Empty: both threads stand
  /// before their accesses.
  std::string missing;
  ReplayedTrace trace;
};

/// A schedule that ends in a race or in a pair that nothing orders. Errors: the program is another one, a step is not
/// possible, or there is no race at the end.
Result<ReplayedRace> replay(const Subject& subject, const race::Schedule& schedule);

/// What else a schedule can end in.
struct ReplayedEnding {
  std::string kind;  ///< "deadlock", "failed assertion", "abort", "crash", "misused lock"
  std::string what;  ///< "read of 4 bytes through a null pointer"
  std::string thread;
  std::vector<ReportFrame> stack;  ///< innermost first; of a deadlock: where each thread waits
};

/// The same for a schedule that ends in a failure or a deadlock.
Result<ReplayedEnding> replay_ending(const Subject& subject, const race::Schedule& schedule);

/// Nothing if it is no failure (the program ended, an assumption is false, a limit was met).
std::optional<ReplayedEnding> failure_of(const Ending& ending);

}  // namespace heddle::explore
