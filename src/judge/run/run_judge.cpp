// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/run/run_judge.h"

#include <algorithm>
#include <map>

namespace heddle::judge {
namespace {

IdPair in_order(race::AccessId a, race::AccessId b) { return std::minmax(a, b); }

/// The cases of each pair of accesses: the same source text may have been compiled twice.
std::map<IdPair, std::vector<std::size_t>> cases_by_pair(const Program& program, const race::Docket& docket) {
  std::map<IdPair, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < docket.cases.size(); ++i) {
    const race::Warning& w = docket.cases[i].warning;
    if (!w.first.function || !w.second.function) continue;  // a run could not tell its instruction
    out[in_order(race::access_id(program, w.first), race::access_id(program, w.second))].push_back(i);
  }
  return out;
}

race::Confirmed confirmed_by(const explore::AnsweredRace& race) {
  race::Confirmed out;
  const bool at_once = race.schedule.ending == race::Schedule::Ending::Race;
  out.grade = at_once ? race::Grade::Replay : race::Grade::Unordered;
  out.schedule = race.schedule;
  const std::string length = std::to_string(race.schedule.steps()) + " steps with " + std::to_string(race.switches) +
                             (race.switches == 1 ? " context switch" : " context switches");
  out.how = at_once ? "a run of the program brought both threads there at once, after " + length
                    : "in a run of the program neither access happens before the other, after " + length + ": " +
                          race.missing;
  return out;
}

race::Access access_of(const ReportAccess& words) {
  race::Access out;
  out.kind = words.kind.ends_with("free")   ? AccessKind::Free
             : words.kind.ends_with("read") ? AccessKind::Read
                                            : AccessKind::Write;
  out.is_atomic = words.is_atomic;
  return out;
}

race::CaseFile& new_case(race::Docket& docket, const explore::AnsweredRace& race) {
  race::CaseFile& one = docket.cases.emplace_back();
  one.warning = {access_of(race.accesses[0]), access_of(race.accesses[1])};
  one.seen = race::Sighting{race.variable, race.accesses};
  return one;
}

const char* why_not(std::uint32_t reached) {
  switch (reached) {
    case 0: return "not reached by this run: neither access was made";
    case 1: return "not reached by this run: one of the two accesses was not made";
    default: return "not reached by this run, though both accesses were made";
  }
}

}  // namespace

void RunJudge::judge(race::Docket& docket, race::Evidence&) {
  if (docket.proof) return;
  const std::map<IdPair, std::vector<std::size_t>> known = cases_by_pair(program_, docket);
  // The most suspicious first: budgets may end.
  std::vector<std::pair<std::size_t, IdPair>> ranked;
  for (const auto& [pair, cases] : known)
    if (docket.cases[cases.front()].is_open()) ranked.emplace_back(cases.front(), pair);
  std::ranges::sort(ranked);
  std::vector<IdPair> pairs;
  for (const auto& [rank, pair] : ranked) pairs.push_back(pair);

  const HuntReport report = hunt_(pairs);
  for (const explore::AnsweredRace& race : report.races) {
    const auto cases = known.find(in_order({race.first_access}, {race.second_access}));
    const race::Confirmed confirmed = confirmed_by(race);
    if (cases == known.end())
      new_case(docket, race).add(std::string(name()), confirmed);
    else
      for (const std::size_t i : cases->second) docket.cases[i].add(std::string(name()), confirmed);
  }
  if (!report.races.empty()) docket.assume("sequential-consistency");
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (const std::size_t i : known.at(pairs[p]))
      if (docket.cases[i].is_open())
        docket.cases[i].add(
            std::string(name()),
            race::NoOpinion{p < report.reached.size() ? why_not(report.reached[p]) : "not reached by this run", true});
  for (const std::string& what : report.obstacles)
    docket.obstacles.push_back({race::Obstacle::Kind::Judge, {}, "running it: " + what});
}

}  // namespace heddle::judge
