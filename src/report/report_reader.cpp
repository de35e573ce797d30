// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_reader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "report/words.h"

namespace heddle::report {
namespace {

using Json = nlohmann::json;

/// Field by field; what is missing or of another type leaves the default.
void get(const Json& json, const char* key, std::string& to) {
  if (const auto at = json.find(key); at != json.end() && at->is_string()) to = at->get<std::string>();
}
void get(const Json& json, const char* key, bool& to) {
  if (const auto at = json.find(key); at != json.end() && at->is_boolean()) to = at->get<bool>();
}
template <class Number>
void get(const Json& json, const char* key, Number& to) {
  if (const auto at = json.find(key); at != json.end() && at->is_number_integer()) to = at->get<Number>();
}

template <class Found>
void each(const Json& json, const char* key, Found found) {
  if (const auto at = json.find(key); at != json.end() && at->is_array())
    for (const Json& row : *at)
      if (row.is_object() || row.is_string()) found(row);
}

template <class Place>
void get_place(const Json& json, Place& to) {
  get(json, "file", to.file);
  get(json, "line", to.line);
  get(json, "column", to.column);
  get(json, "function", to.function);
}

ReportFrame frame_of(const Json& json) {
  ReportFrame out;
  if (json.is_object()) get_place(json, out);
  return out;
}

std::vector<std::string> strings(const Json& json, const char* key) {
  std::vector<std::string> out;
  each(json, key, [&](const Json& row) {
    if (row.is_string()) out.push_back(row.get<std::string>());
  });
  return out;
}

/// The word of an enumeration, as words.h writes it.
template <class Enum, std::size_t count>
Enum from_word(const std::string& text, const std::array<Enum, count>& all, Enum otherwise) {
  const auto at = std::ranges::find_if(all, [&](Enum e) { return word(e) == text; });
  return at == all.end() ? otherwise : *at;
}

ReportAccess access_of(const Json& json) {
  ReportAccess out;
  if (!json.is_object()) return out;
  get_place(json, out);
  get(json, "kind", out.kind);
  get(json, "atomic", out.is_atomic);
  get(json, "path", out.path);
  get(json, "thread", out.thread);
  out.locks = strings(json, "locks");
  each(json, "stack", [&](const Json& row) { out.stack.push_back(frame_of(row)); });
  each(json, "threads", [&](const Json& row) {
    if (!row.is_object()) return;
    ReportThread thread;
    get(row, "entry", thread.entry);
    get(row, "name", thread.name);
    get(row, "several", thread.is_multiple);
    if (row.contains("created")) thread.created = frame_of(row["created"]);
    out.threads.push_back(std::move(thread));
  });
  get(json, "user_path", out.user_path);
  each(json, "locks_taken", [&](const Json& row) {
    if (!row.is_object() || !row.contains("taken")) return;
    ReportLock lock{{}, frame_of(row["taken"])};
    get(row, "lock", lock.name);
    out.locks_taken.push_back(std::move(lock));
  });
  return out;
}

ReportGuard guard_of(const Json& json) {
  ReportGuard out;
  get(json, "lock", out.lock);
  get(json, "holding", out.holding);
  get(json, "accesses", out.accesses);
  get(json, "more_without", out.more_without);
  each(json, "without", [&](const Json& row) { out.without.push_back(access_of(row)); });
  return out;
}

ReportRace race_of(const Json& json) {
  constexpr std::array all{RaceVerdict::Confirmed, RaceVerdict::Witnessed, RaceVerdict::Likely, RaceVerdict::Unlikely,
                           RaceVerdict::Refuted};
  ReportRace out;
  if (!json.is_object()) return out;
  get(json, "id", out.id);
  get(json, "variable", out.variable);
  std::string verdict;
  get(json, "verdict", verdict);
  out.verdict = from_word(verdict, all, RaceVerdict::Likely);
  out.reasons = strings(json, "reasons");
  each(json, "accesses", [&](const Json& row) { out.accesses.push_back(access_of(row)); });
  get(json, "parallel", out.parallel);
  each(json, "opinions", [&](const Json& row) {
    if (!row.is_object()) return;
    ReportOpinion opinion;
    get(row, "points", opinion.points);
    get(row, "what", opinion.what);
    out.opinions.push_back(std::move(opinion));
  });
  if (const auto guard = json.find("guard"); guard != json.end() && guard->is_object()) out.guard = guard_of(*guard);
  get(json, "judge", out.judge);
  get(json, "proof", out.proof);
  get(json, "grade", out.grade);
  get(json, "suppressed", out.suppressed);
  get(json, "baseline", out.baseline);
  out.covered_by = strings(json, "covered_by");
  get(json, "group", out.group);
  return out;
}

/// Edits from one to the other (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
      diagonal = row[k];
      row[k] = std::min({row[k] + 1, row[k - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

std::string listed(const std::vector<const ReportRace*>& races) {
  std::string out;
  for (const ReportRace* race : races) out += (out.empty() ? "" : ", ") + race->id + " ('" + race->variable + "')";
  return out;
}

}  // namespace

Result<RaceReport> read_json(std::string_view text) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object() || !root.contains("races") || !root["races"].is_array())
    return error("is no report.json of heddle; write one with --format json -o FILE");
  constexpr std::array all{Verdict::RaceFree, Verdict::Race, Verdict::Unknown};
  RaceReport out;
  std::string verdict;
  get(root, "verdict", verdict);
  out.verdict = from_word(verdict, all, Verdict::Unknown);
  each(root, "races", [&](const Json& row) { out.races.push_back(race_of(row)); });
  each(root, "obstacles", [&](const Json& row) {
    if (!row.is_object()) return;
    ReportObstacle obstacle;
    get(row, "where", obstacle.where);
    get(row, "what", obstacle.what);
    out.obstacles.push_back(std::move(obstacle));
  });
  out.assumptions = strings(root, "assumptions");
  if (const auto coverage = root.find("coverage"); coverage != root.end() && coverage->is_object())
    if (const auto project = coverage->find("project"); project != coverage->end() && project->is_object()) {
      out.coverage.is_project = true;
      get(*project, "program", out.coverage.program);
    }
  return out;
}

Result<const ReportRace*> find_race(const RaceReport& report, std::string_view id) {
  constexpr std::size_t most = 5;
  std::vector<const ReportRace*> fitting, others;
  for (const ReportRace& race : report.races) {
    if (race.id == id && !id.empty()) return &race;
    (race.id.starts_with(id) && !id.empty() ? fitting : others).push_back(&race);
  }
  if (fitting.size() == 1) return fitting[0];
  const std::string asked = "'" + std::string(id) + "'";
  if (!fitting.empty()) {
    const std::string count = std::to_string(fitting.size());
    fitting.resize(std::min(fitting.size(), most));
    return error(asked + " is the beginning of " + count + " IDs; write more of it: " + listed(fitting));
  }
  if (report.races.empty()) return error("the report has no races, so none with the ID " + asked);
  std::ranges::sort(others, {}, [&](const ReportRace* race) {
    const std::string_view beginning = std::string_view(race->id).substr(0, std::max<std::size_t>(id.size(), 1));
    return std::tuple(distance(id, beginning), std::string_view(race->id));
  });
  others.resize(std::min<std::size_t>(others.size(), 3));
  return error("no race has the ID " + asked + "; the nearest are " + listed(others));
}

}  // namespace heddle::report
