// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string_view>

#include "report/json_access.h"
#include "report/json_stream.h"
#include "report/report_writer.h"
#include "report/words.h"

namespace heddle::report {
namespace {

constexpr int format_version = 1;

/// The fields come in the order that docs/report_json.md has.
class Writer {
 public:
  const std::string& write(const RaceReport& report) {
    json_.open('{');
    json_.field("version", format_version);
    json_.field("verdict", word(report.verdict));
    if (!report.only_race.empty()) json_.field("only_race", report.only_race);
    json_.key("coverage");
    write(report.coverage);
    list("races", report.races);
    list("obstacles", report.obstacles);
    json_.field("assumptions", report.assumptions);
    if (!report.also_seen.empty()) list("also_seen", report.also_seen);
    if (report.exhausted_traces != 0) json_.field("exhausted_traces", report.exhausted_traces);
    if (report.visited_states != 0) json_.field("visited_states", report.visited_states);
    if (report.not_listed != 0) json_.field("not_listed", report.not_listed);
    if (report.filtered_out != 0) json_.field("filtered_out", report.filtered_out);
    json_.close('}');
    return json_.text();
  }

 private:
  template <class Row>
  void list(std::string_view name, const std::vector<Row>& rows) {
    json_.list(name, rows, [this](const Row& row) { write(row); });
  }

  void write(const ReportFrame& frame) {
    json_.open('{');
    write_place_fields(json_, frame);
    json_.field("function", frame.function);
    json_.close('}');
  }

  void write(const ReportThread& thread) {
    json_.open('{');
    json_.field("entry", thread.entry);
    if (!thread.name.empty()) json_.field("name", thread.name);
    json_.field("several", thread.is_multiple);
    if (!thread.created.file.empty()) {
      json_.key("created");
      write(thread.created);
    }
    json_.close('}');
  }

  void write(const ReportLock& lock) {
    json_.open('{');
    json_.field("lock", lock.name);
    json_.key("taken");
    write(lock.taken);
    json_.close('}');
  }

  void write(const ReportOpinion& opinion) {
    json_.open('{');
    json_.field("points", opinion.points);
    json_.field("what", opinion.what);
    json_.close('}');
  }

  void write(const ReportAccess& access) {
    json_.open('{');
    write_access_fields(json_, access);
    json_.field("path", access.path);
    write_thread_fields(json_, access);
    list("stack", access.stack);
    if (!access.threads.empty()) list("threads", access.threads);
    if (!access.locks_taken.empty()) list("locks_taken", access.locks_taken);
    if (!access.user_path.empty()) json_.field("user_path", access.user_path);
    json_.close('}');
  }

  void write(const ReportGuard& guard) {
    json_.open('{');
    json_.field("lock", guard.lock);
    json_.field("holding", guard.holding);
    json_.field("accesses", guard.accesses);
    json_.list("without", guard.without, [this](const ReportAccess& access) {
      json_.open('{');
      write_access_fields(json_, access);
      json_.field("function", access.function);
      json_.close('}');
    });
    json_.field("more_without", guard.more_without);
    json_.close('}');
  }

  void write(const ReportRace& race) {
    json_.open('{');
    json_.field("id", race.id);
    json_.field("variable", race.variable);
    json_.field("verdict", word(race.verdict));
    json_.field("reasons", race.reasons);
    list("accesses", race.accesses);
    if (!race.parallel.empty()) json_.field("parallel", race.parallel);
    if (!race.opinions.empty()) list("opinions", race.opinions);
    if (race.guard) {
      json_.key("guard");
      write(*race.guard);
    }
    if (!race.judge.empty()) json_.field("judge", race.judge);
    if (!race.proof.empty()) json_.field("proof", race.proof);
    if (!race.grade.empty()) json_.field("grade", race.grade);
    if (!race.suppressed.empty()) json_.field("suppressed", race.suppressed);
    if (!race.baseline.empty()) json_.field("baseline", race.baseline);
    if (!race.covered_by.empty()) json_.field("covered_by", race.covered_by);
    if (race.group != 0) json_.field("group", race.group);
    json_.close('}');
  }

  void write(const ReportBlindSpot& spot) {
    json_.open('{');
    json_.field("what", spot.what);
    json_.field("may_hide", spot.may_hide);
    json_.close('}');
  }

  void write(const ReportObstacle& obstacle) {
    json_.open('{');
    json_.field("where", obstacle.where);
    json_.field("what", obstacle.what);
    json_.close('}');
  }

  void write(const ReportFinding& finding) {
    json_.open('{');
    json_.field("kind", finding.kind);
    json_.field("what", finding.what);
    list("stack", finding.stack);
    if (!finding.schedule.empty()) json_.field("schedule", finding.schedule);
    json_.close('}');
  }

  void write(const ReportCoverage& coverage) {
    json_.open('{');
    json_.field("tried", coverage.tried);
    json_.field("parsed", coverage.parsed);
    json_.field("failed", coverage.failed);
    json_.field("skipped", coverage.skipped);
    json_.field("functions", coverage.functions);
    json_.field("functions_reached", coverage.functions_reached);
    json_.field("instructions", coverage.instructions);
    json_.field("threads", coverage.threads);
    if (!coverage.thread_list.empty()) list("thread_list", coverage.thread_list);
    if (!coverage.blind_spots.empty()) list("blind_spots", coverage.blind_spots);
    if (coverage.is_project) {
      json_.key("project");
      json_.open('{');
      json_.field("program", coverage.program);
      json_.field("linked", coverage.linked);
      json_.field("notes", coverage.notes);
      json_.close('}');
    }
    json_.close('}');
  }

  JsonStream json_;
};

}  // namespace

void write_json(std::ostream& out, const RaceReport& report) { out << Writer().write(report) << '\n'; }

}  // namespace heddle::report
