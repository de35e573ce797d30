// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/answer.h"

#include <algorithm>
#include <charconv>

namespace heddle::explore {
namespace {

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && end == text.data() + text.size();
}

std::string_view take_word(std::string_view& text) {
  const std::size_t length = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return word;
}

bool add_module(std::string_view text, std::vector<LoadedModule>& modules) {
  LoadedModule module;
  if (!read_number(take_word(text), module.begin) || !read_number(take_word(text), module.end)) return false;
  module.file = text;
  modules.push_back(std::move(module));
  return true;
}

/// Of the access that was begun last.
bool add_to_access(ReportAccess& access, std::string_view name, const std::string& value) {
  if (name == "file") access.file = value;
  if (name == "line") return read_number(value, access.line);
  if (name == "column") return read_number(value, access.column);
  if (name == "atomic") access.is_atomic = value == "1";
  if (name == "path") access.path = value;
  if (name == "function") access.function = value;
  if (name == "thread") access.thread = value;
  if (name == "lock") access.locks.push_back(value);
  if (name == "frame") {
    ReportFrame& frame = access.stack.emplace_back();
    frame.function = value;
  }
  return true;
}

/// Lines between `race` and `end`.
bool add_to_race(AnsweredRace& race, std::string_view name, const std::string& value) {
  if (name == "schedule") {
    Result<race::Schedule> schedule = race::parse_schedule(value, "schedule");
    if (!schedule) return false;
    race.schedule = std::move(*schedule);
    return true;
  }
  if (name == "variable") race.variable = value;
  if (name == "value") race.value = value;
  if (name == "missing") race.missing = value;
  if (name == "first-key") return read_number(value, race.keys.first);
  if (name == "second-key") return read_number(value, race.keys.second);
  if (name == "switches") return read_number(value, race.switches);
  if (name == "access") {
    race.accesses.emplace_back();
    race.accesses.back().kind = value;
    return true;
  }
  return race.accesses.empty() || add_to_access(race.accesses.back(), name, value);
}

bool add_fact(DriverAnswer& answer, std::string_view name, const std::string& value) {
  if (name == "module") return add_module(value, answer.modules);
  if (name == "verdict") answer.verdict = value;
  if (name == "why") answer.why = value;
  if (name == "runs") return read_number(value, answer.runs);
  if (name == "executions") return read_number(value, answer.executions);
  if (name == "events") return read_number(value, answer.events);
  answer.facts.emplace_back(name, value);
  return true;
}

}  // namespace

Result<DriverAnswer> parse_answer(std::string_view text) {
  DriverAnswer answer;
  bool in_race = false, is_whole = false;
  AnsweredRace race;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return error("the driver's answer is cut off");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::string_view name = take_word(line);
    const std::string value = unescaped(line);
    bool is_fine = true;
    if (name == "error") return error(value);
    if (name == "done") is_whole = true;
    if (name == "race") {
      in_race = true;
      race = {};
    } else if (name == "end") {
      in_race = false;
      if (race.accesses.size() != 2) return error("the driver's answer has a race without two sides");
      if (answer.race)
        answer.more_races.push_back(std::move(race));
      else
        answer.race = std::move(race);
    } else if (in_race) {
      is_fine = add_to_race(race, name, value);
    } else {
      is_fine = add_fact(answer, name, value);
    }
    if (!is_fine) return error("the driver's answer has a line that is not understood: " + std::string(name));
  }
  if (!is_whole || in_race) return error("the driver's answer is cut off");
  return answer;
}

}  // namespace heddle::explore
