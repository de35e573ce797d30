// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Box: an interval for each variable, and no relations. The lowest and the highest number of 64 bits mean: no bound.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "numeric/interval.h"
#include "numeric/linear.h"

namespace heddle::numeric {

/// Without a bound.
constexpr std::int64_t no_low = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t no_high = std::numeric_limits<std::int64_t>::max();

/// A number in 128 bits as a bound: one that does not fit is none, or the last one that fits.
constexpr std::int64_t as_low(Wide low) {
  return low <= no_low ? no_low : low >= no_high ? no_high - 1 : static_cast<std::int64_t>(low);
}
constexpr std::int64_t as_high(Wide high) {
  return high >= no_high ? no_high : high <= no_low ? no_low + 1 : static_cast<std::int64_t>(high);
}

/// Rounded down; b > 0.
constexpr Wide divide_down(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

class Box {
 public:
  explicit Box(std::uint32_t variables) : ranges_(variables, Interval{no_low, no_high}) {}
  static Box bottom(std::uint32_t variables);

  [[nodiscard]] std::uint32_t variables() const { return static_cast<std::uint32_t>(ranges_.size()); }
  [[nodiscard]] bool is_bottom() const { return is_bottom_; }

  void assign(std::uint32_t x, const LinearForm& form);
  void guard(const LinearForm& form, Relation relation);
  void forget(std::uint32_t x) { set(x, {no_low, no_high}); }
  void wrap(std::uint32_t x, Interval range);
  [[nodiscard]] Box select(std::span<const std::uint32_t> variables) const;
  [[nodiscard]] Interval interval_of(std::uint32_t x) const { return is_bottom_ ? Interval::empty() : ranges_[x]; }
  [[nodiscard]] Interval interval_of(const LinearForm& form) const;

  friend bool leq(const Box& a, const Box& b);
  friend Box join(const Box& a, const Box& b);
  friend Box meet(const Box& a, const Box& b);
  friend Box widen(const Box& a, const Box& b, std::span<const std::int64_t> thresholds);
  friend Box narrow(const Box& a, const Box& b);
  friend bool operator==(const Box&, const Box&) = default;

 private:
  void set(std::uint32_t x, Interval range) {
    if (!is_bottom_) ranges_[x] = range;
  }
  void at_most_zero(const LinearForm& form);
  void not_zero(const LinearForm& form);

  std::vector<Interval> ranges_;
  bool is_bottom_ = false;
};

/// The form's range, if `range_of(variable)` is that of a variable.
template <class RangeOf>
Interval range_of_form(const LinearForm& form, const RangeOf& range_of) {
  Wide low = form.constant, high = form.constant;
  bool has_low = true, has_high = true;
  for (const LinearTerm& term : form.terms) {
    const Interval range = range_of(term.variable);
    if (range.is_empty()) return Interval::empty();
    const std::int64_t least = term.factor > 0 ? range.low : range.high;
    const std::int64_t most = term.factor > 0 ? range.high : range.low;
    has_low = has_low && least != (term.factor > 0 ? no_low : no_high);
    has_high = has_high && most != (term.factor > 0 ? no_high : no_low);
    // 64 times 64 bits, then one of a few additions; beyond 2^120 nothing is known.
    constexpr Wide farthest = Wide{1} << 120;
    const Wide down = Wide{term.factor} * least, up = Wide{term.factor} * most;
    has_low = has_low && down > -farthest && low > -farthest && down < farthest && low < farthest;
    has_high = has_high && up > -farthest && high > -farthest && up < farthest && high < farthest;
    if (has_low) low += down;
    if (has_high) high += up;
  }
  return {has_low ? as_low(low) : no_low, has_high ? as_high(high) : no_high};
}

}  // namespace heddle::numeric
