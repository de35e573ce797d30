// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/report_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/build_identity.h"
#include "base/kept/kept_file.h"
#include "base/machine/failure_words.h"
#include "cli/command.h"
#include "cli/project_file.h"
#include "report/report_form.h"
#include "report/report_writer.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// Columns of the terminal that standard output is; none: it is not one.
std::size_t terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

/// https://no-color.org: set and not empty.
bool refuses_color() {
  const char* value = std::getenv("NO_COLOR");
  return value != nullptr && *value != '\0';
}

report::TextOptions text_options(const ReportStyle& style, bool to_standard_output) {
  report::TextOptions out;
  if (to_standard_output) out.width = report_width();
  out.has_color = to_standard_output ? wants_color(style.color) : style.color == "always";
  out.limit = style.limit;
  std::error_code failure;
  out.folder = fs::current_path(failure).string();
  return out;
}

/// For people.
void write_words(std::ostream& out, const RaceReport& report, const ReportStyle& style, bool to_standard_output) {
  if (style.has_details)
    report::write_details(out, report, style.limit);
  else
    report::write_text(out, report, text_options(style, to_standard_output));
}

void write(std::ostream& out, const RaceReport& report, const ReportStyle& style, bool to_standard_output) {
  if (style.format == "json")
    report::write_json(out, report);
  else if (style.format == "sarif")
    report::write_sarif(out, report);
  else if (report::is_shown_as_it_is(report))
    write_words(out, report, style, to_standard_output);
  else
    write_words(out, report::shown(report), style, to_standard_output);
}

kept::Place last_report_place() { return {captured_project().value_or(project_folder), "last-report"}; }

/// What the last report begins with: its form is nobody else's business.
std::string maker_line() { return "heddle report " + build_identity() + "\n"; }

}  // namespace

Result<void> check_destination(const std::string& file) {
  std::error_code failure;
  if (fs::is_directory(file, failure)) return error("-o '" + file + "' is a directory; name a file in it");
  const fs::path folder = fs::path(file).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failure))
    return error("-o '" + file + "': the folder '" + folder.string() + "' does not exist; create it first");
  return {};
}

bool wants_color(const std::string& color) {
  return color == "always" || (color == "auto" && isatty(STDOUT_FILENO) != 0 && !refuses_color());
}

bool is_read_on_terminal() { return terminal_width() != 0; }

std::size_t report_width() {
  constexpr std::size_t narrowest = 40;
  const std::size_t terminal = terminal_width();
  return terminal == 0 ? report::TextOptions().width : std::max(terminal, narrowest);
}

Result<void> write_report(const RaceReport& report, const ReportStyle& style, const std::string& file) {
  if (file.empty()) {
    write(std::cout, report, style, true);
    return {};
  }
  std::ofstream out(file, std::ios::binary);
  if (!out)
    return error("-o '" + file + "' cannot be opened for writing: " + failure_words(errno) + "; check its permissions");
  errno = 0;
  write(out, report, style, false);
  out.close();
  if (!out)
    return error("-o '" + file + "' could not be written completely" +
                 (errno == 0 ? "; is the disk full?" : ": " + failure_words(errno)));
  return {};
}

std::string last_report_file() { return last_report_place().path(); }

void keep_last_report(const RaceReport& report) {
  if (!report.coverage.is_project || !report.only_race.empty()) return;
  if (auto kept = kept::write_kept(last_report_place(), maker_line() + to_bytes(report)); !kept)
    print_notes({"'heddle explain' will not know this report: " + kept.error().message});
}

Result<RaceReport> read_last_report() {
  const std::string file = last_report_file();
  const auto text = kept::read_kept(last_report_place());
  if (!text && text.error().kind != kept::NotKept::Kind::Missing)
    return error(text.error().message + "; run 'heddle scan' again");
  if (!text)
    return error("there is no report of a captured project here ('" + file +
                 "'); run 'heddle scan' first, or name a report.json with --report FILE");
  const std::string maker = maker_line();
  if (!text->starts_with(maker)) return error("'" + file + "' was written by another heddle; run 'heddle scan' again");
  auto report = report_of_bytes(std::string_view(*text).substr(maker.size()));
  if (!report) return error("'" + file + "' is damaged; run 'heddle scan' again");
  return *std::move(report);
}

}  // namespace heddle::cli
