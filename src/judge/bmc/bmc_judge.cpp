// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/bmc_judge.h"

#include <stdexcept>

#include "explore/interpreted/interpreted_program.h"
#include "judge/bmc/bounded.h"
#include "judge/common/confirmed_race.h"

namespace heddle::judge {

void BmcJudge::judge(race::Docket& docket, race::Evidence&) {
  const explore::InterpretedProgram subject(program_, models_);
  bmc::BoundedResult found;
  try {
    found =
        bmc::find_race_within_bounds(program_, models_, main_, subject,
                                     {options_.most_rounds, options_.most_conflicts, options_.patience, options_.stop});
  } catch (const std::logic_error& bug) {  // whatever else is known of the program is told
    docket.obstacles.push_back(
        {race::Obstacle::Kind::Bug,
         {},
         std::string("bounded model checking failed, which is a bug of heddle's: ") + bug.what()});
    return;
  }
  if (found.race) return add_confirmed_race(*found.race, std::string(name()), docket);
  docket.obstacles.push_back(
      {race::Obstacle::Kind::Judge, {}, "bounded model checking did not decide it either: " + found.why});
}

}  // namespace heddle::judge
