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

bool read_key(std::string_view text, std::uint64_t& key) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), key, 16);
  return failure == std::errc() && end == text.data() + text.size();
}

/// Of the task `hunt`. Nothing: the line is none of these.
std::optional<bool> add_hunted(DriverAnswer& answer, AnsweredRace& next, std::string_view name,
                               std::string_view value) {
  if (name == "pair") return read_key(take_word(value), next.first_access) && read_key(value, next.second_access);
  if (name == "begun") {
    answer.begun.stage = take_word(value);
    return read_number(value, answer.begun.number);
  }
  if (name == "made") return read_number(value, answer.reached.emplace_back());
  return std::nullopt;
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

/// Reads line after line, as far as they are whole.
class AnswerReader {
 public:
  /// False: it cannot be read any further.
  bool read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == std::string_view::npos) return false;
      if (!read_line(text.substr(0, end))) return false;
      text.remove_prefix(end + 1);
    }
    return true;
  }

  [[nodiscard]] bool is_whole() const { return is_done_ && !in_race_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] DriverAnswer take() {
    if (!answer_.races.empty()) answer_.race = answer_.races.front();
    return std::move(answer_);
  }

 private:
  bool read_line(std::string_view line) {
    const std::string_view name = take_word(line);
    const std::string value = unescaped(line);
    if (name == "error") return fail(value);
    if (name == "done") is_done_ = true;
    if (name == "race") {
      in_race_ = true;
      return true;
    }
    if (name == "end") return end_race();
    std::optional<bool> is_fine = in_race_ ? add_to_race(next_, name, value) : add_hunted(answer_, next_, name, value);
    if (!is_fine) is_fine = add_fact(answer_, name, value);
    return *is_fine || fail("the driver's answer has a line that is not understood: " + std::string(name));
  }

  bool end_race() {
    in_race_ = false;
    if (next_.accesses.size() != 2) return fail("the driver's answer has a race without two sides");
    answer_.races.push_back(std::move(next_));
    next_ = AnsweredRace();
    return true;
  }

  bool fail(std::string why) {
    failure_ = std::move(why);
    return false;
  }

  DriverAnswer answer_;
  AnsweredRace next_;
  std::string failure_;
  bool in_race_ = false, is_done_ = false;
};

}  // namespace

Result<DriverAnswer> parse_answer(std::string_view text) {
  AnswerReader reader;
  const bool was_read = reader.read(text);
  if (!reader.failure().empty()) return error(reader.failure());
  if (!was_read || !reader.is_whole()) return error("the driver's answer is cut off");
  return reader.take();
}

DriverAnswer parse_cut_answer(std::string_view text, std::string& failure) {
  AnswerReader reader;
  reader.read(text);
  failure = reader.failure();
  return reader.take();
}

}  // namespace heddle::explore
