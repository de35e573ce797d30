// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an act makes of what is known of the variables, in any domain of numbers.
#pragma once
#include <set>
#include <utility>

#include "judge/thread_graphs/model.h"
#include "numeric/relational_domain.h"

namespace heddle::judge::transaction {

/// left + constant <= right
template <numeric::RelationalDomain D>
void guard_at_most(D& part, const LinearForm& left, const LinearForm& right, std::int64_t constant) {
  auto form = sum(left, right, -1);
  if (form) form = sum(std::move(*form), LinearForm::number(constant));
  if (form) part.guard(*form, numeric::Relation::AtMostZero);
}

/// left < right, or left <= right, of their bits: as it stands if neither is negative; if `right` is not, `left` is not
/// either.
template <numeric::RelationalDomain D>
void guard_unsigned(D& part, const LinearForm& left, const LinearForm& right, std::int64_t constant) {
  if (part.interval_of(right).low < 0) return;
  guard_at_most(part, LinearForm::number(0), left, 0);
  guard_at_most(part, left, right, constant);
}

template <numeric::RelationalDomain D>
void restrict(D& part, const Guard& guard) {
  const LinearForm &a = guard.left, &b = guard.right;
  const auto zero = [&](numeric::Relation relation) {
    if (const auto form = sum(a, b, -1)) part.guard(*form, relation);
  };
  switch (guard.predicate) {
    case Predicate::Eq: return zero(numeric::Relation::Zero);
    case Predicate::Ne: return zero(numeric::Relation::NotZero);
    case Predicate::Slt: return guard_at_most(part, a, b, 1);
    case Predicate::Sle: return guard_at_most(part, a, b, 0);
    case Predicate::Sgt: return guard_at_most(part, b, a, 1);
    case Predicate::Sge: return guard_at_most(part, b, a, 0);
    case Predicate::Ult: return guard_unsigned(part, a, b, 1);
    case Predicate::Ule: return guard_unsigned(part, a, b, 0);
    case Predicate::Ugt: return guard_unsigned(part, b, a, 1);
    case Predicate::Uge: return guard_unsigned(part, b, a, 0);
    default: return;  // of floats: nothing is known
  }
}

/// The variable keeps what it has in that range.
template <numeric::RelationalDomain D>
void hold(D& part, VariableIndex target, Interval range) {
  if (range == Interval::of_width(64)) return;
  part.guard(LinearForm::variable(target, -1, range.low), numeric::Relation::AtMostZero);
  part.guard(LinearForm::variable(target, 1, -range.high), numeric::Relation::AtMostZero);
}

/// What the act makes of the thread's part. False: no execution does it.
template <numeric::RelationalDomain D>
bool apply(const Model& model, D& part, const Act& act, std::set<VariableIndex>& written) {
  if (const Assign* assign = std::get_if<Assign>(&act)) {
    part.assign(assign->target, assign->form);
    if (assign->wraps)
      part.wrap(assign->target, assign->range);
    else
      hold(part, assign->target, assign->range);
    if (model.is_shared(assign->target)) written.insert(assign->target);
  } else if (const Forget* forget = std::get_if<Forget>(&act)) {
    part.forget(forget->target);
    hold(part, forget->target, forget->range);
    if (model.is_shared(forget->target)) written.insert(forget->target);
  } else if (const Guard* guard = std::get_if<Guard>(&act)) {
    restrict(part, *guard);
  }
  return !part.is_bottom();
}

}  // namespace heddle::judge::transaction
