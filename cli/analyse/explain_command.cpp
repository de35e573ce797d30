// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/explain_command.h"

#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>

#include "base/read_file.h"
#include "cli/report_output.h"
#include "pipeline/explain.h"
#include "report/report_reader.h"
#include "report/report_writer.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

Result<RaceReport> read_report(const std::string& file) {
  const auto text = read_given_file(file);
  if (!text)
    return error("--report '" + file + "' " + text.error().message +
                 "; write one with 'heddle scan FILE… --format json -o FILE'");
  auto report = report::read_json(*text);
  if (!report) return error("'" + file + "' " + report.error().message);
  return report;
}

/// Source that changed since the report: its lines may stand elsewhere now.
std::vector<std::string> changed_since(const std::string& report, const ReportRace& race) {
  std::error_code failure;
  const auto written = fs::last_write_time(report, failure);
  std::set<std::string> files;
  std::vector<std::string> notes;
  for (const ReportAccess& access : race.accesses) {
    files.insert(access.file);
    for (const ReportFrame& frame : access.stack) files.insert(frame.file);
  }
  for (const std::string& file : files) {
    const auto changed = fs::last_write_time(file, failure);
    if (!failure && changed > written)
      notes.push_back("'" + file + "' changed after the report was written; its lines may have moved");
  }
  return notes;
}

/// Hexadecimal digits, as many as an ID has or fewer.
bool may_be_id(const std::string& text) {
  constexpr std::size_t most = 12;
  return text.size() <= most && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// `3f2a` can only be an ID; `bed` may be a variable as well, and is one unless the last report has such an ID.
bool is_id(const std::string& text) {
  if (!may_be_id(text)) return false;
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return true;
  const auto report = read_last_report();
  return report && report::find_race(*report, text);
}

}  // namespace

ExplainCommand::ExplainCommand(CLI::App& app)
    : Command(app, "explain", "Everything known of one race, by its ID; or why accesses to a variable do not race") {
  subcommand()
      .add_option("WHAT", what_,
                  "an ID, as it stands in [brackets] behind a race of the last report (its beginning is enough); or a "
                  "variable as reports write it, such as 'p->count', or a place FILE:LINE")
      ->required();
  input_.declare(subcommand(), InputArguments::Files::Required);
  subcommand()
      .add_option("--report", report_,
                  "a report.json (default: that of the last scan or verify of the captured project)")
      ->option_text("FILE");
  subcommand()
      .add_option("--format", format_, "of the pairs of a variable (default: text)")
      ->option_text("text|json")
      ->check(CLI::IsMember({"text", "json"}));
  subcommand().add_flag("--scan", by_scan_,
                        "the pairs of 'heddle scan' (default with FILE…: those of 'heddle verify')");
  subcommand()
      .add_option("--profile", profiles_,
                  "of the pairs: with the models and entries of a shipped profile; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
}

ExitCode ExplainCommand::run(const std::vector<std::string>& clang_flags) {
  if (!report_.empty() || (!input_.has_files() && is_id(what_))) return explain_race();
  return explain_variable(clang_flags);
}

ExitCode ExplainCommand::explain_race() {
  const std::string file = report_.empty() ? last_report_file() : report_;
  const auto report = report_.empty() ? read_last_report() : read_report(report_);
  if (!report) {
    print_error(report.error().message);
    return ExitCode::BadInput;
  }
  const RaceReport clean = report::shown(*report);  // it may be anybody's file
  const auto race = report::find_race(clean, what_);
  if (!race) {
    print_error(race.error().message + " (in '" + file + "')");
    return ExitCode::BadInput;
  }
  print_notes(changed_since(file, **race));
  report::write_explanation(std::cout, clean, **race);
  return ExitCode::Fine;
}

ExitCode ExplainCommand::explain_variable(const std::vector<std::string>& clang_flags) {
  auto input = input_.input(clang_flags);
  if (input) input->profiles = profiles_;
  const auto driver = by_scan_ || !input_.has_files() ? pipeline::Driver::Scan : pipeline::Driver::TopDown;
  const auto found =
      input ? pipeline::explain_variable(*input, what_, driver, {}, print_notes) : std::unexpected(input.error());
  if (!found) {
    print_error(found.error().message);
    return ExitCode::BadInput;
  }
  if (format_ == "json") {
    report::write_json(std::cout, *found);
    return ExitCode::Fine;
  }
  std::ostringstream text;
  report::write_text(text, *found);
  std::cout << report::shown_lines(text.str());
  return ExitCode::Fine;
}

}  // namespace heddle::cli
