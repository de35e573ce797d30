// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verify_command.h"

#include <filesystem>
#include <fstream>
#include <iostream>

#include "pipeline/pipeline.h"
#include "report/report_writer.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Asked before the analysis, so that nobody waits for a report that has nowhere to go.
Result<void> check_destination(const std::string& file) {
  std::error_code failure;
  if (fs::is_directory(file, failure)) return error("-o '" + file + "' is a directory; name a file in it");
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failure))
    return error("-o '" + file + "': the folder '" + folder.string() + "' does not exist; create it first");
  return {};
}

/// CLI11 alone would take -1 for a very large number.
std::string check_positive(const std::string& text) {
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  return is_number && text.find_first_not_of('0') != std::string::npos ? "" : "must be a whole number above 0";
}

void write_report(std::ostream& out, const RaceReport& report, const std::string& format) {
  if (format == "json")
    report::write_json(out, report);
  else
    report::write_text(out, report);
}

Result<void> write_report_file(const std::string& file, const RaceReport& report, const std::string& format) {
  std::ofstream out(file, std::ios::binary);
  if (!out) return error("-o '" + file + "' cannot be opened for writing; check its permissions");
  write_report(out, report, format);
  out.close();
  if (!out) return error("-o '" + file + "' could not be written completely; is the disk full?");
  return {};
}

const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::RaceFree: return "race-free";
    case Verdict::Race: return "race";
    case Verdict::Unknown: return "unknown";
  }
  return "unknown";
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
  subcommand()
      .add_option("--format", format_, "how the report is written (default: text)")
      ->option_text("text|json")
      ->check(CLI::IsMember({"text", "json"}));
  subcommand()
      .add_option("--step-budget", step_budget_, "analysis steps before heddle gives up with 'unknown'")
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
  subcommand()
      .add_option("-o,--output", output_, "write the report there; the verdict line stays on standard output")
      ->option_text("FILE");
}

ExitCode VerifyCommand::run(const std::vector<std::string>& clang_flags) {
  auto options = input_.options(clang_flags);
  if (options && !output_.empty())
    if (auto writable = check_destination(output_); !writable) options = std::unexpected(writable.error());
  if (!options) {
    print_error(options.error().message);
    return ExitCode::BadInput;
  }
  options->step_budget = step_budget_;
  options->search_budget = search_budget_;
  options->schedule_file = schedule_;
  options->static_proofs = !no_static_;

  const Result<RaceReport> report = pipeline::verify(*options, print_notes);
  if (!report) {
    print_error(report.error().message);
    return ExitCode::BadInput;
  }
  if (output_.empty()) {
    write_report(std::cout, *report, format_);
  } else if (auto written = write_report_file(output_, *report, format_); !written) {
    print_error(written.error().message);
    return ExitCode::BadInput;
  }
  std::cout << "verdict: " << verdict_word(report->verdict) << '\n';
  return exit_code_of(report->verdict);
}

}  // namespace heddle::cli
