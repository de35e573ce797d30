// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/explain_command.h"

#include <filesystem>
#include <iostream>
#include <set>

#include "base/read_file.h"
#include "cli/report_output.h"
#include "report/report_reader.h"
#include "report/report_writer.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

Result<RaceReport> read_report(const std::string& file) {
  const auto text = read_file(file);
  if (!text)
    return error("--report '" + file + "' cannot be read; write one with 'heddle scan FILE… --format json -o FILE'");
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

}  // namespace

ExplainCommand::ExplainCommand(CLI::App& app)
    : Command(app, "explain", "Everything known of one race of the last report, by its ID") {
  subcommand().add_option("ID", id_, "what stands in [brackets] behind the race; its beginning is enough")->required();
  subcommand()
      .add_option("--report", report_,
                  "a report.json (default: that of the last scan or verify of the captured project)")
      ->option_text("FILE");
}

ExitCode ExplainCommand::run(const std::vector<std::string>&) {
  const std::string file = report_.empty() ? last_report_file() : report_;
  const auto report = report_.empty() ? read_last_report() : read_report(report_);
  if (!report) {
    print_error(report.error().message);
    return ExitCode::BadInput;
  }
  const auto race = report::find_race(*report, id_);
  if (!race) {
    print_error(race.error().message + " (in '" + file + "')");
    return ExitCode::BadInput;
  }
  print_notes(changed_since(file, **race));
  report::write_explanation(std::cout, *report, **race);
  return ExitCode::Fine;
}

}  // namespace heddle::cli
