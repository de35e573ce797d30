// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/check_command.h"

#include "cli/interrupt_flag.h"
#include "cli/progress_line.h"

namespace heddle::cli {

CheckCommand::CheckCommand(CLI::App& app)
    : Command(app, "check", "Suspected races of a captured project, or of sources, and what can be settled of them") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  report_.declare(subcommand());
  scan_.declare(subcommand());
  subcommand()
      .add_option("--search-budget", search_budget_,
                  "instructions to interpret when the program is searched for races (default: 20000000; 0: it is not)")
      ->option_text("N");
  run_.declare(subcommand());
  limits_.declare(subcommand(), "check ends with what it knows, half of them for the scan (default: none)");
  subcommand()
      .add_option("--schedule", schedule_,
                  "write the schedules of confirmed races there (FILE, FILE.ID), for 'heddle replay'")
      ->option_text("FILE");
}

Result<scan::ScanResult> CheckCommand::check(const std::vector<std::string>& clang_flags) {
  auto input = report_.input(input_, clang_flags);
  if (!input) return std::unexpected(input.error());
  if (!schedule_.empty() && !input_.has_files() && !run_.is_asked())
    return error("--schedule: a schedule of a captured project cannot be replayed yet; name the files of the program");
  pipeline::CheckOptions options;
  options.scan = scan_.options(report_.jobs());
  options.search_budget = search_budget_;
  options.schedule_file = schedule_;
  if (run_.is_asked()) {
    Result<pipeline::HuntOptions> run = run_.options(*input);
    if (!run) return std::unexpected(run.error());
    options.run = std::move(*run);
  }
  ProgressLine line;
  InterruptFlag interrupt(&line.progress());
  options.stop = limits_.stop(&interrupt.raised(), &line.progress());
  auto result = pipeline::check(*input, options, print_notes);
  line.end();
  interrupt.end();
  if (!result && run_.is_asked()) return error("--run: " + result.error().message);
  return result;
}

ExitCode CheckCommand::run(const std::vector<std::string>& clang_flags) {
  auto result = check(clang_flags);
  if (!result) {
    print_error(result.error().message);
    return ExitCode::BadInput;
  }
  return scan_.write(*result, report_);
}

}  // namespace heddle::cli
