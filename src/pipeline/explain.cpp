// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/explain.h"

#include <algorithm>
#include <set>

#include "base/near_names.h"
#include "race/access_naming.h"
#include "race/build_report.h"
#include "scan/scan.h"
#include "topdown/cases/evidence.h"
#include "topdown/cases/find_cases.h"

namespace heddle::pipeline {
namespace {

/// How many instructions name it, and the names that are like it if none does.
void look_for_name(const Program& program, VariableReport& report) {
  race::AccessNaming naming(program);
  std::set<std::string> names;
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (const AccessSite& site : access_sites(program, program.functions[FunctionId(f)])) {
      const std::string& path = naming({FunctionId(f), static_cast<std::uint32_t>(site.instruction), site.kind}).path;
      if (path == report.variable) ++report.accesses;
      names.insert(path);
    }
  constexpr std::size_t most = 5;
  if (report.accesses == 0 && report.pairs.empty()) report.like_names = near_names(report.variable, names, most);
}

ReportAccess words(const Program& program, race::Evidence& evidence, const race::Access& access) {
  ReportAccess out = race::short_access(program, access);
  out.thread = evidence.thread_name(access);
  for (const race::HeldLock& held : evidence.locks(access))
    out.locks.push_back(held.name + (held.is_shared ? " (shared)" : ""));
  return out;
}

void add_pairs(const Program& program, race::Evidence& evidence, VariableReport& report) {
  for (const race::ConsideredPair& considered : evidence.considered(report.variable)) {
    VariablePair pair;
    pair.first = words(program, evidence, considered.pair.first);
    pair.second = words(program, evidence, considered.pair.second);
    if (considered.separation) {
      pair.reason = to_text(considered.separation->reason);
      pair.sentence = to_sentence(considered.separation->reason);
      pair.detail = considered.separation->detail;
    }
    report.pairs.push_back(std::move(pair));
  }
  const auto place = [](const ReportAccess& a) { return std::tie(a.file, a.line, a.column, a.kind, a.thread); };
  std::ranges::sort(report.pairs, [&](const VariablePair& a, const VariablePair& b) {
    return std::tuple(place(a.first), place(a.second), a.reason) <
           std::tuple(place(b.first), place(b.second), b.reason);
  });
}

void add_obstacles(const race::Docket& docket, VariableReport& report) {
  for (const race::Obstacle& obstacle : docket.obstacles)
    report.obstacles.push_back(obstacle.where.empty() ? obstacle.what : obstacle.where + ": " + obstacle.what);
}

}  // namespace

Result<VariableReport> explain_variable(const Input& input, const std::string& variable, Driver driver,
                                        const VerifyOptions& options, const Tell& tell) {
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  const Result<api::ApiModels> models = load_models(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  const Program& program = loaded->program;
  VariableReport report;
  report.variable = variable;
  const FunctionId main = program.find_function("main");
  if (driver == Driver::TopDown && main && program.functions[main].has_body() && loaded->programs.empty()) {
    const topdown::TopDownResult result =
        topdown::analyse_top_down(program, *models, main, limits_for(program, *models, options));
    if (!result.gave_up) {
      report.driver = "verify";
      topdown::TopDownEvidence evidence(program, result);
      add_pairs(program, evidence, report);
      add_obstacles(topdown::find_cases(program, result), report);
      look_for_name(program, report);
      return report;
    }
  }
  report.driver = "scan";
  scan::ScanOptions how;
  how.jobs = options.jobs;
  scan::Scan scan(program, *models, how);
  add_pairs(program, scan.evidence(), report);
  look_for_name(program, report);
  return report;
}

}  // namespace heddle::pipeline
