// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a report.json: a message, or a report that every writer can write, in JSON and as bytes so that it reads
// back. An empty corpus folder gets a small report first. Build with the preset `fuzz`, target report_fuzzer.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "report/report_form.h"
#include "report/report_reader.h"
#include "report/report_writer.h"
#include "report/screen/shown.h"

namespace {

namespace fs = std::filesystem;
using heddle::RaceReport;

void must(bool condition) {
  if (!condition) std::abort();
}

RaceReport sample() {
  RaceReport report;
  heddle::ReportRace race;
  race.id = "3f2a00112233";
  race.variable = "hits";
  heddle::ReportAccess access;
  access.file = "/dev/null";
  access.line = 3;
  access.function = "run";
  race.accesses = {access, access};
  report.races = {race};
  return report;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) {
    const fs::path folder = (*words)[i];
    if (!fs::is_directory(folder) || !fs::is_empty(folder)) continue;
    std::ofstream out(folder / "sample");
    heddle::report::write_json(out, sample());
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto report = heddle::report::read_json(text);
  if (!report) {
    must(!report.error().message.empty());
    return 0;
  }
  const std::string bytes = heddle::to_bytes(*report);
  const auto same = heddle::report_of_bytes(bytes);
  must(same.has_value() && heddle::to_bytes(*same) == bytes);
  // What a project may name is not read: its files would be the fuzzer's machine.
  for (heddle::ReportRace& race : report->races)
    for (heddle::ReportAccess& access : race.accesses) access.file = "/dev/null";
  std::ostringstream out;
  heddle::report::write_text(out, heddle::report::shown(*report));
  heddle::report::write_sarif(out, *report);
  std::ostringstream json;
  heddle::report::write_json(json, *report);
  must(heddle::report::read_json(json.str()).has_value());
  return 0;
}
