// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First page of the pipeline: sources, bitcode or a captured project become a Program, and models say what its library
// calls do. Behind this page nothing sees LLVM.
//
//   const auto loaded = pipeline::read_input(input);
//   const auto models = pipeline::load_models(input, loaded->program);
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "frontend/frontend.h"
#include "report/race_report.h"

namespace heddle::pipeline {

/// What is read, for every command.
struct Input {
  std::vector<frontend::Source> sources;
  std::string project;  ///< folder of a captured project, read when there are no sources
  std::string program;  ///< of the project's programs; empty: all its units
  frontend::Options frontend;
  std::vector<std::string> profiles;     ///< shipped profiles, read between the shipped models and the user's
  std::vector<std::string> model_files;  ///< user's TOML, read after the shipped models
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

/// Gets notes for the user when the program was read.
using Tell = std::function<void(const std::vector<std::string>&)>;

/// Sources or a project to a Program, as every command needs it. Errors are bad input (exit code 2).
Result<Loaded> read_input(const Input& input);
/// As read_input, for callers that need only the Program.
Result<Program> load(const Input& input);

/// The program's main; none if there is none with a body.
FunctionId main_of(const Program& program);

/// An error if it holds several programs: commands that run or decide one must know which.
Result<void> check_one_program(const Loaded& loaded);

/// The models shipped with heddle plus the user's.
Result<api::ApiModels> load_models(const Input& input);
/// Those that the program can ask for (ApiModels::shipped_for), and those that its own declarations give
/// (api/models/declared_locks.h).
Result<api::ApiModels> load_models(const Input& input, const Program& program);
/// What is wrong with the user's, told before the program is read.
Result<void> check_chosen_models(const Input& input);

/// What the stages found out about the code joins what is known of the files.
ReportCoverage complete(const ReportCoverage& found, const ReportCoverage& read);

}  // namespace heddle::pipeline
