// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string_view>

#include "report/report_writer.h"
#include "report/screen/blocks.h"
#include "report/short_names.h"
#include "report/words.h"

namespace heddle::report {
namespace {

template <class Place>
std::ostream& note(std::ostream& out, const Place& place) {
  write_place(out, place);
  return out << ": note: ";
}

void write_coverage(std::ostream& out, const ReportCoverage& coverage) {
  out << "heddle: read " << coverage.parsed << " of " << counted(coverage.tried, coverage.is_project ? "unit" : "file");
  if (coverage.is_project) {
    out << " of the captured project (" << coverage.failed.size() << " failed, " << coverage.skipped << " skipped), "
        << coverage.linked << " in ";
    out << (coverage.program.empty() ? "the program" : "'" + coverage.program + "'");
  }
  out << ": " << counted(coverage.functions, "function") << " with a body, " << coverage.functions_reached
      << " reached, " << counted(coverage.instructions, "instruction") << ", " << counted(coverage.threads, "thread")
      << '\n';
  for (const std::string& failed : coverage.failed)
    out << "heddle: not read: " << std::string_view(failed).substr(0, failed.find('\n')) << '\n';
}

void write_access_words(std::ostream& out, const ReportAccess& access) {
  if (access.is_atomic) out << "atomic ";
  out << access.kind << " in " << (access.function.empty() ? "<unknown>" : short_name(access.function));
}

void write_locks(std::ostream& out, const ReportAccess& access) {
  if (access.locks.empty()) {
    out << "no locks held";
    return;
  }
  out << "locks held: ";
  std::string_view separator;
  for (const std::string& lock : access.locks) {
    out << separator << lock;
    separator = ", ";
  }
}

/// Functions of libraries are counted.
void write_stack(std::ostream& out, const ReportAccess& access) {
  std::size_t folded = 0;
  for (const ReportFrame& frame : access.stack) {
    if (is_the_access(frame, access)) continue;
    if (is_library_file(frame.file)) {
      ++folded;
      continue;
    }
    note(out, frame) << "called from " << short_name(frame.function);
    if (folded > 0) out << " through " << folded << (folded == 1 ? " function" : " functions") << " of a library";
    out << '\n';
    folded = 0;
  }
}

void write_access(std::ostream& out, const ReportAccess& access) {
  note(out, access);
  write_access_words(out, access);
  if (!access.path.empty()) out << " of '" << access.path << "'";
  out << " by thread " << (access.thread.empty() ? "<unknown>" : access.thread) << "; ";
  write_locks(out, access);
  out << '\n';
  write_stack(out, access);
}

void write_race(std::ostream& out, const ReportRace& race) {
  if (race.accesses.empty()) return;
  const ReportAccess& first = race.accesses.front();
  write_place(out, first);
  out << ": warning: data race on '" << race.variable << "': ";
  write_access_words(out, first);
  for (std::size_t i = 1; i < race.accesses.size(); ++i) {
    out << " / ";
    write_access_words(out, race.accesses[i]);
  }
  if (!race.id.empty()) out << " [" << race.id << ']';
  out << '\n';
  for (const ReportAccess& access : race.accesses) write_access(out, access);
  for (const std::string& reason : race.reasons) note(out, first) << reason << '\n';
  for (const std::string& id : race.covered_by)
    note(out, first) << "covered by [" << id << "]: where this one can happen, that one can\n";
  if (!race.baseline.empty()) note(out, first) << "against the baseline: " << race.baseline << '\n';
  note(out, first) << evidence(race.verdict) << '\n';
}

void write_findings(std::ostream& out, const RaceReport& report) {
  for (const ReportFinding& finding : report.also_seen) {
    if (!finding.stack.empty()) {
      write_place(out, finding.stack.front());
      out << ": ";
    }
    out << "also seen: " << finding.kind << ": " << finding.what;
    if (!finding.schedule.empty()) out << " (heddle replay " << finding.schedule << ')';
    out << '\n';
  }
}

void write_obstacles(std::ostream& out, const RaceReport& report) {
  if (report.obstacles.empty()) return;
  out << "not decided, because:\n";
  for (const ReportObstacle& obstacle : report.obstacles) {
    out << "  ";
    if (!obstacle.where.empty()) out << obstacle.where << ": ";
    out << obstacle.what << '\n';
  }
}

void write_assumptions(std::ostream& out, const RaceReport& report) {
  if (report.assumptions.empty()) return;
  out << "this result assumes (docs/assumptions.md): ";
  for (const std::string& assumption : report.assumptions)
    out << (&assumption == &report.assumptions.front() ? "" : ", ") << assumption;
  out << '\n';
}

}  // namespace

void write_details(std::ostream& out, const RaceReport& report, std::size_t limit) {
  write_coverage(out, report.coverage);
  const std::vector<Block> blocks = blocks_of(report);
  for (std::size_t i = 0; i < blocks.size() && (limit == 0 || i < limit); ++i)
    for (const ReportRace* race : blocks[i].races) write_race(out, *race);
  write_findings(out, report);
  write_obstacles(out, report);
  if (const std::string words = report::exhausted_words(report); !words.empty()) out << words << '\n';
  write_assumptions(out, report);
}

}  // namespace heddle::report
