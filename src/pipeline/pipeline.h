// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipeline: the only place that knows the order of the stages.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "frontend/frontend.h"
#include "report/race_report.h"
#include "scan/scan.h"

namespace heddle::pipeline {

struct Options {
  std::vector<frontend::Source> sources;
  std::string project;  ///< folder of a captured project, read when there are no sources
  std::string program;  ///< of the project's programs; empty: all its units
  frontend::Options frontend;
  std::vector<std::string> profiles;       ///< shipped profiles, read between the shipped models and the user's
  std::vector<std::string> model_files;    ///< user's TOML, read after the shipped models
  std::uint64_t step_budget = 40'000'000;  ///< transfer-function steps; deterministic, unlike a time limit
  /// The same for programs of more than `large_program` instructions: what does not end soon there does not end.
  std::uint64_t large_step_budget = 200'000;
  std::uint64_t large_program = 100'000;
  unsigned jobs = 1;                         ///< threads of a scan
  std::uint64_t search_budget = 20'000'000;  ///< interpreted instructions to look for a race with; 0: do not look
  bool static_proofs = true;   ///< false: a proof of the static stages does not count; for measuring the search
  std::string schedule_file;   ///< where the schedule of a race that was found goes; empty: nowhere
  bool keep_summaries = true;  ///< scan of a project: read and write what the scans before kept
  bool reuse_report = true;    ///< scan of a project that did not change: its report is not made again
};

/// A Program, and what is known of how it was read.
struct Loaded {
  Program program;
  ReportCoverage coverage;            ///< of files and units
  std::vector<std::string> programs;  ///< of a project with several of which none was chosen
  std::vector<std::string> notes;     ///< what had to be read again, and why
  std::vector<std::string> gaps;      ///< parts that are missing or not certain: with any of these nothing is proved
  ContentHash key = {};               ///< of a project: equal keys, equal programs
};

/// Sources or a project to a Program, as every command needs it.
Result<Loaded> read_input(const Options& options);
/// The same for who needs nothing but the Program.
Result<Program> load(const Options& options);

/// An error if it holds several programs: whoever runs or decides one must know which.
Result<void> check_one_program(const Loaded& loaded);

/// The models shipped with heddle plus the user's.
Result<api::ApiModels> load_models(const Options& options);

/// And those that its own declarations give (api/models/declared_locks.h).
Result<api::ApiModels> load_models(const Options& options, const Program& program);

/// One program in, a verdict out. Errors are bad input (exit code 2). `tell` gets the notes when the program was read.
Result<RaceReport> verify(const Options& options,
                          const std::function<void(const std::vector<std::string>&)>& tell = {});

/// The same for a program that was read already.
Result<RaceReport> verify(const Loaded& loaded, const api::ApiModels& models, const Options& options);

/// Suspected races of a whole project, ranked; nothing is proved. Errors are bad input. What is kept for the next scan
/// lies in the project's folder `summaries`.
Result<scan::ScanResult> scan(const Options& options, const scan::ScanOptions& how,
                              const std::function<void(const std::vector<std::string>&)>& tell = {});

}  // namespace heddle::pipeline
