// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/explore/search_judge.h"

#include <algorithm>
#include <tuple>

#include "explore/hunt/judge.h"
#include "race/build_report.h"

namespace heddle::judge {
namespace {

/// The interpreter makes an atomic section in one step and shows it where it begins; then the function has to do.
bool is_same_place(const ReportAccess& suspected, const ReportAccess& seen) {
  if (seen.kind.ends_with("section"))
    return suspected.function == seen.function && seen.kind.starts_with(suspected.kind);
  return std::tie(suspected.file, suspected.line, suspected.column, suspected.kind) ==
         std::tie(seen.file, seen.line, seen.column, seen.kind);
}

/// The case of the same two places; a new one if nobody warned of them.
race::CaseFile& case_of(const Program& program, race::Docket& docket, const explore::ReplayedRace& seen) {
  const auto is_it = [&](const race::CaseFile& one) {
    const ReportAccess first = race::short_access(program, one.warning.first);
    const ReportAccess second = race::short_access(program, one.warning.second);
    return (is_same_place(first, seen.first) && is_same_place(second, seen.second)) ||
           (is_same_place(first, seen.second) && is_same_place(second, seen.first));
  };
  const auto known = std::ranges::find_if(docket.cases, is_it);
  if (known != docket.cases.end()) return *known;
  race::CaseFile& one = docket.cases.emplace_back();
  one.seen = race::Sighting{seen.variable, {seen.first, seen.second}};
  return one;
}

void add_race(const Program& program, const explore::ConfirmedRace& found, std::string judge, race::Docket& docket) {
  const std::uint64_t switches = found.race.context_switches;
  race::Confirmed confirmed;
  confirmed.grade = race::Grade::Replay;
  confirmed.schedule = found.schedule;
  confirmed.how = "a schedule of " + std::to_string(found.schedule.steps()) + " steps with " +
                  std::to_string(switches) + (switches == 1 ? " context switch" : " context switches") +
                  " brings both threads there at once";
  case_of(program, docket, found.race).add(std::move(judge), std::move(confirmed));
  docket.assume("sequential-consistency");
}

}  // namespace

void SearchJudge::judge(race::Docket& docket, race::Evidence&) {
  explore::JudgeOptions limits;
  limits.find.instruction_budget = budget_;
  explore::SearchVerdict found = explore::judge(program_, models_, limits);
  for (const explore::Finding& finding : found.findings.all())
    docket.findings.push_back({{finding.ending.kind, finding.ending.what, finding.ending.stack, {}}, finding.schedule});
  if (found.race) return add_race(program_, *found.race, std::string(name()), docket);
  const bool is_whole =
      std::ranges::find(docket.obstacles, race::Obstacle::Kind::Gap, &race::Obstacle::kind) == docket.obstacles.end();
  if (found.proof && is_whole) {
    docket.proof = found.proof->proof();
    for (race::CaseFile& one : docket.cases)
      if (one.is_open()) one.add(std::string(name()), race::Refuted{*docket.proof});
  } else if (!found.proof && !found.why.empty()) {
    docket.obstacles.push_back({race::Obstacle::Kind::Judge, {}, "running it did not decide either: " + found.why});
  }
}

}  // namespace heddle::judge
