// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models_command.h"

#include <iostream>

#include "api/model_listing.h"
#include "pipeline/pipeline.h"

namespace heddle::cli {

ModelsCommand::ModelsCommand(CLI::App& app)
    : Command(app, "models", "List the library models; with FILE…, the calls of that program no model explains") {
  input_.declare(subcommand(), InputArguments::Files::Optional);
}

ExitCode ModelsCommand::run(const std::vector<std::string>& clang_flags) {
  const auto options = input_.options(clang_flags);
  if (!options) {
    print_error(options.error().message);
    return ExitCode::BadInput;
  }
  const Result<api::ApiModels> models = pipeline::load_models(*options);
  if (!models) {
    print_error(models.error().message);
    return ExitCode::BadInput;
  }
  if (input_.has_files()) return list_unexplained(*options, *models);
  api::print_models(std::cout, *models);
  return ExitCode::Fine;
}

ExitCode ModelsCommand::list_unexplained(const pipeline::Options& options, const api::ApiModels& models) const {
  const Result<Program> program = pipeline::load(options);
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
