// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "report/race_report.h"

namespace heddle::report {

inline ReportAccess sample_write() {
  ReportAccess access;
  access.file = "server.c";
  access.line = 14;
  access.column = 3;
  access.kind = "write";
  access.path = "s->hits";
  access.function = "count";
  access.thread = "worker (many instances, created at server.c:40:5)";
  access.stack = {{"server.c", 14, 3, "count"}, {"server.c", 22, 5, "worker"}};
  return access;
}

inline ReportAccess sample_read() {
  ReportAccess access;
  access.file = "main.c";
  access.line = 44;
  access.column = 20;
  access.kind = "read";
  access.is_atomic = true;
  access.path = "stats.hits";
  access.function = "main";
  access.thread = "main";
  access.locks = {"m", "stats.lock (shared)"};
  return access;
}

/// With everything a scan knows of a race.
inline ReportRace explained_race() {
  ReportRace race{.id = "hits-77", .variable = "s->hits", .reasons = {}, .accesses = {sample_write(), sample_read()}};
  race.accesses[0].threads = {{"worker", true, {"server.c", 40, 5, "main"}}, {"timer", false, {}}};
  race.accesses[1].threads = {{"main", false, {}}};
  race.accesses[1].locks_taken = {{"m", {"main.c", 43, 3, "main"}}};
  race.parallel = "main has started 'worker' and has not surely waited for it";
  race.opinions = {{933, "most hold it"}, {-80, "one side is main"}};
  race.guard = ReportGuard{"m", 14, 15, {}, 2};
  ReportAccess& without = race.guard->without.emplace_back();
  without.file = "server.c";
  without.line = 14;
  without.column = 3;
  without.kind = "write";
  without.function = "count";
  return race;
}

inline RaceReport sample_report() {
  RaceReport report;
  report.coverage.tried = report.coverage.parsed = 2;
  report.coverage.functions = 5;
  report.coverage.functions_reached = 4;
  report.coverage.instructions = 61;
  report.coverage.threads = 2;
  report.verdict = Verdict::Race;
  report.races.push_back({.id = "hits-1f2e",
                          .variable = "stats.hits",
                          .verdict = RaceVerdict::Likely,
                          .reasons = {"main does not join worker before it reads"},
                          .accesses = {sample_write(), sample_read()}});
  report.obstacles.push_back({.where = "server.c:50:3", .what = "call of 'longjmp', which heddle does not treat"});
  report.assumptions = {"thread creation succeeds", "locks succeed"};
  return report;
}

}  // namespace heddle::report
