// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/verify_command.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include "cli/report_output.h"
#include "pipeline/pipeline.h"
#include "report/words.h"

namespace heddle::cli {
namespace {

/// CLI11 alone would take -1 for a very large number.
std::string check_positive(const std::string& text) {
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  return is_number && text.find_first_not_of('0') != std::string::npos ? "" : "must be a whole number above 0";
}

ExitCode exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::RaceFree: return ExitCode::Fine;
    case Verdict::Race: return ExitCode::Races;
    case Verdict::Unknown: return ExitCode::Incomplete;
  }
  return ExitCode::Incomplete;
}

}  // namespace

VerifyCommand::VerifyCommand(CLI::App& app)
    : Command(app, "verify", "Decide whether one program has data races; the last line is the verdict") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  declare_report_options(subcommand(), format_, output_);
  subcommand()
      .add_option("--step-budget", step_budget_,
                  "analysis steps before heddle gives up with 'unknown' and lists the suspected races of a scan")
      ->option_text("N")
      ->check(check_positive);
  subcommand()
      .add_option("--search-budget", search_budget_,
                  "instructions to interpret when looking for a race that was not excluded (0: do not look)")
      ->option_text("N");
  subcommand().add_flag("--no-static", no_static_, "do not count proofs of the static stages")->group("");  // hidden
  subcommand()
      .add_option("--schedule", schedule_, "write the schedule of a confirmed race there, for 'heddle replay'")
      ->option_text("FILE");
}

ExitCode VerifyCommand::run(const std::vector<std::string>& clang_flags) {
  auto options = options_with_destination(input_, clang_flags, output_);
  if (!options) {
    print_error(options.error().message);
    return ExitCode::BadInput;
  }
  if (!schedule_.empty() && !input_.has_files()) {
    print_error("--schedule: a schedule of a captured project cannot be replayed yet; name the files of the program");
    return ExitCode::BadInput;
  }
  if (step_budget_) options->step_budget = options->large_step_budget = *step_budget_;
  options->jobs = std::max(1U, std::thread::hardware_concurrency());
  options->search_budget = search_budget_;
  options->schedule_file = schedule_;
  options->static_proofs = !no_static_;

  const Result<RaceReport> report = pipeline::verify(*options, print_notes);
  if (!report) {
    print_error(report.error().message);
    return ExitCode::BadInput;
  }
  keep_last_report(*report);
  if (auto written = write_report(*report, format_, output_); !written) {
    print_error(written.error().message);
    return ExitCode::BadInput;
  }
  std::cout << "verdict: " << report::word(report->verdict) << '\n';
  return exit_code_of(report->verdict);
}

}  // namespace heddle::cli
