// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/scan_arguments.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace heddle::cli {
namespace {

void print_stats(std::ostream& out, const scan::ScanStats& stats) {
  out << "functions: " << stats.functions << ", reached by " << stats.roots
      << " thread roots and main: " << stats.functions_reached << "\ninstructions: " << stats.instructions
      << "\nsummaries made: " << stats.functions - stats.summaries_reused
      << ", kept from earlier scans: " << stats.summaries_reused
      << "\naccesses in summaries: " << stats.summary_accesses << ", names: " << stats.summary_nodes
      << "\naccesses of threads: " << stats.candidates.accesses << ", variables: " << stats.candidates.buckets
      << ", written and in a thread: " << stats.candidates.shared_buckets << "\npairs: " << stats.candidates.pairs
      << '\n';
  for (const auto& [doubt, left] : stats.candidates.left_after)
    out << "  warnings left after '" << scan::to_text(doubt) << "': " << left << '\n';
  constexpr std::uint64_t mega = 1'000'000;
  for (const scan::StageCost& cost : stats.stages)
    out << "  " << cost.stage << ": " << std::fixed << std::setprecision(3) << cost.processor_seconds << " s, "
        << cost.elapsed_seconds << " s elapsed, peak " << cost.peak_bytes / mega << " MB\n";
}

/// What a list of races comes to.
struct Counts {
  std::size_t suspected = 0, confirmed = 0, likely = 0, refuted = 0, suppressed = 0, covered = 0;
};

Counts counts_of(const RaceReport& report) {
  Counts out;
  out.confirmed = report::count_of(report, RaceVerdict::Confirmed);
  out.likely = report::count_of(report, RaceVerdict::Likely);
  out.refuted = report::count_of(report, RaceVerdict::Refuted);
  out.suspected =
      out.likely + report::count_of(report, RaceVerdict::Witnessed) + report::count_of(report, RaceVerdict::Unlikely);
  out.covered = static_cast<std::size_t>(
      std::ranges::count_if(report.races, [](const ReportRace& race) { return !race.covered_by.empty(); }));
  out.suppressed = report.races.size() - out.suspected - out.confirmed - out.refuted;
  return out;
}

/// Nothing was found, but threads or accesses may be hidden in what was not looked at.
bool is_blind(const RaceReport& report) {
  return report.races.empty() && report.filtered_out == 0 &&
         std::ranges::any_of(report.coverage.blind_spots, &ReportBlindSpot::may_hide);
}

std::string last_line(const RaceReport& report) {
  const Counts counts = counts_of(report);
  std::ostringstream out;
  out << "heddle: ";
  if (counts.confirmed > 0) out << counts.confirmed << (counts.confirmed == 1 ? " race" : " races") << " confirmed, ";
  if (report.not_listed > 0) out << "at least ";
  out << counts.suspected << (counts.suspected == 1 ? " suspected race, " : " suspected races, ") << counts.likely
      << " of them likely";
  if (report.not_listed > 0) out << " (" << report.not_listed << " more rank lower)";
  if (counts.covered > 0) out << ", " << counts.covered << " covered by others";
  if (counts.refuted > 0) out << "; " << counts.refuted << (counts.refuted == 1 ? " was" : " were") << " refuted";
  if (counts.suppressed > 0) out << "; " << counts.suppressed << " more are suppressed";
  const bool is_told = report.not_listed > 0;  // in the line above, with what else is not shown
  if (counts.suspected + counts.confirmed > 0 && report.coverage.is_project && !is_told)
    out << "; 'heddle explain ID' tells more";
  if (is_blind(report)) out << "; what was not looked at may hide some (exit code 3)";
  return out.str();
}

}  // namespace

void ScanArguments::declare(CLI::App& subcommand) {
  subcommand.add_flag("--stats", stats_,
                      "what each stage found and took, and what each filter leaves, on standard error");
  std::vector<std::string> names;
  for (const scan::AssumptionName& row : scan::assumption_names) names.emplace_back(row.name);
  subcommand
      .add_option("--without", without_,
                  "an assumption of docs/assumptions.md that is not made, such as one-parent: more warnings; may be "
                  "repeated")
      ->option_text("NAME")
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names));
  subcommand.add_flag("--sound", sound_, "without any assumption that can be switched");
  subcommand
      .add_option("--cover", cover_,
                  "which suspected races stand under others: by locks and the order they were taken in (history, the "
                  "default), by locks alone (lockset), or none")
      ->option_text("HOW")
      ->check(CLI::IsMember({"history", "lockset", "none"}));
  subcommand.add_flag("--no-history", no_history_, "do not compare the orders in which threads took their locks");
  subcommand.add_flag("--no-values", no_values_,
                      "do not ask the analysis of 'heddle verify', which follows values, about suspected races");
  subcommand.add_flag("--no-transactions", no_transactions_,
                      "do not look for what keeps two accesses apart in all threads together");
}

scan::ScanOptions ScanArguments::options(unsigned jobs) const {
  scan::ScanOptions out;
  out.jobs = jobs;
  if (sound_) out.assumptions = scan::Assumptions::none();
  for (const std::string& name : without_) out.assumptions.drop(name);
  out.histories = !no_history_;
  out.values = !no_values_;
  out.transactions = !no_transactions_;
  out.cover = cover_ == "none"      ? scan::CoverBy::Nothing
              : cover_ == "lockset" ? scan::CoverBy::Lockset
                                    : scan::CoverBy::History;
  return out;
}

ExitCode ScanArguments::write(scan::ScanResult& result, const ReportArguments& arguments) const {
  if (stats_) print_stats(std::cerr, result.stats);
  RaceReport& report = result.report;
  if (auto done = arguments.finish(report); !done) {
    print_error(done.error().message);
    return ExitCode::BadInput;
  }
  arguments.filter(report);
  const bool fails = arguments.fails(report);
  if (auto written = arguments.write(report); !written) {
    print_error(written.error().message);
    return ExitCode::BadInput;
  }
  arguments.tell_of_filters(report);
  arguments.write_last_line(last_line(report));
  if (fails) return ExitCode::Races;
  return is_blind(report) ? ExitCode::Incomplete : ExitCode::Fine;
}

}  // namespace heddle::cli
