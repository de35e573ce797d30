// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/schedule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/read_file.h"

namespace heddle::race {
namespace {

constexpr std::string_view magic = "heddle-schedule";
constexpr std::string_view version = "1";
constexpr const char* endings = "'race' line (or 'unordered', 'fails', 'deadlock', 'triple', 'in-steps')";

using Turn = Schedule::Turn;
constexpr std::array<std::pair<std::string_view, Turn::Kind>, 5> turn_words = {{{"raise", Turn::Kind::Raise},
                                                                                {"go", Turn::Kind::GoOn},
                                                                                {"pause", Turn::Kind::Pause},
                                                                                {"take", Turn::Kind::Take},
                                                                                {"pass", Turn::Kind::Pass}}};

struct Line {
  std::string_view word;
  std::string_view rest;
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

Line split(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return {text, {}};
  return {text.substr(0, space), trim(text.substr(space + 1))};
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty();
}

template <class A, class B>
bool read_pair(std::string_view text, A& a, B& b) {
  const Line parts = split(text);
  return read_number(parts.word, a) && read_number(parts.rest, b);
}

/// Two numbers, and behind them the mark of what was done, in hexadecimal.
template <class B>
bool read_marked_pair(std::string_view text, std::uint32_t& a, B& b, std::uint64_t& mark) {
  const Line first = split(text), rest = split(first.rest);
  if (!read_number(first.word, a) || !read_number(rest.word, b)) return false;
  if (rest.rest.empty()) return true;
  const auto [end, failure] = std::from_chars(rest.rest.data(), rest.rest.data() + rest.rest.size(), mark, 16);
  return failure == std::errc() && end == rest.rest.data() + rest.rest.size() && mark != 0;
}

/// An argument may hold anything: line feeds, and spaces at its ends, would not come back as they were.
std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == text.size();
    if (text[i] == '\\')
      out += "\\\\";
    else if (text[i] == '\n')
      out += "\\n";
    else if (text[i] == '\t' && is_end)
      out += "\\t";
    else if (text[i] == '\r' && is_end)
      out += "\\r";
    else if (text[i] == ' ' && is_end)
      out += "\\s";
    else
      out += text[i];
  }
  return out;
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view letters = "nstr", meant = "\n \t\r";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const std::size_t letter = letters.find(text[++i]);
    out += letter == std::string_view::npos ? text[i] : meant[letter];
  }
  return out;
}

/// Lines of schedules of real programs; false: it is none of these.
bool read_native_item(Schedule& schedule, const Line& line) {
  if (line.word == "native")
    schedule.is_native = true;
  else if (line.word == "seal")
    schedule.seal = line.rest;
  else if (line.word == "project")
    schedule.project = line.rest;
  else if (line.word == "target")
    schedule.target = line.rest;
  else if (line.word == "hook-all")
    schedule.hooks_all = true;
  else if (line.word == "tell-ways")
    schedule.tells_ways = true;
  else if (line.word == "input")
    schedule.input = unescaped(line.rest);
  else if (line.word == "argument")
    schedule.arguments.push_back(unescaped(line.rest));
  else
    return false;
  return true;
}

/// Lines of schedules of tasks and interrupts: what is wrong with it, nothing if it is empty; none: it is none of
/// these.
std::optional<std::string> read_turn(Schedule& schedule, const Line& line, bool& has_ending) {
  if (line.word == "oil") {
    schedule.oil = line.rest;
    return "";
  }
  if (line.word == "triple" || line.word == "in-steps") {
    if (line.rest.empty()) return "'" + std::string(line.word) + "' takes a triple";
    schedule.ending = Schedule::Ending::Triple;
    schedule.triple = line.rest;
    schedule.is_in_steps = line.word == "in-steps";
    has_ending = true;
    return "";
  }
  const auto known = std::ranges::find(turn_words, line.word, &std::pair<std::string_view, Turn::Kind>::first);
  if (known == turn_words.end()) return std::nullopt;
  Turn turn{.kind = known->second};
  const Line parts = split(line.rest);
  if (!read_number(parts.word, turn.line)) return "'" + std::string(line.word) + "' takes the number of a line";
  std::uint64_t value = 0;
  if (turn.kind == Turn::Kind::Raise) {
    turn.entry = parts.rest;
    if (turn.entry.empty()) return "'raise' takes the number of a line and an entry";
  } else if (turn.kind == Turn::Kind::GoOn && !parts.rest.empty()) {
    if (!read_number(parts.rest, value)) return "'go' takes the number of a line, and what is asked for there";
    turn.value = value;
  } else if (!parts.rest.empty()) {
    return "'" + std::string(line.word) + "' takes the number of a line and nothing else";
  }
  schedule.turns.push_back(std::move(turn));
  return "";
}

