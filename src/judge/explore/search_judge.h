// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search as a judge of the whole program: runs it on the interpreter until a race is seen, confirmed and replayed,
// or until everything was seen. A race that the driver warned of is confirmed there; another one gets a case file of
// its own. All cases are refuted when every execution was looked at.
#pragma once
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "race/judge.h"

namespace heddle::judge {

class SearchJudge : public race::Judge {
 public:
  /// `budget`: interpreted instructions. `without`: assumptions that no proof may use.
  SearchJudge(const Program& program, const api::ApiModels& models, std::uint64_t budget,
              std::set<std::string> without = {}, const Stop& stop = {})
      : program_(program), models_(models), budget_(budget), without_(std::move(without)), stop_(stop) {}

  [[nodiscard]] std::string_view name() const override { return "search"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  const api::ApiModels& models_;
  std::uint64_t budget_;
  std::set<std::string> without_;
  Stop stop_;
};

}  // namespace heddle::judge
