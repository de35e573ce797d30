// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of accesses that somebody asks about: all of a variable, with what separates them, and all that suspicions
// stand for. Nothing is left out, however much there is.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "race/separation.h"
#include "scan/pairs/candidates.h"

namespace heddle::scan {

/// Two accesses that were looked at together.
struct ConsideredCandidates {
  Candidate first;
  Candidate second;
  std::optional<race::Separation> separation;  ///< none: a warning
};

/// Every pair of accesses of one bucket of which at least one is wanted, for `heddle explain VARIABLE`.
std::vector<ConsideredCandidates> consider_pairs(const ScanFacts& scanned,
                                                 const std::function<bool(const Candidate&)>& is_wanted);

/// One way in which the two accesses of a suspicion meet.
struct Encounter {
  std::uint32_t suspicion = 0;  ///< in Suspicions::all
  NamedHistory first, second;
};

/// All ways in which the accesses of these suspicions meet: what a suspicion stands for, of which it lists one
/// (assumption `bounded-groups`).
std::vector<Encounter> find_encounters(const ScanFacts& scanned, const Suspicions& suspicions,
                                       const std::vector<std::uint32_t>& asked);

}  // namespace heddle::scan
