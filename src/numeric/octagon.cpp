// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/octagon.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"

namespace heddle::numeric {
namespace {

constexpr double farthest = static_cast<double>(std::int64_t{1} << 44);

/// A bound that is not weaker than needed and can be kept; infinity: it cannot.
double kept(double bound) {
  return bound > farthest ? std::numeric_limits<double>::infinity() : std::max(bound, -farthest);
}
double kept(Wide bound) {
  return bound > static_cast<Wide>(farthest) ? std::numeric_limits<double>::infinity()
                                             : std::max(static_cast<double>(bound), -farthest);
}

/// The node of ±x.
std::size_t node(const LinearTerm& term) { return (std::size_t{term.variable} << 1) | (term.factor < 0 ? 1U : 0U); }
bool is_unit(const LinearTerm& term) { return term.factor == 1 || term.factor == -1; }

}  // namespace

Octagon::Octagon(std::uint32_t variables)
    : variables_(variables), bounds_(std::size_t{variables} * variables * 4, none) {
  HEDDLE_CHECK(variables <= most_variables, "an octagon of too many variables: sums would not be exact");
  for (std::size_t i = 0; i < width(); ++i) at(i, i) = 0;
}

Octagon Octagon::bottom(std::uint32_t variables) {
  Octagon out(variables);
  out.is_bottom_ = true;
  return out;
}

void Octagon::become_bottom() { is_bottom_ = is_closed_ = true; }

const Octagon& Octagon::closed(Octagon& copy) const {
  if (is_closed_) return *this;
  copy = *this;
  copy.close();
  return copy;
}

bool Octagon::is_bottom() const {
  Octagon copy(0);
  return closed(copy).is_bottom_;
}

/// Every way over a node k.
void Octagon::close() {
  if (is_closed_ || is_bottom_) return;
  is_closed_ = true;
  const std::size_t size = width();
  for (std::size_t k = 0; k < size; ++k) {
    const Bound* over = &bounds_[k * size];
    for (std::size_t i = 0; i < size; ++i) {
      const Bound to = at(i, k);
      if (to == none || i == k) continue;
      Bound* row = &bounds_[i * size];
      for (std::size_t j = 0; j < size; ++j) row[j] = std::min(row[j], to + over[j]);
    }
  }
  for (std::size_t i = 0; i < size; ++i)
    if (at(i, i) < 0) return become_bottom();
  strengthen();
}

/// 2x <= 5 is 2x <= 4; and what two such bounds say of a pair.
void Octagon::strengthen() {
  const std::size_t size = width();
  std::vector<Bound> half(size);  // −V(j) <= half(j)
  for (std::size_t i = 0; i < size; ++i) {
    const Bound even = std::floor(at(i, i ^ 1) / 2);
    at(i, i ^ 1) = 2 * even;
    half[i ^ 1] = even;
  }
  for (std::size_t i = 0; i < size; i += 2)
    if (half[i] + half[i + 1] < 0) return become_bottom();
  for (std::size_t i = 0; i < size; ++i) {
    const Bound to = half[i ^ 1];
    if (to == none) continue;
    Bound* row = &bounds_[i * size];
    for (std::size_t j = 0; j < size; ++j) row[j] = std::min(row[j], to + half[j]);
    at(i, i) = 0;
  }
  limit();
}

/// Nothing lies where sums are not exact.
void Octagon::limit() {
  Bound lowest = 0;
  for (const Bound bound : bounds_) lowest = std::min(lowest, bound);
  if (lowest < -farthest)
    for (Bound& bound : bounds_) bound = std::max(bound, -farthest);
}

/// Every way over the new bound V(i) − V(j).
void Octagon::pass(std::size_t i, std::size_t j, Bound bound) {
  const std::size_t size = width();
  const Bound* behind = &bounds_[j * size];
  for (std::size_t p = 0; p < size; ++p) {
    const Bound to = at(p, i);
    if (to == none) continue;
    const Bound sum = to + bound;
    Bound* row = &bounds_[p * size];
    for (std::size_t q = 0; q < size; ++q) row[q] = std::min(row[q], sum + behind[q]);
  }
}

void Octagon::add(std::size_t i, std::size_t j, Bound bound) {
  close();
  if (is_bottom_) return;
  if (j == (i ^ 1)) bound = 2 * std::floor(bound / 2);
  if (bound >= at(i, j)) return;
  if (at(j, i) + bound < 0) return become_bottom();
  const std::vector<Bound> before = singles();
  pass(i, j, bound);
  if (j != (i ^ 1)) pass(j ^ 1, i ^ 1, bound);
  for (std::size_t k = 0; k < width(); ++k)
    if (at(k, k) < 0) return become_bottom();
  // A pair was at most what two single bounds say, and still is, unless one of these has become better.
  if (singles() != before)
    strengthen();
  else
    limit();
}

std::vector<Octagon::Bound> Octagon::singles() const {
  std::vector<Bound> out(width());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = at(i, i ^ 1);
  return out;
}

void Octagon::at_most(std::uint32_t x, std::int64_t high) {
  if (high != no_high) add(2 * std::size_t{x}, 2 * std::size_t{x} + 1, kept(2 * Wide{high}));
}
void Octagon::at_least(std::uint32_t x, std::int64_t low) {
  if (low != no_low) add(2 * std::size_t{x} + 1, 2 * std::size_t{x}, kept(-2 * Wide{low}));
}

void Octagon::forget(std::uint32_t x) {
  close();
  const std::size_t size = width();
  for (const std::size_t i : {2 * std::size_t{x}, 2 * std::size_t{x} + 1}) {
    std::fill_n(&bounds_[i * size], size, none);
    for (std::size_t p = 0; p < size; ++p) at(p, i) = none;
  }
  for (const std::size_t i : {2 * std::size_t{x}, 2 * std::size_t{x} + 1}) at(i, i) = 0;
}

/// x := x + by
void Octagon::shift(std::uint32_t x, std::int64_t by) {
  const std::size_t plus = 2 * std::size_t{x}, minus = plus + 1;
  const auto step = static_cast<Bound>(by);
  for (std::size_t p = 0; p < width(); ++p) {
    if (p == plus || p == minus) continue;
    at(plus, p) = kept(at(plus, p) + step);
    at(p, minus) = kept(at(p, minus) + step);
    at(minus, p) = kept(at(minus, p) - step);
    at(p, plus) = kept(at(p, plus) - step);
  }
  at(plus, minus) = kept(at(plus, minus) + 2 * step);
  at(minus, plus) = kept(at(minus, plus) - 2 * step);
}

/// x := −x
void Octagon::negate(std::uint32_t x) {
  const std::size_t plus = 2 * std::size_t{x}, minus = plus + 1, size = width();
  std::swap_ranges(&bounds_[plus * size], &bounds_[plus * size] + size, &bounds_[minus * size]);
  for (std::size_t p = 0; p < size; ++p) std::swap(at(p, plus), at(p, minus));
}

/// x := V(from) + by, of another variable.
void Octagon::copy(std::uint32_t x, std::size_t from, std::int64_t by) {
  const std::size_t plus = 2 * std::size_t{x}, minus = plus + 1, size = width();
  for (std::size_t p = 0; p < size; ++p) {
    at(plus, p) = at(from, p);
    at(minus, p) = at(from ^ 1, p);
  }
  for (std::size_t p = 0; p < size; ++p) {
    at(p, plus) = at(p, from);
    at(p, minus) = at(p, from ^ 1);
  }
  shift(x, by);
}

void Octagon::assign(std::uint32_t x, const LinearForm& form) {
  close();
  if (is_bottom_) return;
  const bool is_small = std::abs(static_cast<double>(form.constant)) <= farthest;
  if (form.terms.size() != 1 || !is_unit(form.terms[0]) || !is_small) return assign_any(x, form);
  const LinearTerm& term = form.terms[0];
  if (term.variable != x) return copy(x, node(term), form.constant);
  if (term.factor < 0) negate(x);
  shift(x, form.constant);
}

/// Bounds of the form itself, and of what is left of it besides one of its variables.
void Octagon::assign_any(std::uint32_t x, const LinearForm& form) {
  struct Pair {
    std::size_t other;
    Bound bound;  ///< of x − V(other)
    bool is_low;  ///< V(other) − x instead
  };
  const Interval range = interval_of(form);
  LinearForm negated = form;
  const bool has_negated = negated.negate();
  std::vector<Pair> pairs;
  for (const LinearTerm& term : form.terms) {
    if (!is_unit(term) || term.variable == x) continue;
    LinearForm rest = form;
    if (rest.add(term.variable, -term.factor)) pairs.push_back({node(term), highest(rest), false});
    rest = negated;
    if (has_negated && rest.add(term.variable, term.factor)) pairs.push_back({node(term), highest(rest), true});
  }
  forget(x);
  at_most(x, range.high);
  at_least(x, range.low);
  const std::size_t plus = 2 * std::size_t{x};
  for (const auto& [other, bound, is_low] : pairs)
    if (bound != none) is_low ? add(other, plus, bound) : add(plus, other, bound);
}

void Octagon::guard(const LinearForm& form, Relation relation) {
  close();
  guard_by(form, relation, [&](const LinearForm& f) { at_most_zero(f); }, [&](const LinearForm& f) { not_zero(f); });
}

/// Each term, and each two, are at most what the others leave.
void Octagon::at_most_zero(const LinearForm& form) {
  if (is_bottom_) return;
  if (interval_of(form).low > 0) return become_bottom();
  const auto room_without = [&](std::size_t a, std::size_t b) {
    LinearForm rest{{}, form.constant};
    for (std::size_t i = 0; i < form.terms.size(); ++i)
      if (i != a && i != b) rest.terms.push_back(form.terms[i]);
    const std::int64_t low = interval_of(rest).low;
    return low == no_low ? std::optional<Wide>() : -Wide{low};
  };
  for (std::size_t i = 0; i < form.terms.size() && !is_bottom_; ++i) {
    const auto room = room_without(i, i);
    if (!room) continue;
    const Wide factor = form.terms[i].factor > 0 ? Wide{form.terms[i].factor} : -Wide{form.terms[i].factor};
    const std::size_t of = node(form.terms[i]);
    add(of, of ^ 1, kept(2 * divide_down(*room, factor)));
  }
  for (std::size_t i = 0; i < form.terms.size() && !is_bottom_; ++i)
    for (std::size_t k = i + 1; k < form.terms.size() && !is_bottom_; ++k) {
      const std::int64_t factor = form.terms[i].factor;
      if (factor == no_low || (form.terms[k].factor != factor && form.terms[k].factor != -factor)) continue;
      const auto room = room_without(i, k);
      if (!room) continue;
      const Wide size = factor > 0 ? factor : -factor;
      add(node(form.terms[i]), node(form.terms[k]) ^ 1, kept(divide_down(*room, size)));
    }
}

/// Where it can only be zero at the end of its range.
void Octagon::not_zero(const LinearForm& form) {
  if (is_bottom_) return;
  const Interval range = interval_of(form);
  if (range == Interval::constant(0)) return become_bottom();
  if (form.constant == no_high || form.constant == no_low) return;
  LinearForm less = form;
  if (range.high == 0) {
    ++less.constant;
    at_most_zero(less);
  } else if (range.low == 0 && less.negate()) {
    ++less.constant;
    at_most_zero(less);
  }
}

void Octagon::wrap(std::uint32_t x, Interval range) {
  if (interval_of(x).leq(range)) return;
  forget(x);
  at_least(x, range.low);
  at_most(x, range.high);
}

Interval Octagon::interval_of(std::uint32_t x) const { return interval_of(LinearForm::variable(x)); }

/// Two terms of one size are a bound of the matrix, in the order of the form; what is left, each for itself.
Octagon::Bound Octagon::highest(const LinearForm& form) const {
  Bound sum = std::abs(static_cast<double>(form.constant)) <= farthest ? static_cast<double>(form.constant) : none;
  std::vector<bool> is_done(form.terms.size());
  for (std::size_t i = 0; i < form.terms.size(); ++i) {
    if (is_done[i]) continue;
    const LinearTerm& term = form.terms[i];
    const double size = std::abs(static_cast<double>(term.factor));
    Bound best = at(node(term), node(term) ^ 1) / 2;
    for (std::size_t k = i + 1; k < form.terms.size(); ++k) {
      if (is_done[k] || std::abs(static_cast<double>(form.terms[k].factor)) != size) continue;
      const std::size_t other = node(form.terms[k]);
      if (at(node(term), other ^ 1) >= best + at(other, other ^ 1) / 2) continue;
      best = at(node(term), other ^ 1);
      is_done[k] = true;
      break;
    }
    // Products and sums stay where doubles are exact.
    if (size > farthest || std::abs(best * size) > farthest) return none;
    sum = kept(sum + best * size);
    if (sum == none) return none;
  }
  return sum;
}

Interval Octagon::interval_of(const LinearForm& form) const {
  Octagon copy(0);
  const Octagon& all = closed(copy);
  if (all.is_bottom_) return Interval::empty();
  LinearForm negated = form;
  const Bound high = all.highest(form), low = negated.negate() ? all.highest(negated) : none;
  // A bound at the limit may be weaker than what it stands for, which its own side does not mind.
  return {low == none ? no_low : -static_cast<std::int64_t>(low),
          high == none ? no_high : static_cast<std::int64_t>(high)};
}

Octagon Octagon::select(std::span<const std::uint32_t> variables) const {
  Octagon copy(0);
  const Octagon& from = closed(copy);
  Octagon out(static_cast<std::uint32_t>(variables.size()));
  if (from.is_bottom_) return bottom(out.variables_);
  const auto old = [&](std::size_t i) { return 2 * std::size_t{variables[i / 2]} + i % 2; };
  for (std::size_t i = 0; i < out.width(); ++i)
    for (std::size_t j = 0; j < out.width(); ++j) out.at(i, j) = from.at(old(i), old(j));
  return out;
}

bool leq(const Octagon& a, const Octagon& b) {
  Octagon copy(0), other(0);
  const Octagon& x = a.closed(copy);
  if (x.is_bottom_) return true;
  if (b.closed(other).is_bottom_) return false;
  return std::ranges::equal(x.bounds_, b.bounds_, std::ranges::less_equal());
}

Octagon join(const Octagon& a, const Octagon& b) {
  Octagon copy(0), other(0);
  const Octagon &x = a.closed(copy), &y = b.closed(other);
  if (x.is_bottom_) return y;
  if (y.is_bottom_) return x;
  Octagon out = x;
  for (std::size_t i = 0; i < out.bounds_.size(); ++i) out.bounds_[i] = std::max(out.bounds_[i], y.bounds_[i]);
  return out;
}

Octagon meet(const Octagon& a, const Octagon& b) {
  if (a.is_bottom_) return a;
  if (b.is_bottom_) return b;
  Octagon out = a;
  for (std::size_t i = 0; i < out.bounds_.size(); ++i) out.bounds_[i] = std::min(out.bounds_[i], b.bounds_[i]);
  out.is_closed_ = false;
  out.close();
  return out;
}

/// `a` stays as it is, not closed: closing would bring back bounds that were given up, and it would not end.
Octagon widen(const Octagon& a, const Octagon& b, std::span<const std::int64_t> thresholds) {
  Octagon other(0);
  const Octagon& next = b.closed(other);
  if (a.is_bottom_ || next.is_bottom_) return a.is_bottom_ ? next : a;
  Octagon out = a;
  const std::size_t size = out.width();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      if (next.at(i, j) <= out.at(i, j)) continue;
      const bool is_single = j == (i ^ 1);
      Octagon::Bound stop = Octagon::none;
      for (const std::int64_t threshold : thresholds)
        for (const Wide bound : {Wide{threshold}, -Wide{threshold}})
          if (const double at = kept(is_single ? 2 * bound : bound); at >= next.at(i, j)) stop = std::min(stop, at);
      out.at(i, j) = stop;
    }
  out.is_closed_ = false;
  return out;
}

Octagon narrow(const Octagon& a, const Octagon& b) {
  Octagon other(0);
  const Octagon& next = b.closed(other);
  if (a.is_bottom_ || next.is_bottom_) return next;
  Octagon out = a;
  for (std::size_t i = 0; i < out.bounds_.size(); ++i)
    if (out.bounds_[i] == Octagon::none) out.bounds_[i] = next.bounds_[i];
  out.is_closed_ = false;
  return out;
}

}  // namespace heddle::numeric
