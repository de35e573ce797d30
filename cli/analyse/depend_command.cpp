// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/depend_command.h"

#include <iostream>

namespace heddle::cli {

DependCommand::DependCommand(CLI::App& app)
    : Command(app, "depend", "Tasks and interrupts: accesses of one run that straddle one of an interruption") {
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
  subcommand().add_flag("--settle", settles_,
                        "run the triples: which are confirmed by a schedule, which refuted, since no run makes them");
  subcommand()
      .add_option("--steps", steps_, "with --settle: instructions to run, for all triples together")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--timeout", timeout_, "with --settle: seconds, for all triples together (default: 60)")
      ->option_text("S")
      ->check(check_positive);
  subcommand()
      .add_option("--format", format_, "what is printed (default: text)")
      ->option_text("text|triples|json")
      ->check(CLI::IsMember({"text", "triples", "json"}));
}

ExitCode DependCommand::run(const std::vector<std::string>& clang_flags) {
  const bool is_json = format_ == "json", only_triples = format_ == "triples";
  if (lists_entries_ ? only_triples : is_json) {
    print_error(lists_entries_ ? "--entries has no triples: use --format text or json"
                               : "'heddle depend' has JSON for --entries only so far: use --format triples");
    return ExitCode::BadInput;
  }
  auto input = input_.input(clang_flags);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  input->profiles = profiles_;
  const pipeline::DependOptions options{.oil = oil_,
                                        .as_json = is_json,
                                        .only_triples = only_triples,
                                        .settles = settles_,
                                        .limits = {.steps = steps_, .time = std::chrono::seconds(timeout_)}};
  return lists_entries_ ? list_entries(*input, options) : list_triples(*input, options);
}

ExitCode DependCommand::list_entries(const pipeline::Input& input, const pipeline::DependOptions& options) {
  const auto text = pipeline::depend_entries(input, options, print_notes);
  if (!text) {
    print_error(text.error().message);
    return ExitCode::BadInput;
  }
  std::cout << *text;
  return ExitCode::Fine;
}

ExitCode DependCommand::list_triples(const pipeline::Input& input, const pipeline::DependOptions& options) {
  const auto found = pipeline::depend_triples(input, options, print_notes);
  if (!found) {
    print_error(found.error().message);
    return ExitCode::BadInput;
  }
  std::cout << found->text;
  if (!found->looked) {
    print_error(
        "no entry can interrupt another, so nothing was looked for; 'heddle depend --entries' shows what was "
        "found, docs/depend.md how to name tasks and interrupts in heddle.toml");
    return ExitCode::Incomplete;
  }
  return found->triples == 0 ? ExitCode::Fine : ExitCode::Races;
}

}  // namespace heddle::cli
