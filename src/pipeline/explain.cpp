// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/explain.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/near_names.h"
#include "pipeline/scan.h"
#include "race/access_naming.h"
#include "race/build_report.h"
#include "race/user_code.h"
#include "scan/scan.h"
#include "topdown/cases/evidence.h"
#include "topdown/cases/find_cases.h"

namespace heddle::pipeline {
namespace {

/// `counter.c:12`: the file as reports name it, or the end of its path, and a line.
struct AskedPlace {
  std::string file;
  std::uint32_t line = 0;
};

std::optional<AskedPlace> place_of(const std::string& what) {
  const std::size_t colon = what.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == what.size()) return std::nullopt;
  constexpr std::size_t most_digits = 9;
  const std::string digits = what.substr(colon + 1);
  if (digits.size() > most_digits || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return AskedPlace{what.substr(0, colon), static_cast<std::uint32_t>(std::stoul(digits))};
}

bool is_at(const AskedPlace& place, const ReportFrame& frame) {
  if (frame.line != place.line || !frame.file.ends_with(place.file)) return false;
  const std::size_t rest = frame.file.size() - place.file.size();
  return rest == 0 || frame.file[rest - 1] == '/';
}

/// How many instructions name it, and the names that are like it if none does.
void look_for_name(const Program& program, VariableReport& report) {
  race::AccessNaming naming(program);
  const std::optional<AskedPlace> place = place_of(report.variable);
  std::set<std::string> names;
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (const AccessSite& site : access_sites(program, program.functions[FunctionId(f)])) {
      const std::string& path = naming({FunctionId(f), static_cast<std::uint32_t>(site.instruction), site.kind}).path;
      const ReportFrame at = race::frame_of(program, {FunctionId(f), static_cast<std::uint32_t>(site.instruction)});
      if (place ? is_at(*place, at) : path == report.variable) ++report.accesses;
      if (!place) names.insert(path);
    }
  constexpr std::size_t most = 5;
  if (report.accesses == 0 && report.pairs.empty()) report.like_names = near_names(report.variable, names, most);
}

ReportAccess words(const Program& program, race::Evidence& evidence, const race::Access& access) {
  ReportAccess out = race::short_access(program, access);
  if (race::is_library(program, access.function)) {
    const ReportFrame user = race::frame_of(program, race::user_step(program, evidence.stack(access)));
    std::tie(out.file, out.line, out.column, out.function) = std::tie(user.file, user.line, user.column, user.function);
  }
  out.thread = evidence.thread_name(access);
  for (const race::HeldLock& held : evidence.locks(access)) out.locks.push_back(to_text(held));
  return out;
}

void add_pairs(const Program& program, race::Evidence& evidence, VariableReport& report) {
  race::AccessNaming naming(program);
  race::UserPaths user_paths(program);
  const std::optional<AskedPlace> place = place_of(report.variable);
  const auto is_wanted = [&](const race::Access& access) {
    const bool is_inside = race::is_library(program, access.function);  // the user knows his own line and name for it
    if (place && is_at(*place, race::frame_of(program, {access.function, access.instruction}))) return true;
    if (place)
      return is_inside && is_at(*place, race::frame_of(program, race::user_step(program, evidence.stack(access))));
    return naming(access).path == report.variable || evidence.object_name(access) == report.variable ||
           (is_inside && user_paths(evidence.stack(access)) == report.variable);
  };
  for (const race::ConsideredPair& considered : evidence.considered(is_wanted)) {
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
  const auto at = [](const ReportAccess& a) { return std::tie(a.file, a.line, a.column, a.kind, a.thread); };
  std::ranges::sort(report.pairs, [&](const VariablePair& a, const VariablePair& b) {
    return std::tuple(at(a.first), at(a.second), a.reason) < std::tuple(at(b.first), at(b.second), b.reason);
  });
  // One line of the user's may lead to many accesses inside of a library.
  const auto doubles = std::ranges::unique(report.pairs, [&](const VariablePair& a, const VariablePair& b) {
    const auto all = [&](const VariablePair& p) {
      return std::tuple(at(p.first), at(p.second), std::tie(p.reason, p.detail, p.first.locks, p.second.locks),
                        std::tie(p.first.function, p.second.function));
    };
    return all(a) == all(b);
  });
  report.pairs.erase(doubles.begin(), doubles.end());
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
  const auto known = ScanModels::load(input, loaded->program);
  if (!known) return std::unexpected(known.error());
  const api::ApiModels& models = (*known)->models;
  const Program& program = loaded->program;
  VariableReport report;
  report.variable = variable;
  const FunctionId main = main_of(program);
  // Verify knows threads alone.
  const bool has_system = (*known)->facts() != nullptr;
  if (driver == Driver::TopDown && main && loaded->programs.empty() && !has_system) {
    const topdown::TopDownResult result =
        topdown::analyse_top_down(program, models, main, limits_for(program, models, options));
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
  how.system = (*known)->facts();
  scan::Scan scan(program, models, how);
  add_pairs(program, scan.evidence(), report);
  look_for_name(program, report);
  return report;
}

}  // namespace heddle::pipeline
