// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/depend_command.h"

#include <iostream>

#include "base/write_file.h"
#include "cli/report_output.h"
#include "report/report_writer.h"

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
  subcommand().add_flag("--all", lists_all_, "every triple (default: 15 variables, 3 triples of each)");
  CLI::Option* settle = subcommand().add_flag(
      "--settle", settles_,
      "run the triples, however many: which a schedule confirms, which are refuted, since no run makes them "
      "(default: if there are not very many, in a program that is not very large)");
  CLI::Option* leave = subcommand().add_flag("--no-settle", leaves_open_, "do not run them")->excludes(settle);
  subcommand()
      .add_option("--keep", kept_, "run them, and keep the schedule of each confirmed one there, for 'heddle replay'")
      ->option_text("FOLDER")
      ->excludes(leave);
  subcommand()
      .add_option("--steps", steps_, "instructions to run when triples are settled, for all of them together")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--timeout", timeout_, "seconds for --settle (default: 60), or for trees (default: no limit)")
      ->option_text("SECONDS")
      ->check(check_positive);
  subcommand()
      .add_option("--format", format_, "what is printed (default: text)")
      ->option_text("text|triples|json|sarif")
      ->check(CLI::IsMember({"text", "triples", "json", "sarif"}));
  subcommand().add_flag("--no-synchronisation", ignores_synchronisation_,
                        "as if there were no masks and no conditions: finds wrong ones too");
  declare_trees();
}

void DependCommand::declare_trees() {
  const auto add = [&](const char* name, std::vector<std::string>& to, const char* text, const char* value) {
    subcommand().add_option(name, to, text)->option_text(value)->allow_extra_args(false);
  };
  add("--root", trees_.roots, "the tree of what a variable depends on, with the risks in it; may be repeated",
      "VAR[@FUNCTION[:LINE]]");
  add("--from", trees_.from, "the tree of what depends on a variable; may be repeated", "VAR[@FUNCTION[:LINE]]");
  add("--slice", trees_.slice, "the lines that a variable at a line depends on; may be repeated", "VAR@LINE");
  subcommand().add_flag("--roots", trees_.lists_roots, "every error flag and output, with the number of its risks");
  subcommand()
      .add_option("--depth", trees_.depth, "cut trees below so many levels (default: no limit)")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--nodes", trees_.nodes, "cut trees behind so many nodes (default: 50000; 10000 for --roots)")
      ->option_text("N")
      ->check(check_positive);
  subcommand().add_option("--html", page_, "the trees as a page of their own, too")->option_text("FILE");
  subcommand()
      .add_option("--color", color_, "colours in trees (default: auto: on a terminal, without NO_COLOR)")
      ->option_text("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

std::string DependCommand::contradiction() const {
  const bool is_tree = trees_.is_asked();
  if (lists_entries_ && is_tree) return "--entries stands alone: leave out the options of trees";
  if (lists_entries_ && (format_ == "triples" || format_ == "sarif"))
    return "--entries has no triples: use --format text or json";
  if (!kept_.empty() && (lists_entries_ || is_tree))
    return "--keep keeps triples: leave out --entries and the options of trees";
  if (trees_.lists_roots && (!trees_.roots.empty() || !trees_.from.empty() || !trees_.slice.empty()))
    return "--roots lists all roots: leave out --root, --from and --slice";
  if (trees_.lists_roots && (format_ == "json" || format_ == "sarif")) return "--roots has --format text and triples";
  if (!trees_.slice.empty() && (format_ == "json" || format_ == "sarif")) return "--slice has --format text only";
  if (!page_.empty() && trees_.roots.empty() && trees_.from.empty())
    return "--html shows trees: name a variable with --root or --from";
  return {};
}

ExitCode DependCommand::run(const std::vector<std::string>& clang_flags) {
  if (const std::string wrong = contradiction(); !wrong.empty()) {
    print_error(wrong);
    return ExitCode::BadInput;
  }
  auto input = input_.input(clang_flags);
  if (!input) {
    print_error(input.error().message);
    return ExitCode::BadInput;
  }
  input->profiles = profiles_;
  using pipeline::Settling;
  const Settling settling = settles_ || !kept_.empty() ? Settling::Yes
                            : leaves_open_             ? Settling::No
                                                       : Settling::WhereQuick;
  const std::chrono::seconds time(timeout_ == 0 ? 60 : timeout_);
  const pipeline::DependOptions options{.oil = oil_,
                                        .as_json = format_ == "json",
                                        .only_triples = format_ == "triples",
                                        .width = report_width(),
                                        .knows_synchronisation = !ignores_synchronisation_,
                                        .lists_all = lists_all_,
                                        .settles = settling,
                                        .limits = {.steps = steps_, .time = time},
                                        .kept = kept_};
  trees_.seconds = timeout_;
  if (lists_entries_) return list_entries(*input, options);
  return trees_.is_asked() ? show_trees(*input, options) : list_triples(*input, options);
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
  if (format_ == "sarif")
    report::write_sarif(std::cout, found->report);
  else
    std::cout << found->text;
  if (!found->looked) {
    print_error(
        "no entry can interrupt another, so nothing was looked for; 'heddle depend --entries' shows what was "
        "found, docs/depend.md how to name tasks and interrupts in heddle.toml");
    return ExitCode::Incomplete;
  }
  return found->triples == 0 ? ExitCode::Fine : ExitCode::Races;
}

ExitCode DependCommand::show_trees(const pipeline::Input& input, const pipeline::DependOptions& options) {
  trees_.wants_page = !page_.empty();
  trees_.has_color = wants_color(color_);
  const auto found = pipeline::depend_trees(input, options, trees_, print_notes);
  if (!found) {
    print_error(found.error().message);
    return ExitCode::BadInput;
  }
  if (format_ == "sarif")
    report::write_sarif(std::cout, found->report);
  else
    std::cout << found->text;
  if (!page_.empty())
    if (const auto written = write_file(page_, found->page); !written) {
      print_error("--html '" + page_ + "': " + written.error().message);
      return ExitCode::BadInput;
    }
  return found->risks == 0 ? ExitCode::Fine : ExitCode::Races;
}

}  // namespace heddle::cli
