// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/find_cases.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "race/build_report.h"
#include "topdown/cases/evidence.h"

namespace heddle::topdown {
namespace {

using race::Access;
using race::Warning;

class CaseFinder {
 public:
  CaseFinder(const Program& program, const TopDownResult& result, const PairLimits& limits)
      : program_(program), result_(result) {
    if (!result.gave_up) pairs_ = find_racing_pairs(result, limits);
    of_a_variable_ = limits.listed;
  }

  race::Docket run() {
    race::Docket docket;
    docket.is_exhaustive = !result_.gave_up && !pairs_.gave_up;
    sort_by_place();
    for (const Warning& w : pairs_.listed) docket.cases.push_back({w});
    docket.obstacles = obstacles();
    for (const UnlistedPairs& more : pairs_.unlisted) docket.not_listed += more.count;
    add_unlisted(docket.obstacles);
    docket.assumptions.assign(result_.assumptions.begin(), result_.assumptions.end());
    docket.coverage = coverage();
    return docket;
  }

 private:
  /// By the places of the two accesses; equal ones, such as two loads in one expression, by what they are.
  void sort_by_place() {
    using Place = std::tuple<std::string, std::uint32_t, std::uint32_t>;
    const auto frame = [&](const Access& a) {
      const ReportFrame at = race::frame_of(program_, {a.function, a.instruction});
      return Place(at.file, at.line, at.column);
    };
    std::map<Place, std::uint32_t> ranks;
    std::map<std::tuple<FunctionId, std::uint32_t>, Place> places;
    for (const Warning& w : pairs_.listed)
      for (const Access& a : {w.first, w.second})
        if (const auto [at, is_new] = places.try_emplace({a.function, a.instruction}); is_new)
          ranks.try_emplace(at->second = frame(a));
    std::uint32_t next = 0;
    for (auto& [place, rank] : ranks) rank = next++;
    const auto at = [&](const Access& a) { return ranks.at(places.at({a.function, a.instruction})); };
    const auto what = [](const Access& a) { return std::tuple(a.function, a.instruction, a.kind); };
    std::ranges::sort(pairs_.listed, {}, [&](const Warning& w) {
      return std::tuple(at(w.first), at(w.second), what(w.first), what(w.second));
    });
  }

  /// Pairs that are not listed are in the way of a proof like everything else that was not looked at.
  void add_unlisted(std::vector<race::Obstacle>& out) const {
    std::uint64_t count = 0;
    std::set<std::string> names;
    for (const UnlistedPairs& more : pairs_.unlisted) {
      count += more.count;
      names.insert(result_.universe->describe(result_.accesses[more.access].target.object));
    }
    if (!names.empty()) {
      const std::string others = names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : "";
      out.push_back({race::Obstacle::Kind::Analysis,
                     {},
                     (count == 0 ? "there may be more" : "at least " + std::to_string(count) + " more") +
                         " pairs of accesses that nothing separates, to " + *names.begin() + others +
                         ": of each variable " + std::to_string(of_a_variable_) + " are listed"});
    }
    if (pairs_.gave_up)
      out.push_back({race::Obstacle::Kind::Analysis,
                     {},
                     "the accesses are too many to compare (" + std::to_string(pairs_.compared) +
                         " pairs of groups were): the warnings are not all"});
  }

  [[nodiscard]] std::vector<race::Obstacle> obstacles() const {
    std::set<std::pair<std::string, std::string>> said;
    for (const Obstacle& o : result_.obstacles) {
      const Function& f = program_.functions[result_.threads->contexts[o.context].function];
      const LocationId id =
          o.instruction < f.instructions.size() ? f.instructions[o.instruction].location : LocationId{};
      said.emplace(program_.where(id ? id : f.location), o.what);
    }
    std::vector<race::Obstacle> out;
    for (const auto& [where, what] : said) out.push_back({race::Obstacle::Kind::Analysis, where, what});
    return out;
  }

  [[nodiscard]] ReportCoverage coverage() const {
    ReportCoverage out = race::coverage_of(program_);
    out.threads = result_.threads->threads.size();
    out.functions_reached = result_.reached.size();
    return out;
  }

  const Program& program_;
  const TopDownResult& result_;
  RacingPairs pairs_;
  std::uint32_t of_a_variable_ = 0;
};

}  // namespace

race::Docket find_cases(const Program& program, const TopDownResult& result, const PairLimits& limits) {
  return CaseFinder(program, result, limits).run();
}

}  // namespace heddle::topdown
