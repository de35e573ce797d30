// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/linear.h"

#include <algorithm>
#include <limits>

namespace heddle::numeric {

bool LinearForm::add(std::uint32_t variable, std::int64_t factor) {
  const auto at = std::ranges::lower_bound(terms, variable, {}, &LinearTerm::variable);
  if (at == terms.end() || at->variable != variable) {
    if (factor != 0) terms.insert(at, {variable, factor});
    return true;
  }
  std::int64_t sum = 0;
  if (__builtin_add_overflow(at->factor, factor, &sum)) return false;
  at->factor = sum;
  if (sum == 0) terms.erase(at);
  return true;
}

std::optional<LinearForm> sum(LinearForm left, const LinearForm& right, std::int64_t by) {
  std::int64_t product = 0;
  for (const LinearTerm& term : right.terms)
    if (__builtin_mul_overflow(term.factor, by, &product) || !left.add(term.variable, product)) return std::nullopt;
  if (__builtin_mul_overflow(right.constant, by, &product) ||
      __builtin_add_overflow(left.constant, product, &left.constant))
    return std::nullopt;
  return left;
}

bool LinearForm::negate() {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  if (constant == lowest || std::ranges::find(terms, lowest, &LinearTerm::factor) != terms.end()) return false;
  for (LinearTerm& term : terms) term.factor = -term.factor;
  constant = -constant;
  return true;
}

}  // namespace heddle::numeric
