// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/shared/shared_words.h"

#include <algorithm>

#include "race/build_report.h"
#include "report/json_stream.h"

namespace heddle::scan {
namespace {

std::string place_of(const ReportFrame& frame) {
  if (frame.file.empty()) return "<unknown>";
  return frame.file + ":" + std::to_string(frame.line) + ":" + std::to_string(frame.column);
}

std::size_t writes_of(const SharedVariable& variable) {
  return static_cast<std::size_t>(
      std::ranges::count_if(variable.accesses, [](const AccessSpot& spot) { return writes(spot.kind); }));
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void add_text(std::string& out, const Program& program, const SharedVariable& variable) {
  out += variable.name + "\n    " + std::string(to_text(variable.rule));
  if (!variable.origin.empty()) out += ": " + variable.origin;
  out += "\n    " + counted(variable.accesses.size(), "access", "accesses") + ", " +
         counted(writes_of(variable), "of them writes", "of them write");
  if (!variable.is_ever_locked) out += ", never under a lock";
  out += '\n';
  for (const UpdateStep& step : variable.sequence) {
    const ReportFrame frame = race::frame_of(program, step.at);
    out += "      " + place_of(frame) + ": " + frame.function + " " + step.text + "\n";
  }
}

void write_place(report::JsonStream& json, const Program& program, const race::CallStep& at) {
  const ReportFrame frame = race::frame_of(program, at);
  json.field("file", frame.file);
  json.field("line", frame.line);
  json.field("column", frame.column);
  json.field("function", frame.function);
}

void write_variable(report::JsonStream& json, const Program& program, const SharedVariable& variable) {
  json.open('{');
  json.field("variable", variable.name);
  json.field("rule", to_word(variable.rule));
  json.field("origin", variable.origin);
  json.field("never_locked", !variable.is_ever_locked);
  json.list("sequence", variable.sequence, [&](const UpdateStep& step) {
    json.open('{');
    write_place(json, program, step.at);
    json.field("text", step.text);
    json.close('}');
  });
  json.list("accesses", variable.accesses, [&](const AccessSpot& spot) {
    json.open('{');
    write_place(json, program, spot.at);
    json.field("kind", to_text(spot.kind));
    json.close('}');
  });
  json.close('}');
}

}  // namespace

std::string shared_count(const SharedVariables& variables) {
  return counted(variables.shared.size(), "shared variable, ", "shared variables, ") +
         std::to_string(variables.never_locked()) + " of them never accessed under a lock";
}

std::string shared_text(const Program& program, const SharedVariables& variables, Listed listed) {
  std::string out;
  for (const SharedVariable& variable : variables.shared) add_text(out, program, variable);
  if (listed == Listed::AlsoOthers) {
    if (!variables.others.empty()) out += "\nnot shared:\n";
    for (const UnsharedVariable& variable : variables.others)
      out += "  " + variable.name + ": " + std::string(to_text(variable.reason)) + "\n";
  }
  if (variables.large_classes > 0)
    out += counted(variables.large_classes, "class", "classes") +
           " of pointers to plain numbers or characters, too large to look at (--sound does)\n";
  return out;
}

std::string shared_json(const Program& program, const SharedVariables& variables, Listed listed) {
  report::JsonStream json;
  json.open('{');
  json.list("shared", variables.shared, [&](const SharedVariable& v) { write_variable(json, program, v); });
  if (listed == Listed::AlsoOthers)
    json.list("not_shared", variables.others, [&](const UnsharedVariable& variable) {
      json.open('{');
      json.field("variable", variable.name);
      json.field("reason", to_word(variable.reason));
      json.close('}');
    });
  json.field("large_classes", variables.large_classes);
  json.close('}');
  return json.text() + "\n";
}

}  // namespace heddle::scan
