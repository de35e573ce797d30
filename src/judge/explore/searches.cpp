// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/explore/searches.h"

#include <algorithm>

namespace heddle::judge {

using explore::ExhaustResult;
using explore::FewPreemptionsOptions;
using explore::FewPreemptionsResult;
using explore::FindOptions;
using explore::FindResult;

SearchVerdict run_searches(const explore::Subject& subject, const SearchesOptions& options) {
  SearchVerdict verdict;
  // A first look finds most races and costs little; the proof comes before the long search that only finds.
  FindOptions first = options.find;
  first.instruction_budget = options.find.instruction_budget / 8;
  FindResult found = explore::find_race(subject, first);
  verdict.runs = found.statistics.runs;
  verdict.findings.add(std::move(found.findings));
  if (!found.race) {
    ExhaustResult all = explore::prove_by_exhaustion(subject, options.exhaust);
    verdict.runs += all.statistics.executions;
    verdict.race = std::move(all.race);
    verdict.proof = all.proof;
    verdict.why = std::move(all.why);
    if (all.is_unfinished) {
      explore::StateSearchResult states = explore::prove_by_states(subject, options.states);
      verdict.proof = std::move(states.proof);
      if (verdict.proof || states.states > 0) verdict.why = std::move(states.why);
    }
    if (verdict.race || verdict.proof) return verdict;
    constexpr std::uint64_t step_cost = 1000;  // instructions of the budget for a step of this search
    FewPreemptionsOptions small = options.few;
    small.events = std::min(small.events, options.find.instruction_budget / step_cost);
    FewPreemptionsResult few = explore::find_with_few_preemptions(subject, small);
    verdict.runs += few.executions;
    if (few.race) {
      verdict.race = std::move(few.race);
      verdict.why.clear();
      return verdict;
    }
    FindOptions rest = options.find;
    rest.seed += 1;
    rest.instruction_budget -= first.instruction_budget;
    found = find_race(subject, rest);
    verdict.runs += found.statistics.runs;
    verdict.findings.add(std::move(found.findings));
  }
  if (found.race) {
    verdict.race = std::move(found.race);
    verdict.why.clear();
  } else if (verdict.why.empty()) {
    verdict.why = found.statistics.obstacle;
  }
  if (!verdict.race && options.find.stop.is_asked()) verdict.why = "the search ended early: " + options.find.stop.why();
  return verdict;
}

}  // namespace heddle::judge
