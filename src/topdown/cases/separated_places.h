// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis proves of single pairs of places, where the program as a whole need not be free of races.
//
//   a[i]++ by every thread with its own i; n++ by all        the pair at a[i]++ is proved apart, the one at n++ is not
//
// It stands on all that the analysis has seen, so nothing is known where it gave up, met something that it could not
// treat, or has more pairs than it lists. A place is a function and an instruction: all accesses of all contexts there.
//
// What one pair rests on may be a value that others race for (`i = n; a[i] = 1;` where n races). A program with a race
// may do anything, so a proof of single pairs assumes `races-interleave`: what races does so as whole accesses, in some
// order.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "race/proof.h"
#include "race/warning.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

class SeparatedPlaces : race::ProofChecker {
 public:
  /// `without`: assumptions that may not be used.
  explicit SeparatedPlaces(const TopDownResult& result, const std::set<std::string>& without = {});

  /// None: the accesses may race, or, where others may, the analysis tells of one of these places elsewhere.
  [[nodiscard]] std::optional<race::Proof> prove(const race::Warning& warning) const;

 private:
  using Place = std::pair<FunctionId, std::uint32_t>;
  [[nodiscard]] bool is_told_here(const Place& place) const;

  const TopDownResult& result_;
  bool are_known_ = false;
  bool may_interleave_;
  std::set<Place> seen_;
  std::set<std::pair<Place, Place>> racing_;  ///< in both orders
};

}  // namespace heddle::topdown
