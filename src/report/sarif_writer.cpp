// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0. Viewers show only the first thread flow of a code flow: so the first code flow is one merged flow of
// both threads, and the second has the two threads apart.
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/report_writer.h"
#include "report/words.h"

namespace heddle::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr const char* schema = "https://json.schemastore.org/sarif-2.1.0.json";

std::string uri_of(std::string_view path) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || std::string_view("-._~/+@,").contains(c);
    if (is_plain) {
      out += c;
    } else {
      out += '%';
      out += hex[byte >> 4];
      out += hex[byte & 15];
    }
  }
  return out;
}

/// `Place`: whatever has file, line, column.
template <class Place>
OrderedJson location(const Place& place, const std::string& message, int id = 0) {
  OrderedJson physical = {{"artifactLocation", {{"uri", uri_of(place.file.empty() ? "unknown" : place.file)}}}};
  if (place.line > 0) {
    physical["region"] = {{"startLine", place.line}};
    if (place.column > 0) physical["region"]["startColumn"] = place.column;
  }
  OrderedJson out;
  if (id > 0) out["id"] = id;
  out["physicalLocation"] = std::move(physical);
  if (!place.function.empty())
    out["logicalLocations"] = OrderedJson::array({{{"name", place.function}, {"kind", "function"}}});
  if (!message.empty()) out["message"] = {{"text", message}};
  return out;
}

std::string words_of(const ReportAccess& access) {
  std::string out =
      (access.is_atomic ? "atomic " : "") + access.kind + " of '" + access.path + "' by thread " + access.thread;
  out += access.locks.empty() ? "; no locks held" : "; locks held: ";
  for (std::size_t i = 0; i < access.locks.size(); ++i) out += (i == 0 ? "" : ", ") + access.locks[i];
  return out;
}

/// The calls that lead to the access, outermost first, then the access.
void add_steps(OrderedJson& steps, const ReportAccess& access, const std::string& thread) {
  for (std::size_t i = access.stack.size(); i-- > 1;)
    steps.push_back({{"location", location(access.stack[i], thread + "calls on the way")},
                     {"nestingLevel", access.stack.size() - 1 - i}});
  steps.push_back({{"location", location(access, thread + words_of(access))},
                   {"nestingLevel", access.stack.empty() ? 0 : access.stack.size() - 1},
                   {"importance", "essential"}});
}

OrderedJson code_flows(const ReportRace& race) {
  OrderedJson merged = OrderedJson::array();
  OrderedJson apart = OrderedJson::array();
  for (std::size_t i = 0; i < race.accesses.size(); ++i) {
    add_steps(merged, race.accesses[i], "thread " + std::to_string(i + 1) + ": ");
    OrderedJson own = OrderedJson::array();
    add_steps(own, race.accesses[i], "");
    apart.push_back({{"id", "thread " + std::to_string(i + 1)}, {"locations", std::move(own)}});
  }
  return OrderedJson::array(
      {{{"threadFlows", OrderedJson::array({{{"id", "both threads"}, {"locations", std::move(merged)}}})}},
       {{"threadFlows", std::move(apart)}}});
}

std::string_view level(RaceVerdict verdict) {
  switch (verdict) {
    case RaceVerdict::Confirmed:
    case RaceVerdict::Witnessed: return "error";
    case RaceVerdict::Likely: return "warning";
    case RaceVerdict::Unlikely: return "note";
    case RaceVerdict::Refuted: return "none";
  }
  return "warning";
}

OrderedJson result_of(const ReportRace& race) {
  const ReportAccess& first = race.accesses.front();
  std::string text = "data race on '" + race.variable + "'";
  for (std::size_t i = 0; i < race.accesses.size(); ++i)
    text += (i == 0 ? ": " : " / ") + race.accesses[i].kind + " in " + race.accesses[i].function;
  OrderedJson related = OrderedJson::array();
  for (std::size_t i = 1; i < race.accesses.size(); ++i)
    related.push_back(location(race.accesses[i], words_of(race.accesses[i]), static_cast<int>(i)));
  OrderedJson out = {{"ruleId", "data-race"},
                     {"ruleIndex", 0},
                     {"kind", race.verdict == RaceVerdict::Refuted ? "pass" : "fail"},
                     {"level", level(race.verdict)},
                     {"message", {{"text", text}}},
                     {"locations", OrderedJson::array({location(first, words_of(first))})},
                     {"relatedLocations", std::move(related)},
                     {"codeFlows", code_flows(race)},
                     {"partialFingerprints", {{"heddleRace/v1", race.id}}},
                     {"properties", {{"verdict", word(race.verdict)}, {"reasons", race.reasons}}}};
  if (!race.suppressed.empty())
    out["suppressions"] = OrderedJson::array({{{"kind", "external"}, {"justification", race.suppressed}}});
  if (!race.baseline.empty()) out["baselineState"] = race.baseline;
  return out;
}

}  // namespace

void write_sarif(std::ostream& out, const RaceReport& report) {
  OrderedJson results = OrderedJson::array();
  for (const ReportRace& race : report.races)
    if (!race.accesses.empty()) results.push_back(result_of(race));
  OrderedJson notes = OrderedJson::array();
  for (const ReportObstacle& obstacle : report.obstacles)
    notes.push_back({{"level", "note"},
                     {"message", {{"text", (obstacle.where.empty() ? "" : obstacle.where + ": ") + obstacle.what}}}});
  for (const std::string& failed : report.coverage.failed)
    notes.push_back({{"level", "warning"}, {"message", {{"text", "not read: " + failed}}}});
  const OrderedJson rule = {
      {"id", "data-race"},
      {"name", "DataRace"},
      {"shortDescription", {{"text", "Two threads access the same memory at the same time, and one of them writes"}}},
      {"defaultConfiguration", {{"level", "warning"}}}};
  OrderedJson run = {
      {"tool", {{"driver", {{"name", "heddle"}, {"rules", OrderedJson::array({rule})}}}}},
      {"invocations",
       OrderedJson::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", std::move(notes)}}})},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results)}};
  const OrderedJson root = {{"$schema", schema}, {"version", "2.1.0"}, {"runs", OrderedJson::array({std::move(run)})}};
  constexpr int indent = 2;
  out << root.dump(indent, ' ', false, OrderedJson::error_handler_t::replace) << '\n';
}

}  // namespace heddle::report
