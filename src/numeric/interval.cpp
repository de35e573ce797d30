// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/interval.h"

#include <array>
#include <bit>

namespace heddle::numeric {
namespace {

/// Applies a function that is monotone in each argument to the four corners.
template <class F>
Interval corners(Interval a, Interval b, unsigned bits, F f) {
  const std::array<Wide, 4> v{f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
  return wrap(*std::min_element(v.begin(), v.end()), *std::max_element(v.begin(), v.end()), bits);
}

/// The smallest 2^k - 1 that is at least v.
std::int64_t mask_above(std::int64_t v) {
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(v)));
  return bits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << bits) - 1;
}

}  // namespace

Interval add(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  return wrap(Wide{a.low} + b.low, Wide{a.high} + b.high, bits);
}

Interval multiply(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  return corners(a, b, bits, [](std::int64_t x, std::int64_t y) { return Wide{x} * y; });
}

Interval divide_signed(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (b.contains(0)) return Interval::of_width(bits);
  return corners(a, b, bits, [](std::int64_t x, std::int64_t y) { return Wide{x} / y; });
}

Interval remainder_signed(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (b.low <= 0) return Interval::of_width(bits);
  const std::int64_t most = b.high - 1;
  const std::int64_t high = a.high <= 0 ? 0 : std::min(most, a.high);
  const std::int64_t low = a.low >= 0 ? 0 : std::max(-most, a.low);
  if (a.low >= 0 && b.is_constant() && a.high < b.low) return a;
  return {low, high};
}

Interval divide_unsigned(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (a.low < 0 || b.low <= 0) return Interval::of_width(bits);
  return corners(a, b, bits, [](std::int64_t x, std::int64_t y) { return Wide{x} / y; });
}

Interval remainder_unsigned(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (b.low <= 0) return Interval::of_width(bits);
  if (a.low >= 0) return remainder_signed(a, b, bits);
  return {0, b.high - 1};
}

Interval shift_right_logical(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (a.low < 0 || b.low < 0 || b.high >= static_cast<std::int64_t>(bits)) return Interval::of_width(bits);
  return {a.low >> b.high, a.high >> b.low};
}

Interval shift_right_arithmetic(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (b.low < 0 || b.high >= static_cast<std::int64_t>(bits)) return Interval::of_width(bits);
  return corners(a, b, bits, [](std::int64_t x, std::int64_t y) { return Wide{x >> y}; });
}

Interval bit_and(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (a.is_constant() && b.is_constant()) return Interval::constant(a.low & b.low);
  if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
  if (a.low >= 0) return {0, a.high};
  if (b.low >= 0) return {0, b.high};
  return Interval::of_width(bits);
}

Interval bit_or(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (a.is_constant() && b.is_constant()) return Interval::constant(a.low | b.low);
  if (a.low >= 0 && b.low >= 0) return {std::max(a.low, b.low), mask_above(std::max(a.high, b.high))};
  return Interval::of_width(bits);
}

Interval bit_xor(Interval a, Interval b, unsigned bits) {
  if (a.is_empty() || b.is_empty()) return Interval::empty();
  if (a.is_constant() && b.is_constant()) return Interval::constant(a.low ^ b.low);
  if (a.low >= 0 && b.low >= 0) return {0, mask_above(std::max(a.high, b.high))};
  return Interval::of_width(bits);
}

}  // namespace heddle::numeric
