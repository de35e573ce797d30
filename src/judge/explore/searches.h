// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The searches, in the order in which they pay: a first look for races, everything if that ends, every
// state if it does not, few preemptions, a longer look. A race comes with a schedule that was replayed; race freedom
// with a proof that everything was seen; anything else with the reason.
//
//   const SearchVerdict verdict = run_searches(subject, {});
//   if (verdict.race) …confirm the case with verdict.race->schedule
//   else if (verdict.proof) …refute every case
//   else …say verdict.why
#pragma once
#include <optional>
#include <string>

#include "explore/evidence/exhaust.h"
#include "explore/evidence/few_preemptions.h"
#include "explore/evidence/find_race.h"
#include "explore/states/state_search.h"

namespace heddle::judge {

struct SearchesOptions {
  explore::FindOptions find;
  explore::ExhaustOptions exhaust;
  explore::StateSearchOptions states;
  explore::FewPreemptionsOptions few;
};

struct SearchVerdict {
  std::optional<explore::ConfirmedRace> race;
  std::optional<race::Proof> proof;
  explore::Findings findings;
  std::string why;
  std::uint64_t runs = 0;
};

SearchVerdict run_searches(const explore::Subject& subject, const SearchesOptions& options);

}  // namespace heddle::judge
