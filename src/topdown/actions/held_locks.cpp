// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/held_locks.h"

#include <numeric>

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

void HeldLocks::hold(State& s, FormId lock, bool shared) const {
  if (u.forms[lock].opaque) return;
  memory_.forget_unprotected(s);
  const locks::Mode mode = shared ? locks::Mode::Shared : locks::Mode::Exclusive;
  note_acquired(u, s, lock, mode);
  locks::Hold hold{.mode = mode};
  if (const auto held = u.maps.find(s.locks, lock.index()))
    hold = to_hold(*held).taken_again(mode, is_recursive_lock(lock));
  s.locks = u.maps.set(s.locks, lock.index(), to_number(hold));
}

FormId HeldLocks::section_lock() const { return u.address_of(u.object(ObjectKind::Section, 0, {}, {}, false)); }

std::optional<LockName> HeldLocks::lock_name(FormId lock) const {
  const Form& f = u.forms[lock];
  if (f.terms.size() != 1 || f.terms[0].factor != 1) return std::nullopt;
  const Symbol& sym = u.symbols[f.terms[0].symbol];
  if (sym.kind != SymbolKind::Address) return std::nullopt;
  return LockName{ObjectId(sym.a), f.constant};
}

FormId HeldLocks::canonical(const State& s, FormId address) const {
  const Info info = u.infos[d.info_of(s, address, u.pointer_bits())];
  if (info.any_address || !info.addresses) return address;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || targets[0].stride != 0 || !u.is_singleton(targets[0].object)) return address;
  return u.address_of(targets[0].object, targets[0].low);
}

bool HeldLocks::is_recursive_lock(FormId lock) const {
  const auto name = lock_name(lock);
  if (!name) return false;
  const auto it = kinds_.recursive.find(*name);
  return it != kinds_.recursive.end() && it->second;
}

bool HeldLocks::may_be_same(const State& s, FormId a, FormId b) const {
  if (a == b) return true;
  const auto one = lock_name(a), other = lock_name(b);
  if (one && other && one->object != other->object) return false;
  if (const FormId difference = u.combine(a, b, -1, u.pointer_bits()); difference && u.forms[difference].is_constant())
    return u.forms[difference].constant == 0;
  const Places x = memory_.places(s, a, 1);
  const Places y = memory_.places(s, b, 1);
  if (x.anywhere || y.anywhere) return true;
  for (const Target& p : x.targets)
    for (const Target& q : y.targets)
      if (p.object == q.object && p.low <= q.high && q.low <= p.high) {
        const auto stride = static_cast<std::int64_t>(std::gcd(p.stride, q.stride));
        if (stride == 0 ? p.low == q.low : (p.low - q.low) % stride == 0) return true;
      }
  return false;
}

}  // namespace heddle::topdown
