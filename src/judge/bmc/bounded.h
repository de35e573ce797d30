// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for a race within growing bounds: how many rounds a loop may go whose end is not known, and how many points a
// thread may have. What is cut by one of them is tried with twice as much of it, points first, for long threads mostly
// race near their beginnings.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "explore/evidence/confirm.h"
#include "program/model/program.h"

namespace heddle::judge::bmc {

struct BoundedOptions {
  std::uint32_t most_rounds = 8;
  std::uint64_t most_conflicts = 60'000;  ///< of each question
  std::uint64_t patience = 1;             ///< so many times the effort that is made by default
  Stop stop = {};
};

struct BoundedResult {
  std::optional<explore::ConfirmedRace> race;
  std::string why;                ///< there is none to tell of
  std::uint32_t rounds = 0;       ///< there is no race with so many rounds, unless one was found
  std::uint32_t unconfirmed = 0;  ///< witnesses that no replay confirmed
};

BoundedResult find_race_within_bounds(const Program& program, const api::ApiModels& models, FunctionId main,
                                      const explore::Subject& subject, const BoundedOptions& options);

}  // namespace heddle::judge::bmc
