// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/ir_command.h"

#include <iostream>

#include "pipeline/dump.h"
#include "pipeline/load.h"
#include "program/names/access_listing.h"
#include "program/text/printer.h"

namespace heddle::cli {

IrCommand::IrCommand(CLI::App& app) : Command(app, "ir", "Print the program as the analysis sees it") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  subcommand().add_flag("--accesses", accesses_,
                        "print only the memory accesses, named as the source would write them");
  auto* states = subcommand().add_flag("--states", states_, "print what verify knows where each block begins");
  auto* summaries = subcommand().add_flag("--summaries", summaries_, "print what scan knows of each function");
  states->excludes(summaries);
}

ExitCode IrCommand::run(const std::vector<std::string>& clang_flags) {
  const auto input = input_.input(clang_flags);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  const Result<pipeline::Loaded> loaded = pipeline::read_input(*input);
  if (!loaded) {
    print_error(loaded.error().message);
    return ExitCode::BadInput;
  }
  print_notes(loaded->notes);
  if (states_ || summaries_) {
    const Result<void> printed = states_ ? pipeline::dump_states(std::cout, *input, *loaded)
                                         : pipeline::dump_summaries(std::cout, *input, *loaded);
    if (printed) return ExitCode::Fine;
    print_error(printed.error().message);
    return ExitCode::BadInput;
  }
  if (accesses_)
    print_accesses(std::cout, loaded->program);
  else
    print_program(std::cout, loaded->program);
  return ExitCode::Fine;
}

}  // namespace heddle::cli
