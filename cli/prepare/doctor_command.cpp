// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/prepare/doctor_command.h"

#include <algorithm>
#include <iomanip>
#include <iostream>

#include "build/compile_database.h"
#include "project/doctor.h"

namespace heddle::cli {
namespace {

const char* word_of(project::Finding::State state) {
  switch (state) {
    case project::Finding::State::Ok: return "ok";
    case project::Finding::State::Optional: return "optional";
    case project::Finding::State::Missing: return "missing";
  }
  return "";
}

void print(const project::Finding& finding) {
  std::cout << std::left << std::setw(10) << word_of(finding.state) << finding.what << ": " << finding.detail << '\n';
  if (!finding.mend.empty()) std::cout << std::setw(10) << "" << "→ " << finding.mend << '\n';
}

}  // namespace

DoctorCommand::DoctorCommand(CLI::App& app)
    : Command(app, "doctor", "Say what is missing on this machine or in a compile_commands.json, and how to get it") {
  subcommand()
      .add_option("-p", database_path_, "a compile_commands.json, or the folder it is in or under")
      ->option_text("FILE|DIR");
}

ExitCode DoctorCommand::run(const std::vector<std::string>&) {
  std::vector<project::Finding> findings = project::examine_machine(".");
  std::string database = database_path_;
  if (database.empty()) database = build::find_compile_commands_upward(".").value_or("");
  if (!database.empty()) std::ranges::move(project::examine_database(database), std::back_inserter(findings));
  for (const project::Finding& finding : findings) print(finding);
  const auto missing = std::ranges::count(findings, project::Finding::State::Missing, &project::Finding::state);
  std::cout << (missing == 0 ? "nothing is missing\n" : std::to_string(missing) + " missing\n");
  return missing == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace heddle::cli
