// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/ranking.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <tuple>

namespace heddle::scan {
namespace {

constexpr std::int64_t next_pair = 500, next_function = 400, next_member = 800, next_variable = 200, most_of_all = 3000;

/// Of the functions that do without the usual lock, once each, the least that `points` says; none if both hold it.
template <class Points>
std::optional<std::int64_t> least_of_outliers(const Suspicion& s, Points points) {
  std::optional<std::int64_t> least;
  if (s.first_lacks_guard) least = points(s.first.function);
  if (s.second_lacks_guard && (!s.first_lacks_guard || s.first.function != s.second.function)) {
    const std::int64_t second = points(s.second.function);
    least = std::min(least.value_or(second), second);
  }
  return least;
}

}  // namespace

bool is_before(const Suspicion& a, const Suspicion& b) {
  return std::tuple(-a.rank, std::cref(a.first), std::cref(a.second)) <
         std::tuple(-b.rank, std::cref(b.first), std::cref(b.second));
}

void add_reason(Suspicion& s, std::variant<Doubt, Weight> about, std::int64_t points) {
  if (points == 0) return;
  s.rank_reasons.push_back({about, points});
  s.rank += points;
}

void spread_variable(std::span<Suspicion> of_one_variable) {
  std::map<FunctionId, std::int64_t> seen;
  std::int64_t above = 0;
  for (Suspicion& s : of_one_variable) {
    const auto functions = static_cast<std::int64_t>(seen.size());
    const std::int64_t same = least_of_outliers(s, [&](FunctionId f) { return seen[f]++; }).value_or(above);
    add_reason(s, Weight::SameVariable, -std::min(next_pair * above, next_pair * same + next_function * functions));
    ++above;
  }
}

void spread_functions(std::span<Suspicion> all) {
  std::map<FunctionId, std::int64_t> seen;
  std::map<std::pair<FunctionId, TypeId>, std::int64_t> seen_with;
  for (Suspicion& s : all) {
    const auto points = least_of_outliers(s, [&](FunctionId f) {
      const std::int64_t all_of_it = seen[f]++, of_this_kind = seen_with[{f, s.record}]++;
      return next_member * of_this_kind + next_variable * (all_of_it - of_this_kind);
    });
    add_reason(s, Weight::SameFunction, -std::min(most_of_all, points.value_or(0)));
  }
}

}  // namespace heddle::scan
