// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of machine integers: [low, high] of the signed reading of a value. An operation first computes without
// bounds (in 128 bits); `wrap` then brings the result back into a width: exact if it fits, the whole range if not.
// Empty is low > high. Width 1 is read as 0/1, the way conditions are used.
//
//   add([0,9], [1,1]) = [1,10]        wrap([120,130], 8 bits) = [-128,127]
#pragma once
#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>

namespace heddle::numeric {

using Wide = __int128;

struct Interval {
  std::int64_t low = 1;
  std::int64_t high = 0;

  static constexpr Interval constant(std::int64_t v) { return {v, v}; }
  static constexpr Interval empty() { return {1, 0}; }
  /// Everything a value of this many bits can be.
  static constexpr Interval of_width(unsigned bits) {
    if (bits == 1) return {0, 1};
    if (bits >= 64 || bits == 0)
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
  }

  [[nodiscard]] constexpr bool is_empty() const { return low > high; }
  [[nodiscard]] constexpr bool is_constant() const { return low == high; }
  [[nodiscard]] constexpr bool contains(std::int64_t v) const { return low <= v && v <= high; }
  [[nodiscard]] constexpr bool leq(Interval o) const { return is_empty() || (o.low <= low && high <= o.high); }
  friend constexpr auto operator<=>(const Interval&, const Interval&) = default;
};

constexpr Interval join(Interval a, Interval b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
constexpr Interval meet(Interval a, Interval b) {
  const Interval r{std::max(a.low, b.low), std::min(a.high, b.high)};
  return r.is_empty() ? Interval::empty() : r;
}

/// [low, high] in 128 bits, brought back into `bits`: exact if it fits, everything if not.
constexpr Interval wrap(Wide low, Wide high, unsigned bits) {
  const Interval all = Interval::of_width(bits);
  if (low < all.low || high > all.high) return all;
  return {static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

/// The value with its low `bits` bits, sign-extended (width 1: 0 or 1).
constexpr std::int64_t sign_extend(std::uint64_t v, unsigned bits) {
  if (bits >= 64 || bits == 0) return static_cast<std::int64_t>(v);
  const std::uint64_t kept = v & ((std::uint64_t{1} << bits) - 1);
  if (bits == 1) return static_cast<std::int64_t>(kept);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>((kept ^ sign) - sign);
}

Interval add(Interval a, Interval b, unsigned bits);
Interval multiply(Interval a, Interval b, unsigned bits);
Interval divide_signed(Interval a, Interval b, unsigned bits);
Interval remainder_signed(Interval a, Interval b, unsigned bits);
Interval divide_unsigned(Interval a, Interval b, unsigned bits);
Interval remainder_unsigned(Interval a, Interval b, unsigned bits);
Interval shift_right_logical(Interval a, Interval b, unsigned bits);
Interval shift_right_arithmetic(Interval a, Interval b, unsigned bits);
Interval bit_and(Interval a, Interval b, unsigned bits);
Interval bit_or(Interval a, Interval b, unsigned bits);
Interval bit_xor(Interval a, Interval b, unsigned bits);

}  // namespace heddle::numeric
