// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triples (risk/triples.h) settled by running them: confirmed by a run, which is shown; refuted, if all runs were seen
// and none makes it; or not decided, and why.
//
//   speed<R#50>,<W#65>,<R#55>   confirmed      'task' begins
//                                              'task' reads speed = 1 at task.c:50
//                                              'isr' comes before task.c:55
//                                              'isr' writes speed = 7 at task.c:65
//                                              'task' reads speed = 7 at task.c:55
//
// A confirmed schedule was found on one board and repeated on a new one, with the same accesses to the same bytes and
// the same values. It names the inputs that were chosen. What could not be followed in it is named too.
//
// Refuted (search.h has the argument) holds under the assumptions of the board (board.h): one core, the priorities and
// masks of the System, undefined functions that touch no variable, no undefined behaviour.
#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "depend/judge/turn.h"
#include "depend/risk/triples.h"

namespace heddle::depend {

struct SettleLimits {
  std::uint64_t steps = 4'000'000;  ///< instructions, for all triples together
  std::chrono::milliseconds time = std::chrono::seconds(60);
};

struct Verdict {
  enum class Kind : std::uint8_t { Confirmed, Refuted, NotDecided };
  Kind kind = Kind::NotDecided;
  std::string why = {};                 ///< NotDecided
  std::vector<std::string> story = {};  ///< Confirmed: a line for each thing that happens
  std::vector<Turn> turns = {};         ///< Confirmed: the schedule (replay.h)
};

/// One for each triple, in their order.
std::vector<Verdict> settle(AccessFacts& facts, const std::vector<Triple>& triples, const SettleLimits& limits);

/// `confirmed`, `refuted`, `not decided: several cores`.
std::string to_text(const Verdict& verdict);

}  // namespace heddle::depend
