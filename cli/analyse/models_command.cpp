// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/models_command.h"

#include <iostream>

#include "api/models/model_listing.h"
#include "api/propose/wrapper_proposals.h"
#include "api/reader/effect_schema.h"
#include "cli/project_file.h"
#include "pipeline/load.h"
#include "threads/outside_entries.h"

namespace heddle::cli {

ModelsCommand::ModelsCommand(CLI::App& app)
    : Command(app, "models", "List the library models; with FILE…, the calls of that program no model explains") {
  input_.declare(subcommand(), InputArguments::Files::Optional);
  subcommand()
      .add_option("--profile", profiles_, "with the models and entries of a shipped profile; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  subcommand().add_flag("--propose", proposes_,
                        "models for the functions of FILE… (none: of the project captured here) that look like locks");
  subcommand().add_flag(
      "--entries", lists_entries_,
      "the functions of FILE… (none: of the project captured here) that the profiles say are called from outside");
}

ExitCode ModelsCommand::run(const std::vector<std::string>& clang_flags) {
  auto input = input_.input(clang_flags);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  input->profiles = profiles_;
  const Result<api::ApiModels> models = pipeline::load_models(*input);
  if (!models) {
    print_error(models.error().message);
    return ExitCode::BadInput;
  }
  if (lists_entries_) return list_entries(*input, *models);
  if (proposes_) return propose(*input, *models);
  if (input_.has_files()) return list_unexplained(*input, *models);
  api::print_models(std::cout, *models);
  api::print_entries(std::cout, *models);
  return ExitCode::Fine;
}

Result<Program> ModelsCommand::load(const pipeline::Input& input) const {
  pipeline::Input inputs = input;
  if (!input_.has_files()) inputs.project = captured_project().value_or(project_folder);
  return pipeline::load(inputs);
}

ExitCode ModelsCommand::list_entries(const pipeline::Input& input, const api::ApiModels& models) const {
  const Result<Program> program = load(input);
  if (!program) {
    print_error(program.error().message);
    return ExitCode::BadInput;
  }
  const auto entries = threads::find_outside_entries(*program, models);
  for (const threads::OutsideEntry& entry : entries) {
    const Function& f = program->functions[entry.function];
    std::cout << program->where(f.location) << ": " << f.name << ": " << api::to_text(entry.context) << ", "
              << entry.reason << '\n';
  }
  if (entries.empty()) std::cout << "no function is called from outside, as far as the profiles given tell\n";
  return ExitCode::Fine;
}

ExitCode ModelsCommand::propose(const pipeline::Input& input, const api::ApiModels& models) const {
  const Result<Program> program = load(input);
  if (!program) {
    print_error(program.error().message);
    return ExitCode::BadInput;
  }
  const std::vector<api::WrapperProposal> proposals = api::propose_wrappers(*program, models);
  std::cout << "# Guesses from the code, most called first: check each before it goes into a heddle.toml "
               "(docs/models.md).\n\n"
            << api::to_toml(proposals);
  if (proposals.empty()) std::cout << "# no function looks like a lock that has no model yet\n";
  return ExitCode::Fine;
}

ExitCode ModelsCommand::list_unexplained(const pipeline::Input& input, const api::ApiModels& models) const {
  const Result<Program> program = pipeline::load(input);
  if (!program) {
    print_error(program.error().message);
    return ExitCode::BadInput;
  }
  const std::vector<std::string> calls = api::unexplained_calls(*program, models);
  for (const std::string& call : calls) std::cout << call << '\n';
  if (calls.empty()) std::cout << "every function called has a body or a model\n";
  return ExitCode::Fine;
}

}  // namespace heddle::cli
