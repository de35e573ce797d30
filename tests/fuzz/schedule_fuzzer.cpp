// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a schedule: a message with its place, or a schedule that reads back as it was written. An empty corpus
// folder gets a schedule of each ending first. Build with the preset `fuzz`, target schedule_fuzzer.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "race/schedule.h"

namespace {

namespace fs = std::filesystem;
using heddle::race::Schedule;

void must(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) {
    const fs::path folder = (*words)[i];
    if (!fs::is_directory(folder) || !fs::is_empty(folder)) continue;
    for (const auto ending :
         {Schedule::Ending::Race, Schedule::Ending::Unordered, Schedule::Ending::Failure, Schedule::Ending::Deadlock}) {
      Schedule schedule;
      schedule.program = std::string(32, 'a');
      schedule.sources = {"a.c", "b c.c"};
      schedule.flags = {"-DN=2"};
      schedule.data_model = "ILP32";
      schedule.profiles = {"sv-comp"};
      schedule.values = {{1, 7}};
      schedule.slices = {{0, 12}, {1, 3}};
      schedule.ending = ending;
      schedule.second_thread = 1;
      std::ofstream(folder / std::to_string(static_cast<int>(ending))) << heddle::race::to_text(schedule);
    }
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto schedule = heddle::race::parse_schedule(text, "fuzz");
  if (!schedule) {
    must(schedule.error().message.starts_with("fuzz:"));
    return 0;
  }
  const std::string written = heddle::race::to_text(*schedule);
  const auto again = heddle::race::parse_schedule(written, "again");
  must(again.has_value() && heddle::race::to_text(*again) == written);
  static_cast<void>(schedule->steps());
  return 0;
}
