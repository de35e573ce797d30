// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/box.h"

#include <algorithm>

namespace heddle::numeric {
namespace {

/// The first threshold beyond a bound that grows.
std::int64_t next_low(std::int64_t low, std::span<const std::int64_t> thresholds) {
  std::int64_t out = no_low;
  for (const std::int64_t t : thresholds)
    if (t <= low) out = std::max(out, t);
  return out;
}
std::int64_t next_high(std::int64_t high, std::span<const std::int64_t> thresholds) {
  std::int64_t out = no_high;
  for (const std::int64_t t : thresholds)
    if (t >= high) out = std::min(out, t);
  return out;
}

}  // namespace

Box Box::bottom(std::uint32_t variables) {
  Box out(variables);
  out.is_bottom_ = true;
  return out;
}

Interval Box::interval_of(const LinearForm& form) const {
  if (is_bottom_) return Interval::empty();
  return range_of_form(form, [&](std::uint32_t x) { return ranges_[x]; });
}

void Box::assign(std::uint32_t x, const LinearForm& form) { set(x, interval_of(form)); }

void Box::wrap(std::uint32_t x, Interval range) {
  if (!is_bottom_ && !ranges_[x].leq(range)) ranges_[x] = range;
}

void Box::guard(const LinearForm& form, Relation relation) {
  guard_by(form, relation, [&](const LinearForm& f) { at_most_zero(f); }, [&](const LinearForm& f) { not_zero(f); });
}

/// a·x + rest <= 0: x is at most, or at least, the lowest rest divided by −a.
void Box::at_most_zero(const LinearForm& form) {
  if (is_bottom_) return;
  if (const Interval whole = interval_of(form); whole.low > 0) {
    *this = bottom(variables());
    return;
  }
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    const auto [x, factor] = form.terms[i];
    LinearForm rest = form;
    rest.terms.erase(rest.terms.begin() + static_cast<std::ptrdiff_t>(i));
    const Interval others = interval_of(rest);
    if (others.low == no_low) continue;
    const Wide room = -Wide{others.low};
    Interval& range = ranges_[x];
    if (factor > 0)
      range.high = std::min(range.high, as_high(divide_down(room, factor)));
    else
      range.low = std::max(range.low, as_low(-divide_down(room, -Wide{factor})));
    if (range.is_empty()) {
      *this = bottom(variables());
      return;
    }
  }
}

void Box::not_zero(const LinearForm& form) {
  if (is_bottom_) return;
  if (interval_of(form) == Interval::constant(0)) {
    *this = bottom(variables());
    return;
  }
  if (form.terms.size() != 1 || form.constant == no_low || form.constant % form.terms[0].factor != 0) return;
  const Wide number = -Wide{form.constant} / form.terms[0].factor;
  Interval& range = ranges_[form.terms[0].variable];
  if (range.low != no_low && range.low == number) ++range.low;
  if (range.high != no_high && range.high == number) --range.high;
  if (range.is_empty()) *this = bottom(variables());
}

Box Box::select(std::span<const std::uint32_t> variables) const {
  if (is_bottom_) return bottom(static_cast<std::uint32_t>(variables.size()));
  Box out(static_cast<std::uint32_t>(variables.size()));
  for (std::size_t i = 0; i < variables.size(); ++i) out.ranges_[i] = ranges_[variables[i]];
  return out;
}

bool leq(const Box& a, const Box& b) {
  if (a.is_bottom_ || b.is_bottom_) return a.is_bottom_;
  for (std::size_t i = 0; i < a.ranges_.size(); ++i)
    if (!a.ranges_[i].leq(b.ranges_[i])) return false;
  return true;
}

Box join(const Box& a, const Box& b) {
  if (a.is_bottom_) return b;
  if (b.is_bottom_) return a;
  Box out = a;
  for (std::size_t i = 0; i < a.ranges_.size(); ++i) out.ranges_[i] = join(a.ranges_[i], b.ranges_[i]);
  return out;
}

Box meet(const Box& a, const Box& b) {
  if (a.is_bottom_) return a;
  if (b.is_bottom_) return b;
  Box out = a;
  for (std::size_t i = 0; i < a.ranges_.size(); ++i) {
    out.ranges_[i] = meet(a.ranges_[i], b.ranges_[i]);
    if (out.ranges_[i].is_empty()) return Box::bottom(a.variables());
  }
  return out;
}

Box widen(const Box& a, const Box& b, std::span<const std::int64_t> thresholds) {
  if (a.is_bottom_) return b;
  if (b.is_bottom_) return a;
  Box out = a;
  for (std::size_t i = 0; i < a.ranges_.size(); ++i) {
    Interval& range = out.ranges_[i];
    const Interval next = b.ranges_[i];
    if (next.low < range.low) range.low = next_low(next.low, thresholds);
    if (next.high > range.high) range.high = next_high(next.high, thresholds);
  }
  return out;
}

Box narrow(const Box& a, const Box& b) {
  if (a.is_bottom_ || b.is_bottom_) return b;
  Box out = a;
  for (std::size_t i = 0; i < a.ranges_.size(); ++i) {
    Interval& range = out.ranges_[i];
    if (range.low == no_low) range.low = b.ranges_[i].low;
    if (range.high == no_high) range.high = b.ranges_[i].high;
  }
  return out;
}

}  // namespace heddle::numeric
