// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/triple_words.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "program/names/access_name.h"

namespace heddle::depend {
namespace {

std::string lines_of(const Interval& interval) {
  return interval.from == interval.to
             ? "at line " + std::to_string(interval.from)
             : "from line " + std::to_string(interval.from) + " to line " + std::to_string(interval.to);
}

/// What to do in the code, apart from keeping the other one out.
std::string change_of(const std::string& first, const std::string& second, const Triple& triple) {
  if (first != second)
    return triple.first_writes ? "write both under that mask" : "copy both under that mask and use the copies";
  if (triple.is_in_steps) return triple.first_writes ? "write it under that mask" : "copy it under that mask";
  if (!triple.between_writes) return "make the value in a local variable and write '" + first + "' once";
  if (!triple.first_writes && !triple.second_writes) return "read '" + first + "' once into a local copy and use that";
  return triple.first_writes ? "keep the value in a local variable and use that instead of reading '" + first + "'"
                             : "make the update of '" + first + "' one atomic step";
}

}  // namespace

Interval interval_of(const Program& program, const Way& way) {
  const std::uint32_t from = line_of(program, way.function, way.first), to = line_of(program, way.function, way.second);
  return {std::string(program.functions[way.function].shown_name()), std::min(from, to), std::max(from, to)};
}

std::string to_text(const Interval& interval) {
  return interval.function.empty() ? "between the two accesses" : interval.function + ", " + lines_of(interval);
}

std::string title_of(const std::string& first, const std::string& second, const Triple& triple) {
  if (first != second)
    return triple.first_writes ? "'" + first + "' and '" + second + "' may be seen half written"
                               : "'" + first + "' and '" + second + "' may be read of different writes";
  if (triple.is_in_steps)
    return triple.first_writes ? "'" + first + "' may be seen half written, since it is written in several steps"
                               : "'" + first + "' may be read half old, half new, since it is read in several steps";
  if (!triple.between_writes) return "'" + first + "' may be seen half done between two writes";
  if (!triple.first_writes && !triple.second_writes) return "two reads of '" + first + "' may find different values";
  return triple.first_writes ? "'" + first + "' may be read with another value than was written"
                             : "what was written to '" + first + "' after it was read may be lost";
}

std::string fix_of(const System& system, const Interval& interval, const std::string& first, const std::string& second,
                   const Triple& triple, std::span<const std::size_t> interrupters) {
  std::vector<std::string> names;
  for (const std::size_t one : interrupters) {
    const std::string name = "'" + system.name(one) + "'";
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string who;
  for (const std::string& name : names) who += (who.empty() ? "" : ", ") + name;
  const std::string where = interval.function.empty() ? "from the first access to the second"
                                                      : "in " + interval.function + " " + lines_of(interval);
  const std::string mask = "mask " + who + " " + where, change = change_of(first, second, triple);
  return (first != second || triple.is_in_steps ? mask + ": " + change : change + "; or " + mask) +
         ". volatile is not enough: both accesses are made then, and the interruption still comes between them";
}

TripleWords words_of(const Program& program, const System& system, const Triple& triple) {
  const std::string name(program.globals[triple.first.variable].shown_name());
  const std::string& first = triple.is_pair() ? triple.first_name : name;
  const std::string& second = triple.is_pair() ? triple.second_name : name;
  const Interval interval = interval_of(program, triple.way);
  return {title_of(first, second, triple), to_text(interval),
          fix_of(system, interval, first, second, triple, {&triple.interrupter, 1})};
}

std::string triple_id(std::span<const std::string> parts) {
  std::string text = "depend";
  for (const std::string& part : parts) text += "\n" + part;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(access_number(text)));
  return digits.data();
}

}  // namespace heddle::depend
