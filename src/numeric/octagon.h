// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Octagon: bounds of x, of x − y and of x + y, for every two variables (Miné), over integers.
//
// A matrix of bounds over twice as many nodes: V(2k) = x_k, V(2k+1) = −x_k, and V(i) − V(j) <= m(i, j). So x <= c is
// V(2k) − V(2k+1) <= 2c, and every bound stands twice: m(i, j) = m(j^1, i^1). The matrix is kept *tightly closed*: each
// bound is the best one that all others imply for integers. Closing again after one new bound costs the square of the
// variables, from scratch the cube; only widening, narrowing and meet leave that to be done. (Closure, then bounds of
// single variables made even, then what two of these say of a pair: tight, by Bagnara, Hill, Zaffanella 2008.)
//
// Bounds are integers in doubles, where "no bound" is infinity and the two inner loops, min(r, s + c), are what every
// processor has. They are exact up to 2^53; a bound beyond 2^44 is dropped, or weakened to −2^44, which is sound: a way
// through the matrix has at most 2·variables steps, of which there may be 256 (`most_variables`).
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "numeric/box.h"

namespace heddle::numeric {

class Octagon {
 public:
  static constexpr std::uint32_t most_variables = 128;

  explicit Octagon(std::uint32_t variables);
  static Octagon bottom(std::uint32_t variables);

  [[nodiscard]] std::uint32_t variables() const { return variables_; }
  [[nodiscard]] bool is_bottom() const;

  void assign(std::uint32_t x, const LinearForm& form);
  void guard(const LinearForm& form, Relation relation);
  void forget(std::uint32_t x);
  void wrap(std::uint32_t x, Interval range);
  [[nodiscard]] Octagon select(std::span<const std::uint32_t> variables) const;
  [[nodiscard]] Interval interval_of(std::uint32_t x) const;
  [[nodiscard]] Interval interval_of(const LinearForm& form) const;

  friend bool leq(const Octagon& a, const Octagon& b);
  friend Octagon join(const Octagon& a, const Octagon& b);
  friend Octagon meet(const Octagon& a, const Octagon& b);
  friend Octagon widen(const Octagon& a, const Octagon& b, std::span<const std::int64_t> thresholds);
  friend Octagon narrow(const Octagon& a, const Octagon& b);

 private:
  using Bound = double;
  static constexpr Bound none = std::numeric_limits<Bound>::infinity();

  [[nodiscard]] std::size_t width() const { return std::size_t{variables_} * 2; }
  [[nodiscard]] Bound& at(std::size_t i, std::size_t j) { return bounds_[i * width() + j]; }
  [[nodiscard]] Bound at(std::size_t i, std::size_t j) const { return bounds_[i * width() + j]; }
  [[nodiscard]] const Octagon& closed(Octagon& copy) const;
  void become_bottom();

  void close();
  void strengthen();
  void limit();
  [[nodiscard]] std::vector<Bound> singles() const;  ///< twice the highest V(i), by i
  void pass(std::size_t i, std::size_t j, Bound bound);
  void add(std::size_t i, std::size_t j, Bound bound);
  void at_most(std::uint32_t x, std::int64_t high);
  void at_least(std::uint32_t x, std::int64_t low);
  void shift(std::uint32_t x, std::int64_t by);
  void negate(std::uint32_t x);
  void copy(std::uint32_t x, std::size_t from, std::int64_t by);
  void assign_any(std::uint32_t x, const LinearForm& form);
  void at_most_zero(const LinearForm& form);
  void not_zero(const LinearForm& form);
  [[nodiscard]] Bound highest(const LinearForm& form) const;

  std::uint32_t variables_ = 0;
  bool is_bottom_ = false;
  bool is_closed_ = true;
  std::vector<Bound> bounds_;
};

}  // namespace heddle::numeric
