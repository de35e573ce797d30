// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/report_writer.h"
#include "report/words.h"

namespace heddle::report {
namespace {

// Ordered, so that the file reads in the order its documentation has and two runs give the same bytes.
using Json = nlohmann::ordered_json;

constexpr int format_version = 1;

Json to_json(const ReportFrame& frame);
Json to_json(const ReportThread& thread);
Json to_json(const ReportLock& lock);
Json to_json(const ReportOpinion& opinion);
Json to_json(const ReportAccess& access);
Json to_json(const ReportRace& race);
Json to_json(const ReportObstacle& obstacle);
Json to_json(const ReportFinding& finding);

template <class Row>
Json list_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  return list;
}

Json to_json(const ReportFrame& frame) {
  return {{"file", frame.file}, {"line", frame.line}, {"column", frame.column}, {"function", frame.function}};
}

Json to_json(const ReportAccess& access) {
  Json json = {{"file", access.file},           {"line", access.line},        {"column", access.column},
               {"kind", access.kind},           {"atomic", access.is_atomic}, {"path", access.path},
               {"function", access.function},   {"thread", access.thread},    {"locks", access.locks},
               {"stack", list_of(access.stack)}};
  if (!access.threads.empty()) json["threads"] = list_of(access.threads);
  if (!access.locks_taken.empty()) json["locks_taken"] = list_of(access.locks_taken);
  return json;
}

Json to_json(const ReportThread& thread) {
  Json json = {{"entry", thread.entry}, {"several", thread.is_multiple}};
  if (!thread.created.file.empty()) json["created"] = to_json(thread.created);
  return json;
}

Json to_json(const ReportLock& lock) { return {{"lock", lock.name}, {"taken", to_json(lock.taken)}}; }

Json to_json(const ReportOpinion& opinion) { return {{"points", opinion.points}, {"what", opinion.what}}; }

Json to_json(const ReportGuard& guard) {
  Json without = Json::array();
  for (const ReportAccess& access : guard.without)
    without.push_back({{"file", access.file},
                       {"line", access.line},
                       {"column", access.column},
                       {"kind", access.kind},
                       {"atomic", access.is_atomic},
                       {"function", access.function}});
  return {{"lock", guard.lock},
          {"holding", guard.holding},
          {"accesses", guard.accesses},
          {"without", std::move(without)},
          {"more_without", guard.more_without}};
}

Json to_json(const ReportRace& race) {
  Json json = {{"id", race.id},
               {"variable", race.variable},
               {"verdict", word(race.verdict)},
               {"reasons", race.reasons},
               {"accesses", list_of(race.accesses)}};
  if (!race.parallel.empty()) json["parallel"] = race.parallel;
  if (!race.opinions.empty()) json["opinions"] = list_of(race.opinions);
  if (race.guard) json["guard"] = to_json(*race.guard);
  if (!race.suppressed.empty()) json["suppressed"] = race.suppressed;
  if (!race.baseline.empty()) json["baseline"] = race.baseline;
  return json;
}

Json to_json(const ReportObstacle& obstacle) { return {{"where", obstacle.where}, {"what", obstacle.what}}; }

Json to_json(const ReportFinding& finding) {
  Json json = {{"kind", finding.kind}, {"what", finding.what}, {"stack", list_of(finding.stack)}};
  if (!finding.schedule.empty()) json["schedule"] = finding.schedule;
  return json;
}

Json to_json(const ReportCoverage& coverage) {
  Json json = {{"tried", coverage.tried},
               {"parsed", coverage.parsed},
               {"failed", coverage.failed},
               {"skipped", coverage.skipped},
               {"functions", coverage.functions},
               {"functions_reached", coverage.functions_reached},
               {"instructions", coverage.instructions},
               {"threads", coverage.threads}};
  if (coverage.is_project)
    json["project"] = {{"program", coverage.program}, {"linked", coverage.linked}, {"notes", coverage.notes}};
  return json;
}

}  // namespace

void write_json(std::ostream& out, const RaceReport& report) {
  Json root = {{"version", format_version},
               {"verdict", word(report.verdict)},
               {"coverage", to_json(report.coverage)},
               {"races", list_of(report.races)},
               {"obstacles", list_of(report.obstacles)},
               {"assumptions", report.assumptions}};
  if (!report.also_seen.empty()) root["also_seen"] = list_of(report.also_seen);
  if (report.exhausted_traces != 0) root["exhausted_traces"] = report.exhausted_traces;
  // File names are bytes, JSON is UTF-8: what is not becomes U+FFFD instead of an exception.
  constexpr int indent = 2;
  out << root.dump(indent, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace heddle::report
