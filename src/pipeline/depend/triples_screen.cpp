// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/triples_screen.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "depend/system/entry_listing.h"

namespace heddle::pipeline {
namespace {

constexpr std::size_t most_variables = 15, most_of_variable = 3;

/// `    confirmed`, with what happened behind it; nothing if nobody asked.
std::string verdict_text(const std::vector<depend::Verdict>& verdicts, std::size_t triple) {
  if (triple >= verdicts.size()) return "";
  std::string out = "    " + depend::to_text(verdicts[triple]) + "\n";
  for (const std::string& line : verdicts[triple].schedule) out += "      " + line + "\n";
  return out;
}

/// `file.c:50 in 'task'`: lines alone say little where there are several files.
std::string place_words(const Program& program, const depend::Access& access) {
  const Function& function = program.functions[access.function];
  const std::string place = program.where(function.instructions[access.instruction].location);
  return place.substr(0, place.rfind(':')) + " in '" + std::string(function.shown_name()) + "'";
}

/// `: 2 confirmed, 1 refuted, 0 not decided`
std::string count_text(const std::vector<depend::Verdict>& verdicts) {
  if (verdicts.empty()) return "";
  using Kind = depend::Verdict::Kind;
  const auto count = [&](Kind kind) {
    return std::to_string(std::ranges::count(verdicts, kind, &depend::Verdict::kind));
  };
  return ": " + count(Kind::Confirmed) + " confirmed, " + count(Kind::Refuted) + " refuted, " +
         count(Kind::NotDecided) + " not decided";
}

std::uint32_t line_of(const Program& program, const depend::Access& access) {
  const LocationId at = program.functions[access.function].instructions[access.instruction].location;
  return at ? program.locations[at].line : 0;
}

class Screen {
 public:
  Screen(const Program& program, const depend::System& system, const depend::Triples& triples,
         const std::vector<depend::Verdict>& verdicts)
      : program_(program), system_(system), triples_(triples), verdicts_(verdicts) {}

  std::string text(bool all) {
    std::string out;
    for (const std::string& what : system_.assumptions()) out += "assumed: " + what + "\n";
    if (!triples_.all.empty() && !out.empty()) out += "\n";
    std::size_t shown = 0, left = 0, variables_left = 0;
    for (const std::vector<std::size_t>& group : groups()) {
      if (!all && shown == most_variables) {
        left += group.size();
        ++variables_left;
        continue;
      }
      ++shown;
      out += group_text(group, all ? group.size() : most_of_variable);
    }
    if (left > 0)
      out += std::to_string(left) + " more of " + std::to_string(variables_left) +
             (variables_left == 1 ? " other variable" : " other variables") + ": --all lists them\n";
    return out + summary();
  }

 private:
  /// Confirmed before others, refuted last; then close together before far apart.
  [[nodiscard]] std::tuple<int, bool, std::uint32_t, std::size_t> rank(std::size_t i) const {
    const depend::Triple& triple = triples_.all[i];
    const auto kind = i < verdicts_.size() ? verdicts_[i].kind : depend::Verdict::Kind::NotDecided;
    const int order = kind == depend::Verdict::Kind::Confirmed ? 0 : kind == depend::Verdict::Kind::NotDecided ? 1 : 2;
    const std::uint32_t a = line_of(program_, triple.first), b = line_of(program_, triple.second);
    return {order, triple.first.function != triple.second.function, a < b ? b - a : a - b, i};
  }

  /// By variables, each with its best first.
  [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const {
    std::map<std::pair<GlobalId, GlobalId>, std::vector<std::size_t>> by;
    for (std::size_t i = 0; i < triples_.all.size(); ++i)
      by[{triples_.all[i].first.variable, triples_.all[i].second.variable}].push_back(i);
    std::vector<std::vector<std::size_t>> out;
    const auto rank_of = [&](std::size_t i) { return rank(i); };
    for (auto& [variables, group] : by) {
      std::ranges::sort(group, {}, rank_of);
      out.push_back(std::move(group));
    }
    std::ranges::sort(out, {}, [&](const auto& group) { return rank(group.front()); });
    return out;
  }

  [[nodiscard]] std::string group_text(const std::vector<std::size_t>& group, std::size_t most) const {
    std::string out;
    for (std::size_t k = 0; k < std::min(most, group.size()); ++k) {
      const depend::Triple& triple = triples_.all[group[k]];
      out += depend::to_text(program_, triple) + "\n    " + depend::entry_words(system_, triple.entry) +
             ", interrupted by " + depend::entry_words(system_, triple.interrupter) + "\n    " +
             place_words(program_, triple.first) + "; " + place_words(program_, triple.between) + "; " +
             place_words(program_, triple.second) + "\n" + verdict_text(verdicts_, group[k]);
    }
    if (group.size() <= most) return out;
    const Global& variable = program_.globals[triples_.all[group[0]].first.variable];
    return out + std::to_string(group.size() - most) + " more of '" + std::string(variable.shown_name()) + "'\n";
  }

  [[nodiscard]] std::string summary() const {
    std::string out;
    if (triples_.cut > 0)
      out += "of " + std::to_string(triples_.cut) + " variables not all triples are looked for: there are very many\n";
    if (verdicts_.empty() && !triples_.all.empty()) out += "these were not run; --settle runs them\n";
    return out + (triples_.cut > 0 ? "at least " : "") + std::to_string(triples_.all.size()) +
           (triples_.all.size() == 1 ? " triple" : " triples") + " of accesses may be interrupted" +
           count_text(verdicts_) + "\n";
  }

  const Program& program_;
  const depend::System& system_;
  const depend::Triples& triples_;
  const std::vector<depend::Verdict>& verdicts_;
};

}  // namespace

std::string triples_screen(const Program& program, const depend::System& system, const depend::Triples& triples,
                           const std::vector<depend::Verdict>& verdicts, bool all) {
  return Screen(program, system, triples, verdicts).text(all);
}

}  // namespace heddle::pipeline
