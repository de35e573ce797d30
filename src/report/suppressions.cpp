// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/suppressions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/read_file.h"
#include "report/report_reader.h"
#include "report/short_names.h"

namespace heddle::report {
namespace {

/// '*' stands for anything; the whole text has to match.
bool matches_whole(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The reason that a comment on the line gives, perhaps an empty one; none: there is no such comment.
std::optional<std::string_view> reason_in(std::string_view line) {
  constexpr std::string_view mark = "heddle: ignore";
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view reason = line.substr(at + mark.size());
  if (const std::size_t end = reason.find("*/"); end != std::string_view::npos) reason = reason.substr(0, end);
  while (!reason.empty() && std::string_view(",:;- \t").contains(reason.front())) reason.remove_prefix(1);
  return trimmed(reason);
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::string whole;
  if (pattern.starts_with('^'))
    pattern.remove_prefix(1);
  else
    whole = "*";
  if (pattern.ends_with('$'))
    whole += pattern.substr(0, pattern.size() - 1);
  else
    whole += std::string(pattern) + "*";
  return matches_whole(whole, text);
}

Result<void> Suppressions::add_text(std::string_view text, const std::string& file) {
  constexpr std::array<std::string_view, 6> others{
      "thread:", "mutex:", "signal:", "deadlock:", "called_from_lib:", "fiber:"};
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::string place = file + ":" + std::to_string(number);
    if (std::ranges::any_of(others, [&](std::string_view kind) { return line.starts_with(kind); })) continue;
    const bool top_only = line.starts_with("race_top:");
    if (!top_only && !line.starts_with("race:"))
      return error(place + ": '" + std::string(line) + "' is no suppression; write race:PATTERN");
    const std::string_view pattern = trimmed(line.substr(line.find(':') + 1));
    if (pattern.empty()) return error(place + ": the pattern is missing; write race:PATTERN");
    rules_.push_back({std::string(pattern), place + ": " + std::string(line), top_only, 0});
  }
  return {};
}

void Suppressions::apply(RaceReport& report) {
  SourceLines sources;
  for (ReportRace& race : report.races) {
    for (Rule& rule : rules_) {
      const auto hits = [&](const ReportFrame& frame) {
        return matches_pattern(rule.pattern, frame.function) || matches_pattern(rule.pattern, frame.file);
      };
      bool is_hit = matches_pattern(rule.pattern, race.variable) || matches_pattern(rule.pattern, "id:" + race.id);
      for (const ReportAccess& access : race.accesses) {
        is_hit = is_hit || matches_pattern(rule.pattern, access.function) || matches_pattern(rule.pattern, access.file);
        if (!rule.top_only) is_hit = is_hit || std::ranges::any_of(access.stack, hits);
      }
      if (!is_hit) continue;
      ++rule.used;
      if (race.suppressed.empty()) race.suppressed = rule.place;
    }
    for (const ReportAccess& access : race.accesses) {
      apply_comment(race, {access.file, access.line, 0, {}}, sources);
      apply_comment(race, user_frame(access), sources);
    }
  }
}

void Suppressions::apply_comment(ReportRace& race, const ReportFrame& at, SourceLines& sources) {
  const auto reason = reason_in(sources.line(at.file, at.line));
  if (!reason) return;
  const std::string place = at.file + ":" + std::to_string(at.line);
  if (reason->empty())
    without_reason_.insert(place);
  else if (race.suppressed.empty())
    race.suppressed = place + ": " + std::string(*reason);
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> out;
  for (const Rule& rule : rules_)
    if (rule.used == 0) out.push_back(rule.place);
  return out;
}

Result<std::vector<std::string>> compare_with_baseline(RaceReport& report, const std::string& file) {
  const auto text = read_given_file(file);
  if (!text)
    return error("--baseline '" + file + "' " + text.error().message + "; give the report.json of an earlier run");
  const auto old = read_json(*text);
  if (!old) return error("--baseline '" + file + "' " + old.error().message);
  std::set<std::string> known;
  for (const ReportRace& race : old->races) known.insert(race.id);
  std::set<std::string> left = known;
  for (ReportRace& race : report.races) {
    race.baseline = known.contains(race.id) ? "unchanged" : "new";
    left.erase(race.id);
  }
  return std::vector<std::string>(left.begin(), left.end());
}

}  // namespace heddle::report
