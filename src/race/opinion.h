// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opinion: what one judge says of one warning.
//
//   Refuted     it cannot happen; carries a Proof, which only a checker can make
//   Witnessed   a schedule leads to it, and nobody has run it yet
//   Confirmed   it was seen; the grade says how
//   Unlikely    a named reason to look at it later; lowers its rank and drops nothing
//   NoOpinion   the judge could not tell, and says why
#pragma once
#include <cstdint>
#include <string>
#include <variant>

#include "race/proof.h"
#include "race/schedule.h"

namespace heddle::race {

/// What was seen of a confirmed race.
enum class Grade : std::uint8_t {
  Replay,     ///< a schedule that replays brings both threads to their accesses at once
  Unordered,  ///< a schedule that replays makes both accesses, and nothing orders them
  Met,        ///< two threads of the running program were stopped at the two accesses
};
std::string_view to_text(Grade grade);

struct Refuted {
  Proof proof;
};
struct Witnessed {
  Schedule schedule;
};
struct Confirmed {
  Grade grade = Grade::Replay;
  Schedule schedule;
  std::string how;  ///< in a sentence
};
struct Unlikely {
  std::string reason;
  std::int64_t points = 0;  ///< below zero: less suspicious
};
struct NoOpinion {
  std::string why;
  bool is_worth_telling = false;  ///< the report has it among the reasons
};

using Opinion = std::variant<Refuted, Witnessed, Confirmed, Unlikely, NoOpinion>;

}  // namespace heddle::race
