// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RelationalDomain: what every abstract domain over several integer variables can do. An element stands for a set of
// points, one integer for each variable; variables are numbers from 0 on.
//
//   assign(x, f)       x becomes what the form f is now; f may mention x
//   guard(f, r)        only the points in which f is at most zero, zero, not zero
//   forget(x)          x may be any integer
//   wrap(x, range)     x is read in a width that has this range: if it may lie outside, it may be anything inside
//   select(xs)         the variables xs, in this order, and no others
//   widen(a, b, t)     both, such that a sequence of these ends; t: numbers at which bounds stop on their way
//   narrow(a, b)       b is in a; what a does not bound, b may
//
// All of it is sound: the result contains every point that it has to contain. Joins and widenings lose points between;
// assign and guard of forms that a domain cannot express lose relations. tests/unit/numeric/relational_domain_test.cpp
// has the laws that all share, against sets of points.
#pragma once
#include <concepts>
#include <cstdint>
#include <span>

#include "numeric/interval.h"
#include "numeric/linear.h"

namespace heddle::numeric {

template <class D>
concept RelationalDomain =
    requires(D d, const D a, const D b, const LinearForm& form, std::uint32_t x, Relation relation, Interval range,
             std::span<const std::uint32_t> variables, std::span<const std::int64_t> thresholds) {
      D(x);  // of x variables that may be anything
      { D::bottom(x) } -> std::same_as<D>;
      { a.variables() } -> std::same_as<std::uint32_t>;
      { a.is_bottom() } -> std::same_as<bool>;
      { leq(a, b) } -> std::same_as<bool>;
      { join(a, b) } -> std::same_as<D>;
      { meet(a, b) } -> std::same_as<D>;
      { widen(a, b, thresholds) } -> std::same_as<D>;
      { narrow(a, b) } -> std::same_as<D>;
      d.assign(x, form);
      d.guard(form, relation);
      d.forget(x);
      d.wrap(x, range);
      { a.select(variables) } -> std::same_as<D>;
      { a.interval_of(x) } -> std::same_as<Interval>;
      { a.interval_of(form) } -> std::same_as<Interval>;
    };

}  // namespace heddle::numeric
