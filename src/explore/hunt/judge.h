// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `verify` asks when the static stages could not decide: run the program. A race comes with a schedule that was
// replayed; race freedom with a proof that everything was seen; anything else with the reason.
//
//   const SearchVerdict verdict = explore::judge(program, models, {});
//   if (verdict.race) …report Race with verdict.race->schedule
//   else if (verdict.proof) …report RaceFree
//   else …say verdict.why
#pragma once
#include <optional>
#include <string>

#include "api/models/api_models.h"
#include "explore/evidence/exhaust.h"
#include "explore/evidence/few_preemptions.h"
#include "explore/evidence/find_race.h"
#include "program/model/program.h"

namespace heddle::explore {

struct JudgeOptions {
  FindOptions find;
  ExhaustOptions exhaust;
  FewPreemptionsOptions few;
};

struct SearchVerdict {
  std::optional<ConfirmedRace> race;
  std::optional<ExhaustionProof> proof;
  Findings findings;
  std::string why;
  std::uint64_t runs = 0;
};

SearchVerdict judge(const Subject& subject, const JudgeOptions& options);
/// On the interpreter.
SearchVerdict judge(const Program& program, const api::ApiModels& models, const JudgeOptions& options);

}  // namespace heddle::explore
