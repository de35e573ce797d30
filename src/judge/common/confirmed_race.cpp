// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/common/confirmed_race.h"

#include <algorithm>

#include "explore/sides/access_key.h"

namespace heddle::judge {
namespace {

/// An access of a run in the Program.
struct SeenAccess {
  race::Access access;
  bool in_section = false;
};

SeenAccess seen_access(const explore::NextOperation& next, const ReportAccess& words) {
  SeenAccess out;
  out.in_section = next.in_section;
  out.access.kind = words.kind.starts_with("free")    ? AccessKind::Free
                    : words.kind.starts_with("write") ? AccessKind::Write
                                                      : AccessKind::Read;
  out.access.is_atomic = words.is_atomic;
  if (const auto at = explore::place_of(next.key)) {
    out.access.function = at->first;
    out.access.instruction = at->second;
  }
  return out;
}

/// The interpreter makes an atomic section in one step and shows it where it begins; then the function has to do.
bool is_same_access(const race::Access& suspected, const SeenAccess& seen) {
  if (!seen.in_section) return race::is_same_place(suspected, seen.access);
  return suspected.function == seen.access.function && suspected.kind == seen.access.kind;
}

/// The case of the same two places; a new one if nobody warned of them.
race::CaseFile& case_of(race::Docket& docket, const explore::ReplayedRace& race) {
  const SeenAccess first = seen_access(race.first_operation, race.first);
  const SeenAccess second = seen_access(race.second_operation, race.second);
  const auto is_it = [&](const race::CaseFile& one) {
    const race::Warning& w = one.warning;
    return (is_same_access(w.first, first) && is_same_access(w.second, second)) ||
           (is_same_access(w.first, second) && is_same_access(w.second, first));
  };
  const auto known = std::ranges::find_if(docket.cases, is_it);
  if (known != docket.cases.end()) return *known;
  race::CaseFile& one = docket.cases.emplace_back();
  one.warning = {first.access, second.access};
  one.seen = race::Sighting{race.variable, {race.first, race.second}};
  return one;
}

/// What the run was given from outside, as far as one wants to read.
std::string inputs_of(const explore::ReplayedRace& race) {
  constexpr std::size_t enough = 12;
  std::string text;
  for (std::size_t i = 0; i < race.inputs.size() && i < enough; ++i)
    text += (i == 0 ? ", given the inputs " : ", ") + race.inputs[i];
  if (race.inputs.size() > enough) text += ", and " + std::to_string(race.inputs.size() - enough) + " more";
  return text;
}

}  // namespace

void add_confirmed_race(const explore::ConfirmedRace& found, std::string judge, race::Docket& docket) {
  const std::uint64_t switches = found.race.context_switches;
  const bool at_once = found.schedule.ending == race::Schedule::Ending::Race;
  race::Confirmed confirmed;
  confirmed.grade = at_once ? race::Grade::Replay : race::Grade::Unordered;
  confirmed.schedule = found.schedule;
  confirmed.how = "a schedule of " + std::to_string(found.schedule.steps()) + " steps with " +
                  std::to_string(switches) + (switches == 1 ? " context switch" : " context switches");
  confirmed.how += at_once ? " brings both threads there"
                           : " makes both accesses, and neither happens before the other: " + found.race.missing;
  confirmed.how += inputs_of(found.race);
  case_of(docket, found.race).add(std::move(judge), std::move(confirmed));
  docket.assume("sequential-consistency");
}

}  // namespace heddle::judge
