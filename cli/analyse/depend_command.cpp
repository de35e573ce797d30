// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/depend_command.h"

#include <iostream>

#include "pipeline/depend/depend.h"

namespace heddle::cli {

DependCommand::DependCommand(CLI::App& app)
    : Command(app, "depend", "The tasks and interrupts of a program, and who can interrupt whom") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  subcommand().add_flag("--entries", lists_entries_,
                        "every task, interrupt and other entry, how it was found, and whom it can interrupt");
  subcommand()
      .add_option("--oil", oil_, "tasks and interrupts of an OSEK system, besides those of heddle.toml")
      ->option_text("FILE.oil");
  subcommand()
      .add_option("--profile", profiles_, "with the models and entries of a shipped profile; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  subcommand()
      .add_option("--format", format_, "what is printed (default: text)")
      ->option_text("text|json")
      ->check(CLI::IsMember({"text", "json"}));
}

ExitCode DependCommand::run(const std::vector<std::string>& clang_flags) {
  if (!lists_entries_) {
    print_error("'heddle depend' lists entries so far, and looks for no races yet: use 'heddle depend --entries'");
    return ExitCode::BadInput;
  }
  auto input = input_.input(clang_flags);
  if (input) input->profiles = profiles_;
  const pipeline::DependOptions options{.oil = oil_, .as_json = format_ == "json"};
  const auto text = input ? pipeline::depend_entries(*input, options, print_notes) : std::unexpected(input.error());
  if (!text) {
    print_error(text.error().message);
    return ExitCode::BadInput;
  }
  std::cout << *text;
  return ExitCode::Fine;
}

}  // namespace heddle::cli