/// What is wrong with the line; empty if nothing.
std::string read_item(Schedule& schedule, const Line& line, bool& has_ending) {
  if (read_native_item(schedule, line)) return {};
  if (const auto wrong = read_turn(schedule, line, has_ending)) return *wrong;
  if (line.word == "program")
    schedule.program = line.rest;
  else if (line.word == "source")
    schedule.sources.emplace_back(line.rest);
  else if (line.word == "flag")
    schedule.flags.emplace_back(line.rest);
  else if (line.word == "profile")
    schedule.profiles.emplace_back(line.rest);
  else if (line.word == "models")
    schedule.models.emplace_back(line.rest);
  else if (line.word == "data-model") {
    if (line.rest != "ILP32" && line.rest != "LP64") return "the data model is ILP32 or LP64";
    schedule.data_model = line.rest;
  } else if (line.word == "threads") {
    if (!read_number(line.rest, schedule.max_threads)) return "'threads' takes a number";
  } else if (line.word == "value") {
    Schedule::Value value;
    if (!read_pair(line.rest, value.thread, value.value)) return "'value' takes a thread and a number";
    schedule.values.push_back(value);
  } else if (line.word == "run") {
    Schedule::Slice slice;
    if (!read_marked_pair(line.rest, slice.thread, slice.steps, slice.mark))
      return "'run' takes a thread and a number of steps";
    schedule.slices.push_back(slice);
  } else if (line.word == "race") {
    if (!read_marked_pair(line.rest, schedule.first_thread, schedule.second_thread, schedule.end_mark))
      return "'race' takes two threads";
    has_ending = true;
  } else if (line.word == "unordered") {
    if (!read_marked_pair(line.rest, schedule.first_thread, schedule.second_thread, schedule.end_mark))
      return "'unordered' takes two threads";
    schedule.ending = Schedule::Ending::Unordered;
    has_ending = true;
  } else if (line.word == "fails") {
    if (!read_number(line.rest, schedule.first_thread)) return "'fails' takes a thread";
    schedule.ending = Schedule::Ending::Failure;
    has_ending = true;
  } else if (line.word == "deadlock") {
    schedule.ending = Schedule::Ending::Deadlock;
    has_ending = true;
  } else {
    return "'" + std::string(line.word) + "' is no item of a schedule";
  }
  return {};
}

void write_native(std::ostream& out, const Schedule& schedule) {
  if (schedule.is_native) out << "native\n";
  if (!schedule.seal.empty()) out << "seal " << schedule.seal << '\n';
  if (!schedule.project.empty()) out << "project " << schedule.project << '\n';
  if (!schedule.target.empty()) out << "target " << schedule.target << '\n';
  if (schedule.hooks_all) out << "hook-all\n";
  if (schedule.tells_ways) out << "tell-ways\n";
  if (!schedule.input.empty()) out << "input " << escaped(schedule.input) << '\n';
  for (const std::string& argument : schedule.arguments) out << "argument " << escaped(argument) << '\n';
}

void write_turns(std::ostream& out, const Schedule& schedule) {
  if (!schedule.oil.empty()) out << "oil " << schedule.oil << '\n';
  for (const Turn& turn : schedule.turns) {
    out << std::ranges::find(turn_words, turn.kind, &std::pair<std::string_view, Turn::Kind>::second)->first << ' '
        << turn.line;
    if (!turn.entry.empty()) out << ' ' << turn.entry;
    if (turn.value) out << ' ' << *turn.value;
    out << '\n';
  }
  out << (schedule.is_in_steps ? "in-steps " : "triple ") << schedule.triple << '\n';
}

