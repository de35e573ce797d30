// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/docket.h"

#include <algorithm>

#include "base/contains.h"

namespace heddle::race {

void Docket::assume(std::string name) {
  if (!contains(assumptions, name)) assumptions.push_back(std::move(name));
}

Verdict verdict_of(const Docket& docket) {
  const auto has = [&](Obstacle::Kind kind) {
    return std::ranges::find(docket.obstacles, kind, &Obstacle::kind) != docket.obstacles.end();
  };
  const auto is = [&](RaceVerdict wanted) { return [wanted](const CaseFile& c) { return c.verdict() == wanted; }; };
  if (std::ranges::any_of(docket.cases, is(RaceVerdict::Confirmed))) return Verdict::Race;
  if (has(Obstacle::Kind::Gap) || has(Obstacle::Kind::Bug)) return Verdict::Unknown;
  if (docket.proof) return Verdict::RaceFree;
  if (!docket.is_exhaustive || !docket.obstacles.empty() || docket.not_listed > 0) return Verdict::Unknown;
  return std::ranges::all_of(docket.cases, is(RaceVerdict::Refuted)) ? Verdict::RaceFree : Verdict::Unknown;
}

}  // namespace heddle::race
