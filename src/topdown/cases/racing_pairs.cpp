// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/racing_pairs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "topdown/cases/evidence.h"
#include "topdown/cases/separate.h"

namespace heddle::topdown {
namespace {

using race::Warning;
using Location = std::tuple<FunctionId, std::uint32_t, AccessKind>;
using Locations = std::pair<Location, Location>;
using Numbers = std::pair<std::uint32_t, std::uint32_t>;  ///< of two accesses, ascending

using Members = std::map<Location, std::vector<std::uint32_t>>;  ///< ascending numbers of accesses

/// Accesses to one object in equal circumstances, and their bytes from the first to the last that may be touched.
struct Group {
  GuardedAccess circumstances;
  Members members;
  std::uint32_t variable = 0;  ///< in ObjectPairs::variables_
  [[nodiscard]] std::int64_t low() const { return circumstances.target.low; }
  [[nodiscard]] std::int64_t end() const {
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t size = circumstances.size;
    if (size == 0 || size >= static_cast<std::uint64_t>(last - circumstances.target.high)) return last;
    return circumstances.target.high + static_cast<std::int64_t>(size);
  }
};

/// What was found of one variable.
struct Variable {
  std::uint32_t access = 0;
  std::map<Locations, Numbers> found = {};  ///< with the first accesses that show it
  std::uint64_t looked_at = 0;
  bool was_left = false;  ///< before everything was looked at
};

/// The pairs of one object.
class ObjectPairs {
 public:
  ObjectPairs(const TopDownResult& result, const PairLimits& limits, const std::set<Locations>& known, RacingPairs& out)
      : result_(result), limits_(limits), known_(known), out_(out) {}

  std::vector<Variable> run(const std::vector<std::uint32_t>& accesses) {
    for (const std::uint32_t number : accesses) add(number);
    std::vector<const Group*> sorted;
    for (const Group& group : groups_) sorted.push_back(&group);
    std::ranges::sort(sorted, {}, [](const Group* group) { return std::pair(group->low(), group); });
    std::vector<std::int64_t> furthest;  // where a group and those before it end at most
    for (const Group* group : sorted)
      furthest.push_back(std::max(group->end(), furthest.empty() ? group->end() : furthest.back()));
    for (std::size_t i = 0; i < sorted.size() && !out_.gave_up; ++i)
      for (std::size_t k = i + 1; k-- > 0 && furthest[k] > sorted[i]->low();) compare(*sorted[k], *sorted[i]);
    return std::move(variables_);
  }

 private:
  void add(std::uint32_t number) {
    const GuardedAccess& access = result_.accesses[number];
    const GuardedAccess circumstances = circumstances_of(access);
    const auto [at, is_new] = ids_.try_emplace(circumstances, groups_.size());
    if (is_new) groups_.push_back({circumstances, {}, variable_of(number)});
    const FunctionId function = result_.threads->contexts[access.context].function;
    groups_[at->second].members[{function, access.instruction, access.kind}].push_back(number);
  }

  std::uint32_t variable_of(std::uint32_t number) {
    const auto id = static_cast<std::uint32_t>(variables_.size());
    const auto [at, is_new] = variable_ids_.try_emplace(offset_of_variable(result_.accesses[number]), id);
    if (is_new) variables_.push_back({number});
    return at->second;
  }

  void compare(const Group& a, const Group& b) {
    if (a.end() <= b.low() || are_left(a, b)) return;
    out_.gave_up |= out_.compared >= limits_.compared;
    if (out_.gave_up) return;
    ++out_.compared;
    if (!separate(result_, a.circumstances, b.circumstances)) pair(a, b);
  }

  /// A warning is on the variable of its first access, which writes.
  [[nodiscard]] bool is_left(const Group& first, const Group& second) {
    Variable& variable = variables_[writes(first.circumstances.kind) ? first.variable : second.variable];
    const bool is_enough = variable.found.size() >= limits_.counted || variable.looked_at >= limits_.looked_at;
    variable.was_left |= is_enough;
    return is_enough;
  }
  [[nodiscard]] bool are_left(const Group& a, const Group& b) { return is_left(a, b) && is_left(b, a); }

  void pair(const Group& a, const Group& b) {
    for (const auto& one : a.members)
      for (const auto& other : b.members) {
        if (!is_wanted(one.first, other.first)) continue;
        if (are_left(a, b)) return;
        if (!is_left(a, b)) consider(a, one, b, other);
        if (&a != &b && !is_left(b, a)) consider(b, other, a, one);
      }
  }