std::string mark_text(std::uint64_t mark) {
  std::ostringstream out;
  if (mark != 0) out << ' ' << std::hex << mark;
  return out.str();
}

}  // namespace

void Schedule::run(std::uint32_t thread, std::uint64_t steps) {
  if (slices.empty() || slices.back().thread != thread) slices.push_back({thread, 0});
  slices.back().steps += steps;
}

std::uint64_t Schedule::steps() const {
  std::uint64_t sum = 0;
  for (const Slice& slice : slices) sum += slice.steps;
  return sum;
}

std::string to_text(const Schedule& schedule) {
  std::ostringstream out;
  out << magic << ' ' << version << '\n';
  if (!schedule.program.empty()) out << "program " << schedule.program << '\n';
  for (const std::string& source : schedule.sources) out << "source " << source << '\n';
  for (const std::string& flag : schedule.flags) out << "flag " << flag << '\n';
  for (const std::string& file : schedule.models) out << "models " << file << '\n';
  for (const std::string& profile : schedule.profiles) out << "profile " << profile << '\n';
  if (!schedule.data_model.empty()) out << "data-model " << schedule.data_model << '\n';
  write_native(out, schedule);
  if (schedule.ending == Schedule::Ending::Triple) {
    write_turns(out, schedule);
    return out.str();
  }
  out << "threads " << schedule.max_threads << '\n';
  for (const Schedule::Value& value : schedule.values) out << "value " << value.thread << ' ' << value.value << '\n';
  for (const Schedule::Slice& slice : schedule.slices)
    out << "run " << slice.thread << ' ' << slice.steps << mark_text(slice.mark) << '\n';
  switch (schedule.ending) {
    case Schedule::Ending::Race:
      out << "race " << schedule.first_thread << ' ' << schedule.second_thread << mark_text(schedule.end_mark) << '\n';
      break;
    case Schedule::Ending::Unordered:
      out << "unordered " << schedule.first_thread << ' ' << schedule.second_thread << mark_text(schedule.end_mark)
          << '\n';
      break;
    case Schedule::Ending::Failure: out << "fails " << schedule.first_thread << '\n'; break;
    case Schedule::Ending::Deadlock: out << "deadlock\n"; break;
    case Schedule::Ending::Triple: break;
  }
  return out.str();
}

Result<Schedule> parse_schedule(std::string_view text, const std::string& name) {
  Schedule schedule;
  bool has_ending = false;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view content = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const auto wrong = [&](const std::string& what) {
      return error(name + ":" + std::to_string(number) + ": " + what);
    };
    const Line line = split(content);
    if (number == 1) {
      if (line.word != magic) return wrong("this is no schedule: it does not begin with 'heddle-schedule 1'");
      if (line.rest != version)
        return wrong("schedule version '" + std::string(line.rest) + "' is not known; this heddle reads version 1");
      continue;
    }
    if (content.empty() || content.starts_with('#')) continue;
    if (has_ending) return wrong("nothing may follow the " + std::string(endings));
    if (const std::string what = read_item(schedule, line, has_ending); !what.empty()) return wrong(what);
  }
  if (number == 0) return error(name + ":1: the file is empty; a schedule begins with 'heddle-schedule 1'");
  if (!has_ending) return error(name + ":" + std::to_string(number) + ": the schedule ends without its " + endings);
  return schedule;
}

Result<Schedule> read_schedule(const std::string& file) {
  const auto text = read_given_file(file);
  if (!text)
    return error(
        "'" + file + "' " + text.error().message +
        "; name a file that 'heddle verify --schedule', 'heddle explore --schedule' or 'heddle depend --keep' wrote");
  return parse_schedule(*text, file);
}

Result<void> write_schedule(const std::string& file, const Schedule& schedule) {
  std::ofstream out(file, std::ios::binary);
  if (!out) return error("'" + file + "' cannot be opened for writing; check that its folder exists and is writable");
  out << to_text(schedule);
  out.close();
  if (!out) return error("'" + file + "' could not be written completely; is the disk full?");
  return {};
}

}  // namespace heddle::race
