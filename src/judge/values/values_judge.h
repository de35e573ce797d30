// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysis that `verify` decides with as a judge of a scan's warnings: it follows values, locks, phases and owners
// of memory through the whole program, context by context, so it knows of many pairs that a scan suspects why they
// never meet: other elements, other objects of one thread each, a branch that is not taken, before the creation, behind
// the join.
//
//   mode = 1; start(worker); x = 2;      worker: if (mode == 2) x = 1;      a scan warns of `x`, it refutes
//
// It needs a program with its main and nothing that runs besides. A warning is refuted if the analysis ended, met
// nothing that it could not treat, and separates all that happens at the two places; its assumptions are named.
// If nothing at all is left that could race, every warning of the program is refuted, also where the two drivers see a
// call's accesses at different places. Otherwise it says nothing.
//
// Cost: that of the analysis, which is bounded by steps.
#pragma once
#include "api/models/api_models.h"
#include "race/judge.h"
#include "topdown/transfer/top_down.h"

namespace heddle::judge {

class ValuesJudge : public race::Judge {
 public:
  /// `main` must have a body.
  ValuesJudge(const Program& program, const api::ApiModels& models, FunctionId main, topdown::TopDownOptions limits)
      : program_(program), models_(models), main_(main), limits_(std::move(limits)) {}

  [[nodiscard]] std::string_view name() const override { return "values"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  const api::ApiModels& models_;
  FunctionId main_;
  topdown::TopDownOptions limits_;
};

}  // namespace heddle::judge
