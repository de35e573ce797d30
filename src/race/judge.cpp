// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/judge.h"

#include "base/check.h"

namespace heddle::race {

void WarningJudge::judge(Docket& docket, Evidence& evidence) {
  for (CaseFile& one : docket.cases) {
    if (!one.is_open() || one.seen) continue;
    Budget budget(steps_);
    try {
      one.add(std::string(name()), look_at(one.warning, evidence, budget));
    } catch (const InternalError& bug) {
      one.add(std::string(name()), NoOpinion{std::string("a bug of heddle's: ") + bug.what()});
      docket.obstacles.push_back({Obstacle::Kind::Bug,
                                  {},
                                  "the judge '" + std::string(name()) +
                                      "' failed on a warning, which is a bug of "
                                      "heddle's: " +
                                      bug.what()});
    }
  }
}

}  // namespace heddle::race
