// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running program as a judge: warnings are handed over as pairs of AccessIds, the program runs under a search that
// is directed at them, and what it was brought to is confirmed with a schedule. A race that nobody warned of gets a
// case of its own. A warning that the runs did not reach stays what it is, and says so: one input proves nothing, so
// nothing is refuted here.
//
//   RunJudge(program, [&](const auto& pairs) { return …start it and look for them…; }).judge(docket, evidence);
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "explore/launch/answer.h"
#include "race/access_id.h"
#include "race/judge.h"

namespace heddle::judge {

/// What runs of the program showed. Names stand in the place of addresses.
struct HuntReport {
  std::vector<explore::AnsweredRace> races;
  std::vector<std::uint32_t> reached;  ///< of each pair: how many of its accesses were made; empty: not known
  std::vector<std::string> obstacles;  ///< what kept the runs from going on
};

using IdPair = std::pair<race::AccessId, race::AccessId>;
using HuntPairs = std::function<HuntReport(const std::vector<IdPair>& pairs)>;

class RunJudge : public race::Judge {
 public:
  RunJudge(const Program& program, HuntPairs hunt) : program_(program), hunt_(std::move(hunt)) {}

  [[nodiscard]] std::string_view name() const override { return "explore"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  HuntPairs hunt_;
};

}  // namespace heddle::judge
