// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/analyse/scan_command.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <thread>

#include "base/read_file.h"
#include "cli/report_output.h"
#include "pipeline/pipeline.h"
#include "report/suppressions.h"

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

}  // namespace

ScanCommand::ScanCommand(CLI::App& app)
    : Command(app, "scan", "Suspected races of a captured project, or of sources, by static analysis alone") {
  input_.declare(subcommand(), InputArguments::Files::Required);
  declare_report_options(subcommand(), format_, output_);
  subcommand()
      .add_option("-j,--jobs", jobs_, "threads that summarise functions (default: all cores)")
      ->option_text("N");
  subcommand()
      .add_option("--limit", limit_, "warnings the text report shows, the most suspicious first (default: 100; 0: all)")
      ->option_text("N");
  subcommand()
      .add_option("--profile", profiles_,
                  "with the wrappers and entries of a shipped profile, such as kernel; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  subcommand().add_flag("--stats", stats_,
                        "what each stage found and took, and what each filter leaves, on standard error");
  subcommand()
      .add_option("--suppressions", suppression_files_,
                  "races not to report, in the syntax of ThreadSanitizer; may be repeated")
      ->option_text("FILE")
      ->allow_extra_args(false);
  subcommand()
      .add_option("--baseline", baseline_, "the report.json of an earlier run: only what is new makes the exit code 1")
      ->option_text("FILE");
  subcommand()
      .add_option("--fail-on", fail_on_, "the least that makes the exit code 1 (default: unlikely)")
      ->option_text("likely|unlikely|never")
      ->check(CLI::IsMember({"likely", "unlikely", "never"}));
  std::vector<std::string> names;
  for (const scan::AssumptionName& row : scan::assumption_names) names.emplace_back(row.name);
  subcommand()
      .add_option("--without", without_,
                  "an assumption of docs/assumptions.md that is not made, such as one-parent: more warnings; may be "
                  "repeated")
      ->option_text("NAME")
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names));
  subcommand().add_flag("--sound", sound_, "without any assumption that can be switched");
  subcommand().add_flag("--no-store", no_store_, "neither read nor keep what scans of a captured project keep");
}

/// Suppressions and baseline; what they found goes to standard error.
Result<void> ScanCommand::quiet(RaceReport& report) const {
  report::Suppressions suppressions;
  for (const std::string& file : suppression_files_) {
    const auto text = read_file(file);
    if (!text) return error("--suppressions '" + file + "' cannot be read; name a file of lines race:PATTERN");
    if (auto added = suppressions.add_text(*text, file); !added) return added;
  }
  suppressions.apply(report);
  for (const std::string& unused : suppressions.unused()) std::cerr << "heddle: suppresses nothing: " << unused << '\n';
  if (baseline_.empty()) return {};
  const auto fixed = report::compare_with_baseline(report, baseline_);
  if (!fixed) return std::unexpected(fixed.error());
  const auto is_new = std::ranges::count_if(report.races, [](const ReportRace& r) { return r.baseline == "new"; });
  std::cerr << "heddle: against the baseline: " << is_new << " new, " << fixed->size() << " fixed, "
            << report.races.size() - static_cast<std::size_t>(is_new) << " unchanged\n";
  return {};
}

/// Whether a race makes the exit code 1.
bool ScanCommand::counts(const ReportRace& race) const {
  if (!race.suppressed.empty() || race.baseline == "unchanged" || fail_on_ == "never") return false;
  return fail_on_ == "unlikely" || race.verdict != RaceVerdict::Unlikely;
}

ExitCode ScanCommand::run(const std::vector<std::string>& clang_flags) {
  auto options = options_with_destination(input_, clang_flags, output_);
  if (!options) {
    print_error(options.error().message);
    return ExitCode::BadInput;
  }
  options->profiles = profiles_;
  scan::ScanOptions how;
  how.jobs = jobs_ != 0 ? jobs_ : std::max(1U, std::thread::hardware_concurrency());
  if (sound_) how.assumptions = scan::Assumptions::none();
  for (const std::string& name : without_) how.assumptions.drop(name);
  options->keep_summaries = !no_store_;
  options->reuse_report = !stats_;  // there would be nothing to tell
  auto result = pipeline::scan(*options, how, print_notes);
  if (!result) {
    print_error(result.error().message);
    return ExitCode::BadInput;
  }
  if (stats_) print_stats(std::cerr, result->stats);
  RaceReport& report = result->report;
  if (auto done = quiet(report); !done) {
    print_error(done.error().message);
    return ExitCode::BadInput;
  }
  keep_last_report(report);
  const bool fails = std::ranges::any_of(report.races, [&](const ReportRace& r) { return counts(r); });
  const auto suppressed =
      std::ranges::count_if(report.races, [](const ReportRace& r) { return !r.suppressed.empty(); });
  if (format_ == "text") std::erase_if(report.races, [](const ReportRace& r) { return !r.suppressed.empty(); });
  const std::size_t found = report.races.size();
  const auto likely = static_cast<std::size_t>(
      std::ranges::count_if(report.races, [](const ReportRace& r) { return r.verdict == RaceVerdict::Likely; }));
  if (format_ == "text" && limit_ != 0 && found > limit_) report.races.resize(limit_);
  if (auto written = write_report(report, format_, output_); !written) {
    print_error(written.error().message);
    return ExitCode::BadInput;
  }
  std::cout << "heddle: " << found << (found == 1 ? " suspected race, " : " suspected races, ") << likely
            << " of them likely";
  if (suppressed > 0) std::cout << "; " << suppressed << " more are suppressed";
  if (report.races.size() < found) std::cout << "; the first " << report.races.size() << " are shown (--limit)";
  if (found > 0 && report.coverage.is_project) std::cout << "; 'heddle explain ID' says more of one";
  std::cout << '\n';
  return fails ? ExitCode::Races : ExitCode::Fine;
}

}  // namespace heddle::cli
