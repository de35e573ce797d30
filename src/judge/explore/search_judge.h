// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search as a judge of the whole program: runs it on the interpreter until a race is seen, confirmed and replayed,
// or until everything was seen. A race that the driver warned of is confirmed there; another one gets a case file of
// its own. All cases are refuted when every execution was looked at.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "race/judge.h"

namespace heddle::judge {

struct SearchJudgeOptions {
  std::uint64_t budget = 20'000'000;  ///< interpreted instructions
  std::set<std::string> without;      ///< assumptions that no proof may use
  Stop stop;
  std::optional<race::Warning> only;  ///< the race to look for; others are passed over
};

class SearchJudge : public race::Judge {
 public:
  SearchJudge(const Program& program, const api::ApiModels& models, SearchJudgeOptions options)
      : program_(program), models_(models), options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "search"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  const api::ApiModels& models_;
  SearchJudgeOptions options_;
};

}  // namespace heddle::judge
