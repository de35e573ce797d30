// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All runs of a system, as far as they differ in what a triple is about: depth first, back by undoing, each state once.
//
// At each point where something may be chosen (Board::look) a node has the choices: go on, with each value that an
// input has to take; raise each entry that may come; pause; and, where a first access of the triple was made, take it
// or wait for another. What looks most like the triple comes first. States are known by a hash of all that decides what
// may come, of board and watch together; 128 bits, so that two that differ are never taken for one.
//
// `Nothing` is a proof that no run of the system makes the triple, if there are no gaps: each choice of each state that
// can be reached was tried, and what the board leaves out commutes. The number of runs of each entry is not bounded:
// the search ends when no new state comes up.
#pragma once
#include <chrono>
#include <optional>

#include "depend/judge/turn.h"
#include "depend/judge/watch.h"

namespace heddle::depend {

struct SearchLimits {
  std::uint64_t steps = 0;                   ///< instructions
  std::optional<std::uint32_t> raises = {};  ///< runs of one path, but those of init entries and main
  std::size_t depth = 50'000;                ///< choices of one path; each is kept to go back to
  std::chrono::steady_clock::time_point end = std::chrono::steady_clock::time_point::max();
};

struct SearchResult {
  enum class Kind : std::uint8_t {
    Found,    ///< `schedule` makes the triple
    Nothing,  ///< no run does, if there are no gaps
    Bounded,  ///< none was found with so few raises and choices
    OutOfSteps,
    OutOfTime,
  };
  Kind kind = Kind::Nothing;
  std::vector<Turn> schedule = {};
  Watch::State made = {};  ///< the three accesses
  std::uint64_t steps = 0;
};

SearchResult search(Setting& setting, const Triple& triple, const SearchLimits& limits, Gaps& gaps);

}  // namespace heddle::depend
