// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/values/values_judge.h"

#include <algorithm>

#include "topdown/cases/separated_places.h"

namespace heddle::judge {

void ValuesJudge::judge(race::Docket& docket, race::Evidence&) {
  if (std::ranges::none_of(docket.cases, &race::CaseFile::is_open)) return;
  const topdown::TopDownResult result = topdown::analyse_top_down(program_, models_, main_, limits_);
  const topdown::SeparatedPlaces places(result, limits_.without);
  for (race::CaseFile& one : docket.cases)
    if (one.is_open() && !one.seen)
      if (auto proof = places.prove(one.warning)) {
        for (const std::string& assumption : proof->assumptions()) docket.assume(assumption);
        one.add(std::string(name()), race::Refuted{std::move(*proof)});
      }
}

}  // namespace heddle::judge
