// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/entry_listing.h"

#include <algorithm>

#include "api/entry_words.h"
#include "host/json_reader.h"

namespace heddle::depend {
namespace {

using host::json_string;

/// The word that has `name` written behind it, where there is a number.
std::string numbered(const char* word, const std::optional<std::int64_t>& number) {
  return number ? ", " + std::string(word) + " " + std::to_string(*number) : std::string();
}

/// `main.c:12`: of a function there is no column.
std::string place_of(const Program& program, const SystemEntry& entry) {
  std::string place = program.where(program.functions[entry.function].location);
  if (place.ends_with(":0")) place.resize(place.size() - 2);
  return place;
}

std::string row_text(const Program& program, const System& system, std::size_t i) {
  const SystemEntry& entry = system.entries()[i];
  return system.name(i) + ": " + std::string(api::to_text(entry.kind)) + numbered("priority", entry.priority) +
         numbered("number", entry.number) + (entry.preemptable ? "" : ", not preemptable") +
         (entry.is_multiple ? ", several at once" : "") + "\n    at " + place_of(program, entry) +
         "\n    found: " + entry.found + "\n";
}

/// Two entries of one function are told apart by their priorities.
std::string shown_name(const System& system, std::size_t i) {
  const std::string& name = system.name(i);
  const auto& priority = system.entries()[i].priority;
  const auto same = [&](std::size_t k) { return k != i && system.name(k) == name; };
  for (std::size_t k = 0; k < system.entries().size(); ++k)
    if (same(k)) return name + " (" + (priority ? "priority " + std::to_string(*priority) : "no priority") + ")";
  return name;
}

std::string optional_number(const char* key, const std::optional<std::int64_t>& number) {
  return number ? ", \"" + std::string(key) + "\": " + std::to_string(*number) : std::string();
}

/// Whom an entry interrupts; and whom not, by reason.
std::string relation_text(const System& system, std::size_t a) {
  std::string yes;
  std::vector<std::pair<std::string, std::string>> no;  // reason, names
  for (std::size_t b = 0; b < system.entries().size(); ++b) {
    if (system.can_interrupt(a, b)) yes += (yes.empty() ? "" : ", ") + shown_name(system, b);
    if (a == b || system.can_interrupt(a, b)) continue;
    const std::string reason = system.why_not(a, b);
    const auto row = std::ranges::find(no, reason, &std::pair<std::string, std::string>::first);
    if (row == no.end())
      no.emplace_back(reason, shown_name(system, b));
    else
      row->second += ", " + shown_name(system, b);
  }
  std::string out = "  " + shown_name(system, a) + " interrupts " + (yes.empty() ? "nobody" : yes) + "\n";
  for (const auto& [reason, names] : no) out += "    not " + names + ": " + reason + "\n";
  return out;
}

std::string numbers_json(const System& system, std::size_t a) {
  std::string out;
  for (std::size_t b = 0; b < system.entries().size(); ++b)
    if (system.can_interrupt(a, b)) out += (out.empty() ? "" : ", ") + std::to_string(b);
  return "[" + out + "]";
}

std::string row_json(const Program& program, const System& system, std::size_t i) {
  const SystemEntry& entry = system.entries()[i];
  return "{\"function\": " + json_string(system.name(i)) + ", \"kind\": \"" + std::string(api::to_text(entry.kind)) +
         "\"" + optional_number("priority", entry.priority) + optional_number("number", entry.number) +
         ", \"preemptable\": " + (entry.preemptable ? "true" : "false") +
         ", \"several\": " + (entry.is_multiple ? "true" : "false") +
         ", \"place\": " + json_string(place_of(program, entry)) + ", \"found\": " + json_string(entry.found) +
         ", \"interrupts\": " + numbers_json(system, i) + "}";
}

}  // namespace

std::string entry_words(const System& system, std::size_t entry) {
  const SystemEntry& one = system.entries()[entry];
  std::string words = "'" + system.name(entry) + "' (" + std::string(api::to_text(one.kind));
  if (one.number) words += " " + std::to_string(*one.number);
  if (one.priority) words += ", priority " + std::to_string(*one.priority);
  return words + ")";
}

std::string entries_text(const Program& program, const System& system) {
  std::string out;
  for (std::size_t i = 0; i < system.entries().size(); ++i) out += row_text(program, system, i);
  if (system.entries().empty()) out += "there are no entries\n";
  out += "\nwho can interrupt whom, on " + std::to_string(system.cores()) + (system.cores() == 1 ? " core" : " cores") +
         ":\n";
  for (std::size_t i = 0; i < system.entries().size(); ++i) out += relation_text(system, i);
  if (!system.assumptions().empty()) out += "\nassumed, since nothing says otherwise:\n";
  for (const std::string& assumption : system.assumptions()) out += "  " + assumption + "\n";
  return out;
}

std::string entries_json(const Program& program, const System& system) {
  std::string out = "{\"version\": 1, \"cores\": " + std::to_string(system.cores()) + ",\n \"entries\": [";
  for (std::size_t i = 0; i < system.entries().size(); ++i)
    out += (i == 0 ? "\n  " : ",\n  ") + row_json(program, system, i);
  out += "],\n \"assumptions\": [";
  for (std::size_t i = 0; i < system.assumptions().size(); ++i)
    out += (i == 0 ? "\n  " : ",\n  ") + json_string(system.assumptions()[i]);
  return out + "]}\n";
}

}  // namespace heddle::depend
