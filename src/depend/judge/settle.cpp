// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/settle.h"

#include <algorithm>
#include <array>

#include "depend/judge/search.h"
#include "depend/judge/story.h"
#include "depend/risk/lock_steps.h"

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
    Story story(setting_);
    Gaps gaps;
    const Watch::State again = replay(
        setting_, triple_, result.schedule,
        [&](const Board& board, const Watch& watch, const Choice* choice) { story.add(board, watch, choice); }, gaps);
    const bool is_repeated = again.phase == Watch::Phase::Happened && is_same(again.first, result.made.first) &&
                             is_same(again.between, result.made.between) && is_same(again.second, result.made.second);
    if (!is_repeated) return {.why = "a schedule was found, and did not lead there again"};
    Verdict verdict{.kind = Verdict::Kind::Confirmed, .schedule = story.take()};
    for (const std::string& gap : gaps.unfollowed) verdict.schedule.push_back("taken for harmless: " + gap);
    return verdict;
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

/// What the board does not run: then no run is a proof that it happens. Empty: nothing.
std::string not_run(Setting& setting) {
  const Program& program = setting.program;
  LockSteps locks(program, setting.models, setting.facts.places, setting.facts.numbers);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const FunctionId id(f);
    const bool is_reached = std::ranges::any_of(setting.facts.reached, [&](const auto& by) { return by[f]; });
    const auto code = program.functions[id].instructions;
    for (std::size_t i = 0; is_reached && i < code.size(); ++i) {
      if (!code[i].is_call() && setting.system.mask_step(program.functions[id], code[i]))
        return "masks of a status register are not run";
      if (code[i].is_call() && locks.is_step(id, i)) return "locks of an operating system are not run";
    }
  }
  for (const SystemEntry& entry : setting.system.entries())
    if (setting.system.starts_masked(entry.function))
      return "'main' begins with all interrupts masked, which is not run";
  return {};
}

}  // namespace

std::vector<Verdict> settle(AccessFacts& facts, const std::vector<Triple>& triples, const SettleLimits& limits) {
  if (facts.system.cores() > 1) return std::vector<Verdict>(triples.size(), Verdict{.why = "several cores"});
  std::vector<Verdict> verdicts;
  if (triples.empty()) return verdicts;
  Setting setting(facts);
  std::uint64_t left = limits.steps;
  const auto end = std::chrono::steady_clock::now() + limits.time;
  for (std::size_t i = 0; i < triples.size(); ++i)
    if (triples[i].is_in_steps)
      verdicts.push_back(Verdict{.why = "the interpreter makes this access in one step"});
    else if (facts.program.globals[triples[i].first.variable].is_declaration())
      verdicts.push_back(Verdict{.why = "its memory is not in the program"});
    else
      verdicts.push_back(Settler(setting, triples[i]).run(left, left / (triples.size() - i), end));
  if (const std::string why = not_run(setting); !why.empty())
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
