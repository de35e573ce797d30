// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs of program locations that nothing separates, without comparing all accesses with all. Accesses to one
// object whose circumstances (separate.h) are equal are one group: groups are compared, and a pair of groups that
// nothing separates gives all pairs of their locations.
//
//   counter    group 1: write, {}, worker    125 locations
//              group 2: read, {}, worker     125 locations     ->  two comparisons, 23 500 pairs of locations
//
// Of each variable as many pairs are listed as a person may want to see, so that each location is among them before
// one comes again; the others are counted, up to a limit. Nothing is lost for a proof: every pair of groups is compared
// unless a pair of the same variable is listed already, and `is_complete` tells whether all that was found is listed.
//
// Cost: the groups of one object against those whose bytes may be the same; PairLimits bound it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "race/warning.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

struct PairLimits {
  std::uint32_t listed = 40;               ///< pairs of locations of one variable
  std::uint32_t counted = 20'000;          ///< the same: beyond it, "at least"
  std::uint32_t looked_at = 200'000;       ///< pairs of one variable, each location in each of its groups
  std::uint64_t compared = 30'000'000;     ///< pairs of groups of the whole program: some seconds
  std::optional<race::Warning> only = {};  ///< no other pair of locations is looked at, and this one is listed
};

/// Of one variable more is known than is listed.
struct UnlistedPairs {
  std::uint32_t access = 0;  ///< to the variable, by its number
  std::uint64_t count = 0;   ///< at least; 0: not all of its pairs were looked at
};

struct RacingPairs {
  std::vector<race::Warning> listed;  ///< in the order of the accesses, object by object
  std::vector<UnlistedPairs> unlisted;
  bool gave_up = false;  ///< PairLimits::compared is used up: there may be others
  std::uint64_t compared = 0;

  [[nodiscard]] bool is_complete() const { return unlisted.empty() && !gave_up; }
};

RacingPairs find_racing_pairs(const TopDownResult& result, const PairLimits& limits = {});

}  // namespace heddle::topdown
