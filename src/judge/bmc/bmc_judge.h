// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded model checking as a judge of the whole program (TACAS09, sections 6 and 7): all executions in which loops go
// few rounds, and what they are given from outside, as one question to a SAT solver. It finds races that need
// particular inputs, which a search that runs the program does not guess:
//
//   int x = nondet(); if (x * 7 + 3 == 1000003) shared = 1;
//
// First with one round more than none, then with more, until there is a race or a limit is met. What the solver finds
// is run on the interpreter and replayed: only then it is a race. Nothing is refuted.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "race/judge.h"

namespace heddle::judge {

struct BmcJudgeOptions {
  std::uint32_t most_rounds = 8;
  std::uint64_t most_conflicts = 60'000;  ///< of each question
  std::uint64_t patience = 1;             ///< so many times the effort that is made by default
  Stop stop;
};

class BmcJudge : public race::Judge {
 public:
  BmcJudge(const Program& program, const api::ApiModels& models, FunctionId main, BmcJudgeOptions options)
      : program_(program), models_(models), main_(main), options_(std::move(options)) {}

  [[nodiscard]] std::string_view name() const override { return "bmc"; }
  void judge(race::Docket& docket, race::Evidence& evidence) override;

 private:
  const Program& program_;
  const api::ApiModels& models_;
  FunctionId main_;
  BmcJudgeOptions options_;
};

}  // namespace heddle::judge
