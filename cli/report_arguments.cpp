// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/report_arguments.h"

#include <algorithm>
#include <iostream>
#include <thread>

#include "base/read_file.h"
#include "base/write_file.h"
#include "report/screen/layout.h"
#include "report/suppressions.h"

namespace heddle::cli {

void ReportArguments::declare(CLI::App& subcommand) {
  subcommand.add_option("--format", style_.format, "how the report is written (default: text)")
      ->option_text("text|json|sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}));
  subcommand.add_option("-o,--output", output_, "write the report there; the last line stays on standard output")
      ->option_text("FILE");
  subcommand
      .add_option("--limit", style_.limit,
                  "variables the text report shows, the most suspicious first (default: 15; 0: all)")
      ->option_text("N");
  subcommand.add_flag("--details", style_.has_details,
                      "the text report has each race with stacks, locks and reasons, one note per line");
  subcommand
      .add_option("--color", style_.color,
                  "colours in the text report (default: auto: on a terminal, without NO_COLOR)")
      ->option_text("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  declare_filters(subcommand);
  subcommand.add_option("-j,--jobs", jobs_, "threads that work at the same time (default: all cores)")
      ->option_text("N");
  subcommand
      .add_option("--profile", profiles_,
                  "with the wrappers, entries and rules of a shipped profile, such as kernel or sv-comp; no-sv-comp "
                  "refuses the rules that programs with SV-COMP's functions get; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  subcommand
      .add_option("--suppressions", suppression_files_,
                  "races not to report, in the syntax of ThreadSanitizer; may be repeated")
      ->option_text("FILE")
      ->allow_extra_args(false);
  subcommand
      .add_option("--baseline", baseline_, "the report.json of an earlier run: only what is new makes the exit code 1")
      ->option_text("FILE");
  subcommand.add_option("--fail-on", fail_on_, "the least that makes the exit code 1 (default: " + fail_on_ + ")")
      ->option_text("confirmed|likely|unlikely|never")
      ->check(CLI::IsMember({"confirmed", "likely", "unlikely", "never"}));
}

void ReportArguments::declare_filters(CLI::App& subcommand) {
  subcommand
      .add_option(
          "--file", filter_.files,
          "only races with an access in such a file: a part of its path, or a pattern with '*'; may be repeated")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  subcommand
      .add_option("--variable", filter_.variables,
                  "only races on such a variable: a part of its name, or a pattern with '*'; may be repeated")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  subcommand
      .add_option("--thread", filter_.threads,
                  "only races of such a thread: a part of its name, or a pattern with '*'; may be repeated")
      ->option_text("TEXT")
      ->allow_extra_args(false);
  subcommand
      .add_option("--only", only_,
                  "only races called so or surer. What these four leave out makes no exit code 1 of scan and check; a "
                  "verdict of verify is of the whole program")
      ->option_text("confirmed|likely|unlikely")
      ->check(CLI::IsMember({"confirmed", "likely", "unlikely"}));
}

void ReportArguments::filter(RaceReport& report) const {
  report::Filter wanted = filter_;
  wanted.least = report::least_of(only_);
  if (!wanted.is_empty()) report::apply(wanted, report);
}

void ReportArguments::tell_of_filters(const RaceReport& report) const {
  if (report.filtered_out == 0) return;
  const auto shown = static_cast<std::uint64_t>(std::ranges::count_if(report.races, report::is_shown));
  write_last_line("heddle: showing " + std::to_string(shown) + " of " + std::to_string(shown + report.filtered_out) +
                  " races, as --file, --variable, --thread or --only ask");
}

Result<pipeline::Input> ReportArguments::input(const InputArguments& input,
                                               const std::vector<std::string>& clang_flags) const {
  auto out = input.input(clang_flags);
  if (!out) return out;
  if (!output_.empty())
    if (auto writable = check_destination(output_); !writable) return std::unexpected(writable.error());
  out->profiles = profiles_;
  return out;
}

unsigned ReportArguments::jobs() const {
  return jobs_ != 0 ? jobs_ : std::max(1U, std::thread::hardware_concurrency());
}

Result<void> ReportArguments::finish(RaceReport& report) const {
  report::Suppressions suppressions;
  for (const std::string& file : suppression_files_) {
    const auto text = read_given_file(file);
    if (!text)
      return error("--suppressions '" + file + "' " + text.error().message + "; name a file of lines race:PATTERN");
    if (auto added = suppressions.add_text(*text, file); !added) return added;
  }
  suppressions.apply(report);
  for (const std::string& unused : suppressions.unused()) std::cerr << "heddle: suppresses nothing: " << unused << '\n';
  for (const std::string& place : suppressions.without_reason())
    std::cerr << "heddle: " << place
              << ": 'heddle: ignore' suppresses nothing without a reason; write 'heddle: ignore, "
              << "REASON'\n";
  if (!baseline_.empty()) {
    const auto fixed = report::compare_with_baseline(report, baseline_);
    if (!fixed) return std::unexpected(fixed.error());
    const auto is_new = std::ranges::count_if(report.races, [](const ReportRace& r) { return r.baseline == "new"; });
    std::cerr << "heddle: against the baseline: " << is_new << " new, " << fixed->size() << " fixed, "
              << report.races.size() - static_cast<std::size_t>(is_new) << " unchanged\n";
  }
  keep_last_report(report);
  return {};
}

bool ReportArguments::fails(const RaceReport& report) const {
  return report::fails(report, report::fail_on_of(fail_on_).value_or(report::FailOn::Unlikely));
}

Result<void> ReportArguments::write(const RaceReport& report) const { return write_report(report, style_, output_); }

Result<void> ReportArguments::write(const std::string& text) const {
  if (!output_.empty()) return write_file(output_, text);
  std::cout << text;
  return {};
}

void ReportArguments::write_last_line(const std::string& text) const {
  if (!is_read_on_terminal()) {
    last_words() << text << '\n';  // whoever cuts it off with `tail -n 1` gets all of it
    return;
  }
  for (const std::string& line : report::wrapped(text, report_width())) last_words() << line << '\n';
}

std::ostream& ReportArguments::last_words() const { return is_text() || !output_.empty() ? std::cout : std::cerr; }

}  // namespace heddle::cli
