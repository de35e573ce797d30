// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/driver_result.h"

namespace heddle::explore {

void DriverResult::add(std::string_view name, std::string_view value) {
  text_ += name;
  text_ += ' ';
  for (const char c : value) {
    if (c == '\n')
      text_ += "\\n";
    else if (c == '\\')
      text_ += "\\\\";
    else
      text_ += c;
  }
  text_ += '\n';
}

void DriverResult::add(const ReportAccess& access) {
  add("access", access.kind);
  add("file", access.file);
  add("line", std::to_string(access.line));
  add("column", std::to_string(access.column));
  add("atomic", access.is_atomic ? "1" : "0");
  add("path", access.path);
  add("function", access.function);
  add("thread", access.thread);
  for (const std::string& lock : access.locks) add("lock", lock);
  for (const ReportFrame& frame : access.stack) add("frame", frame.function);
}

void DriverResult::add(const ConfirmedRace& race) {
  add("race", "");
  add("schedule", race::to_text(race.schedule));
  add("variable", race.race.variable);
  add("value", race.race.value);
  add("switches", std::to_string(race.race.context_switches));
  add("missing", race.race.missing);
  add("first-key", std::to_string(race.race.first_operation.key));
  add("second-key", std::to_string(race.race.second_operation.key));
  add(race.race.first);
  add(race.race.second);
  add("end", "");
}

}  // namespace heddle::explore
