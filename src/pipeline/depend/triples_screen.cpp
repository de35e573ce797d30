// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/triples_screen.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "depend/risk/triple_words.h"
#include "depend/system/entry_listing.h"
#include "report/screen/layout.h"
#include "report/screen/shown.h"

namespace heddle::pipeline {
namespace {

constexpr std::size_t most_variables = 15, most_of_variable = 3;

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

class Screen {
 public:
  Screen(const TriplesShown& shown, std::size_t width)
      : shown_(shown), program_(shown.program), system_(shown.system), triples_(shown.triples), width_(width) {}

  std::string text(bool all) {
    std::string out;
    for (const std::string& what : system_.assumptions()) add(out, 0, "assumed: " + what);
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
    const auto kind = shown_.verdict(i) != nullptr ? shown_.verdict(i)->kind : depend::Verdict::Kind::NotDecided;
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
    for (std::size_t k = 0; k < std::min(most, group.size()); ++k) out += triple_text(group[k]);
    if (group.size() <= most) return out;
    const Global& variable = program_.globals[triples_.all[group[0]].first.variable];
    return out + std::to_string(group.size() - most) + " more of '" + std::string(variable.shown_name()) + "'\n";
  }

  [[nodiscard]] std::string triple_text(std::size_t index) const {
    const depend::Triple& triple = triples_.all[index];
    const depend::TripleWords words = depend::words_of(program_, system_, triple);
    std::string out = report::shown(depend::to_text(program_, triple)) + "\n";
    add(out, 4, words.title);
    add(out, 4,
        depend::entry_words(system_, triple.entry) + ", interrupted by " +
            depend::entry_words(system_, triple.interrupter));
    add(out, 4,
        place_words(program_, triple.first) + "; " + place_words(program_, triple.between) + "; " +
            place_words(program_, triple.second));
    const depend::Verdict* verdict = shown_.verdict(index);
    if (verdict == nullptr || verdict->kind != depend::Verdict::Kind::Refuted) {
      add(out, 4, "interval: " + words.interval);
      add(out, 4, "fix: " + words.fix);
    }
    if (verdict != nullptr) {
      add(out, 4, depend::to_text(*verdict));
      for (const std::string& line : verdict->story) add(out, 6, line);
    }
    return out;
  }

  void add(std::string& to, std::size_t indent, const std::string& text) const {
    for (const std::string& line : report::wrapped(report::shown(text), width_ - indent))
      to += std::string(indent, ' ') + line + "\n";
  }

  [[nodiscard]] std::string summary() const {
    std::string out;
    if (triples_.cut > 0)
      out += "of " + std::to_string(triples_.cut) + " variables not all triples are looked for: there are very many\n";
    if (shown_.verdicts.empty() && !triples_.all.empty()) out += "these were not run; --settle runs them\n";
    return out + (triples_.cut > 0 ? "at least " : "") + std::to_string(triples_.all.size()) +
           (triples_.all.size() == 1 ? " triple" : " triples") + " of accesses may be interrupted" +
           count_text(shown_.verdicts) + "\n";
  }

  const TriplesShown& shown_;
  const Program& program_;
  const depend::System& system_;
  const depend::Triples& triples_;
  std::size_t width_;
};

}  // namespace

std::string triples_screen(const TriplesShown& shown, bool all, std::size_t width) {
  return Screen(shown, width).text(all);
}

}  // namespace heddle::pipeline
