// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/settle.h"

#include <algorithm>
#include <array>

#include "depend/judge/replay.h"
#include "depend/judge/search.h"
#include "program/model/device_register.h"

namespace heddle::depend {
namespace {

bool is_same(const Watch::Made& a, const Watch::Made& b) {
  return a.seen.address == b.seen.address && a.seen.size == b.seen.size && a.seen.value == b.seen.value &&
         a.entry == b.entry;
}

class Settler {
 public:
  Settler(Setting& setting, const Triple& triple) : setting_(setting), triple_(triple) {}

  /// `steps` is what it may take; what it took is subtracted.
  Verdict run(std::uint64_t& steps, std::uint64_t share, std::chrono::steady_clock::time_point end) {
    // Few raises and short ways first: short schedules are found at once, and most triples need no more than two runs.
    constexpr std::array<SearchLimits, 5> levels = {
        {{.raises = 2, .depth = 40}, {.raises = 2, .depth = 400}, {.raises = 3, .depth = 400}, {.raises = 5}, {}}};
    SearchResult result;
    for (SearchLimits limits : levels) {
      gaps_ = {};
      limits.steps = limits.raises ? share / 8 : share;
      limits.end = end;
      result = search(setting_, triple_, limits, gaps_);
      steps -= std::min(steps, result.steps);
      share -= std::min(share, result.steps);
      if (result.kind == SearchResult::Kind::Found) return confirm(result);
      if (result.kind == SearchResult::Kind::Nothing) break;
    }
    return verdict_of(result);
  }

 private:
  Verdict confirm(const SearchResult& result) {
    Result<Retold> again = retell(setting_, triple_, result.schedule);
    const bool is_repeated = again && is_same(again->end.first, result.made.first) &&
                             is_same(again->end.between, result.made.between) &&
                             is_same(again->end.second, result.made.second);
    if (!is_repeated) return {.why = "a schedule was found, and did not lead there again"};
    return {.kind = Verdict::Kind::Confirmed, .story = std::move(again->story), .turns = result.schedule};
  }

  [[nodiscard]] Verdict verdict_of(const SearchResult& result) const {
    if (result.kind == SearchResult::Kind::OutOfTime) return {.why = "the time is over"};
    if (result.kind != SearchResult::Kind::Nothing) return {.why = "there are too many runs to see them all"};
    if (gaps_.empty()) return {.kind = Verdict::Kind::Refuted};
    return {.why = gaps_.unfollowed.empty() ? *gaps_.untried.begin() : *gaps_.unfollowed.begin()};
  }

  Setting& setting_;
  const Triple& triple_;
  Gaps gaps_;
};

/// `car.speed` and `car.copy`
bool has_parts(const Triple& triple) {
  return triple.is_pair() && (triple.first_name + triple.second_name).find_first_of(".[") != std::string::npos;
}

}  // namespace

std::vector<Verdict> settle(AccessFacts& facts, const std::vector<Triple>& triples, const SettleLimits& limits) {
  if (facts.system.cores() > 1) return std::vector<Verdict>(triples.size(), Verdict{.why = "several cores"});
  std::vector<Verdict> verdicts;
  if (triples.empty()) return verdicts;
  Setting setting(facts);
  std::uint64_t left = limits.steps;
  const auto end = std::chrono::steady_clock::now() + limits.time;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    if (has_parts(triples[i])) {
      verdicts.push_back({.why = "a run does not tell the parts of one variable apart that hold the same information"});
      continue;
    }
    verdicts.push_back(Settler(setting, triples[i]).run(left, left / (triples.size() - i), end));
    const Global& variable = facts.program.globals[triples[i].first.variable];
    if (verdicts.back().kind == Verdict::Kind::Refuted && variable.is_declaration() && !device_address(variable))
      verdicts.back() = {.why = "its memory is not in the program"};
  }
  if (const std::string why = why_not_run(setting); !why.empty())
    for (Verdict& verdict : verdicts)
      if (verdict.kind == Verdict::Kind::Confirmed) verdict = {.why = why};
  return verdicts;
}

std::string to_text(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::Confirmed: return "confirmed";
    case Verdict::Kind::Refuted: return "refuted";
    case Verdict::Kind::NotDecided: return "not decided: " + verdict.why;
  }
  return "";
}

}  // namespace heddle::depend
