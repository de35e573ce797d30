// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/witness/witness.h"

#include <cstdlib>
#include <ctime>

#include "base/read_file.h"
#include "base/write_file.h"
#include "explore/evidence/stations.h"
#include "explore/interpreted/interpreted_program.h"
#include "pipeline/witness/sha256.h"

namespace heddle::pipeline {
namespace {

std::string quoted(std::string_view plain) {
  std::string out = "\"";
  for (const char c : plain) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

/// Now, or SOURCE_DATE_EPOCH, so that the same call may write the same bytes.
std::string creation_time() {
  const char* const fixed = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t seconds =
      fixed != nullptr ? static_cast<std::time_t>(std::strtoll(fixed, nullptr, 10)) : std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Of a content, in the layout of RFC 9562, version 8.
std::string uuid_of(std::string_view content) {
  std::string digits = sha256_hex(content).substr(0, 32);
  digits[12] = '8';
  digits[16] = '9';
  for (const std::size_t at : {20U, 16U, 12U, 8U}) digits.insert(at, "-");
  return digits;
}

class Writer {
 public:
  Writer(const Input& input, const Program& program) : input_(input), program_(program) {}

  Result<std::string> violation(const explore::Stations& stations) {
    std::string content = "  content:\n";
    for (const explore::Station& one : stations.on_the_way) {
      const std::string waypoint = one.given ? waypoint_of_input(one) : waypoint_on_the_way(one);
      if (!waypoint.empty()) content += "  - segment:\n" + waypoint;
    }
    content += "  - segment:\n" + target(stations.first) + target(stations.second);
    return entry("violation_sequence", content);
  }

  Result<std::string> proof() { return entry("invariant_set", "  content: []\n"); }

 private:
  Result<std::string> entry(const std::string& type, const std::string& content) {
    std::string files, hashes;
    for (const frontend::Source& source : input_.sources) {
      const Result<std::string> bytes = read_file(source.path);
      if (!bytes) return std::unexpected(bytes.error());
      files += "        - " + quoted(source.path) + "\n";
      hashes += "        " + quoted(source.path) + ": " + quoted(sha256_hex(*bytes)) + "\n";
    }
    const std::string task = "    task:\n      input_files:\n" + files + "      input_file_hashes:\n" + hashes +
                             "      specification: \"CHECK( init(main()), LTL(G ! data-race) )\"\n" +
                             "      data_model: " + quoted(program_.layout.pointer_bits == 32 ? "ILP32" : "LP64") +
                             "\n      language: \"C\"\n";
    return "- entry_type: " + quoted(type) +
           "\n  metadata:\n    format_version: \"2.2\"\n    uuid: " + quoted(uuid_of(task + content)) +
           "\n    creation_time: " + quoted(creation_time()) +
           "\n    producer:\n      name: \"heddle\"\n      version: \"0.1.0\"\n" + task + content;
  }

  static std::string waypoint(const char* type, const explore::Station& at, const std::string& constraint) {
    if (at.where.line == 0) return {};
    return std::string("    - waypoint:\n        type: \"") + type + "\"\n        action: \"follow\"\n" +
           "        thread_id: " + std::to_string(at.thread) + "\n" + constraint +
           "        location:\n          file_name: " + quoted(at.where.file) +
           "\n          line: " + std::to_string(at.where.line) + "\n          function: " + quoted(at.where.function) +
           "\n";
  }

  static std::string constraint_of(const std::string& value, const char* format) {
    return "        constraint:\n          value: " + quoted(value) + "\n          format: \"" + format + "\"\n";
  }

  static std::string waypoint_on_the_way(const explore::Station& at) {
    return waypoint("assumption", at, constraint_of("1", "c_expression"));
  }

  static std::string waypoint_of_input(const explore::Station& at) {
    return waypoint("function_return", at,
                    constraint_of("\\result == " + std::to_string(*at.given), "acsl_expression"));
  }

  static std::string target(const explore::Station& at) { return waypoint("target", at, {}); }

  const Input& input_;
  const Program& program_;
};

}  // namespace

Result<void> keep_witness(const Input& input, const Program& program, const api::ApiModels& models,
                          const race::Docket& docket, const std::string& file) {
  if (file.empty()) return {};
  Writer writer(input, program);
  const Verdict verdict = race::verdict_of(docket);
  if (verdict == Verdict::RaceFree) {
    const Result<std::string> text = writer.proof();
    return text ? write_file(file, *text) : std::unexpected(text.error());
  }
  for (const race::CaseFile& one : docket.cases) {
    const auto* confirmed = one.find<race::Confirmed>();
    if (confirmed == nullptr) continue;
    const explore::InterpretedProgram subject(program, models);
    const Result<explore::Stations> stations = explore::stations_of(subject, confirmed->schedule);
    if (!stations) return std::unexpected(stations.error());
    const Result<std::string> text = writer.violation(*stations);
    return text ? write_file(file, *text) : std::unexpected(text.error());
  }
  return {};
}

}  // namespace heddle::pipeline
