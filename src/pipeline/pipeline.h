// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline: the only place that knows the order of the stages.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "api/api_models.h"
#include "base/result.h"
#include "frontend/frontend.h"
#include "race/race_report.h"

namespace heddle::pipeline {

struct Options {
  std::vector<frontend::Source> sources;
  std::string project;  ///< folder of a captured project, read when there are no sources
  frontend::Options frontend;
  std::vector<std::string> profiles;         ///< shipped profiles, read between the shipped models and the user's
  std::vector<std::string> model_files;      ///< user's TOML, read after the shipped models
  std::uint64_t step_budget = 40'000'000;    ///< transfer-function steps; deterministic, unlike a time limit
  std::uint64_t search_budget = 20'000'000;  ///< interpreted instructions to look for a race with; 0: do not look
  bool static_proofs = true;  ///< false: a proof of the static stages does not count; for measuring the search
  std::string schedule_file;  ///< where the schedule of a race that was found goes; empty: nowhere
};

/// Sources to Program, as every command needs it.
Result<Program> load(const Options& options);

/// The models shipped with heddle plus the user's.
Result<api::ApiModels> load_models(const Options& options);

/// And those that its own declarations give (api/declared_locks.h).
Result<api::ApiModels> load_models(const Options& options, const Program& program);

/// One program in, a verdict out. Errors are bad input (exit code 2).
Result<RaceReport> verify(const Options& options);

/// The same for a program that was read already.
Result<RaceReport> verify(const Program& program, const api::ApiModels& models, const Options& options);

}  // namespace heddle::pipeline
