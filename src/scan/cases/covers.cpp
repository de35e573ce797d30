// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/cases/covers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "locks/consistency.h"
#include "scan/summarise/access_bounds.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

/// An access, whoever leads there.
struct Place {
  FunctionId function;
  std::uint32_t instruction = 0;
  AccessKind kind = AccessKind::Read;
  friend auto operator<=>(const Place&, const Place&) = default;
};

class CoverSearch {
 public:
  CoverSearch(const ScanFacts& facts, const Suspicions& suspicions, CoverBy by)
      : facts_(facts), suspicions_(suspicions), by_(by), summariser_(facts.input, facts.summaries) {
    for (std::uint32_t i = 0; i < suspicions.all.size(); ++i) {
      const Place first = place_of(suspicions.all[i].first), second = place_of(suspicions.all[i].second);
      numbers_.try_emplace({first, second}, i);
      numbers_.try_emplace({second, first}, i);
    }
  }

  Covers run() {
    Covers out(suspicions_.all.size());
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const Place first = place_of(suspicions_.all[i].first), second = place_of(suspicions_.all[i].second);
      out[i] = covers_of(first, second);
      if (out[i].empty()) out[i] = covers_of(second, first);
    }
    return out;
  }

 private:
  [[nodiscard]] Place place_of(const Candidate& c) const {
    const OwnAccess& own = facts_.summaries[c.function.index()].own[c.own];
    return {c.function, own.instruction, own.kind};
  }

  /// The pairs of `other` with accesses in front of `later` that cover its pair with that.
  std::vector<std::uint32_t> covers_of(const Place& other, const Place& later) {
    if (!has_several(other, later.function) || !facts_.summaries[later.function.index()].interrupted.empty()) return {};
    const AccessBounds& bounds = bounds_of(later.function);
    std::optional<std::size_t> at;
    for (std::size_t i = 0; i < bounds.accesses.size(); ++i)
      if (bounds.accesses[i].instruction == later.instruction && bounds.accesses[i].kind == later.kind) at = i;
    return at ? walk_back(bounds, *at, other, later.function) : std::vector<std::uint32_t>{};
  }

  /// Along every way to the beginning of the function, up to the first that covers it. Empty: some way has none.
  std::vector<std::uint32_t> walk_back(const AccessBounds& bounds, std::size_t later, const Place& other,
                                       FunctionId function) {
    std::set<std::uint32_t> found;
    std::set<std::uint32_t> seen;
    std::vector<std::pair<std::uint32_t, std::size_t>> open{{bounds.accesses[later].rank, later}};
    while (!open.empty()) {
      const auto [rank, end] = open.back();
      open.pop_back();
      if (const auto cover = last_cover(bounds, rank, end, later, other, function)) {
        found.insert(*cover);
        continue;
      }
      if (rank == 0) return {};
      for (const std::uint32_t before : bounds.predecessors[rank])
        if (seen.insert(before).second) open.emplace_back(before, bounds.accesses.size());
    }
    return {found.begin(), found.end()};
  }

  /// Among the accesses of a block in front of `end`. They stand in the order of their blocks.
  std::optional<std::uint32_t> last_cover(const AccessBounds& bounds, std::uint32_t rank, std::size_t end,
                                          std::size_t later, const Place& other, FunctionId function) {
    const auto behind = std::ranges::upper_bound(bounds.accesses, rank, {}, &BoundedAccess::rank);
    for (std::size_t i = std::min(end, static_cast<std::size_t>(behind - bounds.accesses.begin()));
         i-- > 0 && bounds.accesses[i].rank == rank;) {
      const BoundedAccess& earlier = bounds.accesses[i];
      if (!is_weaker(earlier, bounds.accesses[later])) continue;
      const auto pair = numbers_.find({other, {function, earlier.instruction, earlier.kind}});
      if (pair != numbers_.end() && i != later) return pair->second;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_weaker(const BoundedAccess& earlier, const BoundedAccess& later) const {
    if (!earlier.is_bounded || earlier.where != later.where || earlier.size != later.size) return false;
    if (earlier.is_atomic != later.is_atomic || (earlier.kind != later.kind && earlier.kind != AccessKind::Write))
      return false;
    if (by_ == CoverBy::Lockset) return locks::must_hold_no_more(earlier.most.lockset, later.least.lockset);
    // What was acquired since the entry goes to the histories of the callers' locks.
    return locks::must_be_weaker(earlier.most, later.least) &&
           locks::is_within(earlier.most.history.since_entry, later.least.history.since_entry);
  }

  /// Whether one access is in pairs with several of a function.
  bool has_several(const Place& other, FunctionId function) {
    std::size_t count = 0;
    const Place first{function, 0, AccessKind::Read};
    for (auto at = numbers_.lower_bound({other, first});
         at != numbers_.end() && at->first.first == other && at->first.second.function == function; ++at)
      ++count;
    return count > 1;
  }

  const AccessBounds& bounds_of(FunctionId function) {
    const auto [at, is_new] = bounds_.try_emplace(function);
    if (is_new) at->second = summariser_.bounds(function);
    return at->second;
  }

  const ScanFacts& facts_;
  const Suspicions& suspicions_;
  const CoverBy by_;
  Summariser summariser_;
  std::map<std::pair<Place, Place>, std::uint32_t> numbers_;  ///< suspicions, by either side first
  std::map<FunctionId, AccessBounds> bounds_;
};

}  // namespace

Covers find_covers(const ScanFacts& facts, const Suspicions& suspicions, CoverBy by) {
  return by == CoverBy::Nothing ? Covers(suspicions.all.size()) : CoverSearch(facts, suspicions, by).run();
}

void place_covered(race::Docket& docket, const Covers& covers) {
  std::vector<bool> is_refuted(covers.size());
  for (const race::CaseFile& one : docket.cases)
    if (one.warning.number < covers.size() && one.find<race::Refuted>() != nullptr)
      is_refuted[one.warning.number] = true;
  std::vector<race::CaseFile> own, covered;
  std::map<std::uint32_t, std::vector<std::size_t>> below;  // by cover: places in `covered`
  std::vector<std::size_t> missing;                         // by place there: covers that do not stand above it yet
  for (race::CaseFile& one : docket.cases) {
    const std::uint32_t number = one.warning.number;
    const bool is_own = number >= covers.size() || one.seen || is_refuted[number] || covers[number].empty() ||
                        std::ranges::any_of(covers[number], [&](std::uint32_t by) { return is_refuted[by]; });
    if (is_own) {
      own.push_back(std::move(one));
      continue;
    }
    one.covered_by = covers[number];
    for (const std::uint32_t by : one.covered_by) below[by].push_back(covered.size());
    missing.push_back(one.covered_by.size());
    covered.push_back(std::move(one));
  }
  docket.cases.clear();
  const auto add = [&](auto& self, race::CaseFile& one) -> void {
    docket.cases.push_back(std::move(one));
    const auto under = below.find(docket.cases.back().warning.number);
    if (under == below.end()) return;
    for (const std::size_t next : under->second)
      if (--missing[next] == 0) self(self, covered[next]);
  };
  for (race::CaseFile& one : own) add(add, one);
  for (std::size_t i = 0; i < covered.size(); ++i)  // each stands under another of them
    if (missing[i] != 0) docket.cases.push_back(std::move(covered[i]));
}

}  // namespace heddle::scan
