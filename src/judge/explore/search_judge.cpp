// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/explore/search_judge.h"

#include <algorithm>

#include "explore/interpreted/interpreted_program.h"
#include "explore/sides/access_key.h"
#include "judge/common/confirmed_race.h"
#include "judge/explore/searches.h"

namespace heddle::judge {
namespace {

explore::AccessPair keys_of(const race::Warning& warning) {
  return {explore::key_of(warning.first.function, warning.first.instruction),
          explore::key_of(warning.second.function, warning.second.instruction)};
}

}  // namespace

void SearchJudge::judge(race::Docket& docket, race::Evidence&) {
  SearchesOptions limits;
  limits.find.instruction_budget = options_.budget;
  limits.find.stop = limits.exhaust.stop = limits.states.stop = limits.few.stop = options_.stop;
  explore::InterpretedProgram subject(program_, models_);
  if (options_.only) subject.look_only_for(keys_of(*options_.only));
  SearchVerdict found = run_searches(subject, limits);
  for (const explore::Finding& finding : found.findings.all())
    docket.findings.push_back({{finding.ending.kind, finding.ending.what, finding.ending.stack, {}}, finding.schedule});
  if (found.race) return add_confirmed_race(*found.race, std::string(name()), docket);
  for (const std::string& name : options_.without) {
    if (!found.proof || !found.proof->assumptions().contains(name)) continue;
    found.proof.reset();
    found.why = "what it would prove rests on '" + name + "', which is switched off";
  }
  const bool is_whole =
      std::ranges::find(docket.obstacles, race::Obstacle::Kind::Gap, &race::Obstacle::kind) == docket.obstacles.end();
  if (found.proof && is_whole) {
    docket.proof = found.proof;
    for (race::CaseFile& one : docket.cases)
      if (one.is_open()) one.add(std::string(name()), race::Refuted{*docket.proof});
  } else if (!found.proof && !found.why.empty()) {
    docket.obstacles.push_back({race::Obstacle::Kind::Judge, {}, "running it did not decide either: " + found.why});
  }
}

}  // namespace heddle::judge
