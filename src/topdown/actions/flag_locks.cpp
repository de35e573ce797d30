// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/flag_locks.h"

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

bool FlagLocks::change_flag(State& s, const Change& change) const {
  const auto& [address, size, value, before, order] = change;
  const FormId lock = held_.canonical(s, address);
  const auto name = held_.lock_name(lock);
  if (!s.parallel || !name || u.objects[name->object].fresh || !u.is_singleton(name->object)) return false;
  const bool in_section = held_.holds(s, held_.section_lock());
  const bool acquires = in_section || order == AtomicOrder::Acquire || order >= AtomicOrder::AcqRel;
  const bool releases = in_section || order >= AtomicOrder::Release;
  const auto known = kinds_.flags.find(*name);
  if (held_.holds(s, lock)) {
    if (known == kinds_.flags.end() || u.constant_of(value) != known->second.free || !releases) return false;
    drop_lock(u, s, lock);
    memory_.forget_unprotected(s);
    return true;
  }
  State same = s;
  const bool changes = before && !d.assume_compare(same, Predicate::Eq, value, u.constant(*before), size * 8);
  if (!changes || !acquires) return false;
  if (known == kinds_.flags.end()) {
    kinds_.flags.emplace(*name, FlagUse{*before, size});
    changed_ = true;
  } else if (known->second.free != *before || known->second.size != size) {
    return false;
  }
  held_.hold(s, lock, false);
  return true;
}

std::optional<std::int64_t> FlagLocks::content_in_section(const State& s, FormId address, std::uint32_t size) const {
  const auto name = held_.lock_name(held_.canonical(s, address));
  if (!name || !s.parallel || !held_.holds(s, held_.section_lock())) return std::nullopt;
  const FormId content = memory_.known_content(s, u.cell(name->object, name->offset, size, 0));
  const Interval number = content ? d.interval_of(s, content, size * 8) : Interval::empty();
  return number.is_constant() ? std::optional(number.low) : std::nullopt;
}

}  // namespace heddle::topdown