  /// The first access of one location, and the first of the other that does not come before it.
  void consider(const Group& a, const Members::value_type& one, const Group& b, const Members::value_type& other) {
    const auto partner = std::ranges::lower_bound(other.second, one.second.front());
    if (partner == other.second.end()) return;
    const bool in_order = writes(a.circumstances.kind);
    const Locations pair = in_order ? Locations(one.first, other.first) : Locations(other.first, one.first);
    Variable& variable = variables_[in_order ? a.variable : b.variable];
    ++variable.looked_at;
    if (known_.contains(pair)) return;
    const Numbers these(one.second.front(), *partner);
    const auto [at, is_new] = variable.found.try_emplace(pair, these);
    if (!is_new) at->second = std::min(at->second, these);
  }

  [[nodiscard]] bool is_wanted(const Location& a, const Location& b) const {
    if (!limits_.only) return true;
    const auto access = [](const Location& at) {
      return race::Access{std::get<0>(at), std::get<1>(at), std::get<2>(at)};
    };
    return is_same_pair({access(a), access(b)}, *limits_.only);
  }

  const TopDownResult& result_;
  const PairLimits& limits_;
  const std::set<Locations>& known_;  ///< listed for another object
  RacingPairs& out_;
  std::vector<Group> groups_;
  std::map<GuardedAccess, std::size_t> ids_;
  std::vector<Variable> variables_;
  std::map<std::int64_t, std::uint32_t> variable_ids_;
};

class PairFinder {
 public:
  PairFinder(const TopDownResult& result, const PairLimits& limits) : result_(result), limits_(limits) {}

  RacingPairs run() {
    std::map<ObjectId, std::vector<std::uint32_t>> by_object;
    for (std::uint32_t i = 0; i < result_.accesses.size(); ++i)
      if (is_wanted(i)) by_object[result_.accesses[i].target.object].push_back(i);
    for (const auto& [object, accesses] : by_object) list(ObjectPairs(result_, limits_, known_, out_).run(accesses));
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_wanted(std::uint32_t number) const {
    if (!limits_.only) return true;
    const race::Access access = warning_of(result_, number, number).first;
    return is_same_place(access, limits_.only->first) || is_same_place(access, limits_.only->second);
  }

  void list(const std::vector<Variable>& variables) {
    std::vector<Numbers> chosen;
    for (const Variable& variable : variables) {
      const std::vector<Numbers> of_variable = choose(variable);
      if (variable.was_left || of_variable.size() < variable.found.size())
        out_.unlisted.push_back({variable.access, variable.found.size() - of_variable.size()});
      chosen.insert(chosen.end(), of_variable.begin(), of_variable.end());
    }
    std::ranges::sort(chosen);
    for (const auto& [a, b] : chosen) {
      out_.listed.push_back(warning_of(result_, a, b));
      known_.insert({location(out_.listed.back().first), location(out_.listed.back().second)});
    }
  }

  /// All if they are few. Otherwise pairs with a location that was not shown yet come before the others.
  [[nodiscard]] std::vector<Numbers> choose(const Variable& variable) const {
    std::vector<std::pair<Numbers, Locations>> left;
    for (const auto& [pair, numbers] : variable.found) left.emplace_back(numbers, pair);
    std::ranges::sort(left);
    std::vector<Numbers> out;
    std::set<Location> shown;
    const auto show = [&](bool only_new) {
      std::erase_if(left, [&](const auto& row) {
        const auto& [numbers, pair] = row;
        const bool is_new = !shown.contains(pair.first) || !shown.contains(pair.second);
        if (out.size() >= limits_.listed || (only_new && !is_new)) return false;
        shown.insert({pair.first, pair.second});
        out.push_back(numbers);
        return true;
      });
    };
    show(true);
    show(false);
    return out;
  }

  static Location location(const race::Access& a) { return {a.function, a.instruction, a.kind}; }

  const TopDownResult& result_;
  const PairLimits& limits_;
  RacingPairs out_;
  std::set<Locations> known_;
};

}  // namespace

RacingPairs find_racing_pairs(const TopDownResult& result, const PairLimits& limits) {
  return PairFinder(result, limits).run();
}

}  // namespace heddle::topdown
