// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks. What is held is kept as forms, so that releasing `&p->m` finds the `&p->m` that was taken. A release through a
// pointer that may be a held lock takes that lock out of the set: only what is surely held stays (RELAY's L+).
#include <algorithm>
#include <numeric>

#include "summary/top_down_analysis.h"

namespace heddle::summary {

using api::Effect;
using api::EffectKind;

FormId TopDownAnalysis::section_lock() { return u.address_of(u.object(ObjectKind::Section, 0, {}, {}, false)); }

/// A pointer that can only be one address (or null, which it is not where it is used) is that address.
FormId TopDownAnalysis::canonical(const State& s, FormId address) const {
  const Info info = u.infos[d.info_of(s, address, u.pointer_bits())];
  if (info.any_address || !info.addresses) return address;
  const auto& targets = u.points_to[info.addresses].targets;
  if (targets.size() != 1 || targets[0].stride != 0 || !u.is_singleton(targets[0].object)) return address;
  return u.address_of(targets[0].object, targets[0].low);
}

void TopDownAnalysis::hold(State& s, FormId lock, bool shared) {
  if (u.forms[lock].opaque) return;
  std::uint32_t count = 1;
  if (const auto held = u.maps.find(s.locks, lock.index())) {
    shared = shared || Hold::is_shared(*held);
    if (is_recursive_lock(lock)) count = std::min(Hold::count(*held) + 1, 16U);
  }
  s.locks = u.maps.set(s.locks, lock.index(), Hold::make(shared, count));
}

bool TopDownAnalysis::is_recursive_lock(FormId lock) const {
  const Form& f = u.forms[lock];
  if (f.terms.size() != 1 || u.symbols[f.terms[0].symbol].kind != SymbolKind::Address) return false;
  const auto it = recursive_.find({ObjectId(u.symbols[f.terms[0].symbol].a), f.constant});
  return it != recursive_.end() && it->second;
}

/// pthread_mutexattr_settype leaves the kind in the attributes; pthread_mutex_init takes it from there.
void TopDownAnalysis::lock_kind(const Site& site, const Effect& e, State& s) {
  if (e.kind == EffectKind::SetRecursive) {
    const FormId where = argument(site, s, e.object);
    if (access(site, s, where, 4, AccessKind::Write, false)) memory_.store(s, where, argument(site, s, e.value), 4, 32);
    return_status(site, s, api::Success::Zero, true);
    return;
  }
  bool recursive = false;
  if (e.value != Effect::none) {
    const FormId attributes = argument(site, s, e.value);
    if (!u.infos[d.info_of(s, attributes, u.pointer_bits())].is_number()) {
      State look = s;
      const FormId kind = memory_.load(look, attributes, 4, 32, result_symbol(site));
      recursive = u.forms[kind].is_constant() && u.forms[kind].constant == 1;
    }
  }
  if (e.argument != Effect::none) {
    const Interval kind = d.interval_of(s, argument(site, s, e.argument), 32);
    recursive = kind.is_constant() && (kind.low & 1) != 0;
  }
  return_status(site, s, api::Success::Zero, true);
  for (const Target& t : memory_.places(s, argument(site, s, e.object), 1).targets) {
    const auto [it, inserted] = recursive_.try_emplace({t.object, t.low}, recursive && t.stride == 0);
    if (!inserted && it->second && !recursive) {
      it->second = false;
      changed_ = true;
    }
  }
}

void TopDownAnalysis::acquire(const Site& site, const Effect& e, State s, States& out) {
  const bool shared = e.mode == api::LockMode::Shared;
  if (e.blocking) {
    assume_named("locks-succeed");
    hold(s, canonical(s, argument(site, s, e.object)), shared);
    return_status(site, s, e.success, true);
    out.push_back(s);
    return;
  }
  State failed = s;
  return_status(site, failed, e.success, false);
  return_status(site, s, e.success, true);
  hold(s, canonical(s, argument(site, s, e.object)), shared);
  out.push_back(s);
  out.push_back(failed);
}

void TopDownAnalysis::release(const Site& site, State& s, FormId address) {
  const FormId lock = canonical(s, address);
  const auto held = u.maps.find(s.locks, lock.index());
  return_status(site, s, api::Success::Zero, true);
  if (held && Hold::count(*held) > 1) {
    s.locks = u.maps.set(s.locks, lock.index(), Hold::make(Hold::is_shared(*held), Hold::count(*held) - 1));
    return;
  }
  const State before = s;
  u.maps.for_each(before.locks, [&](std::uint32_t other, std::uint32_t) {
    if (FormId(other) != section_lock() && may_be_same(before, lock, FormId(other)))
      s.locks = u.maps.erase(s.locks, other);
  });
}

bool TopDownAnalysis::may_be_same(const State& s, FormId a, FormId b) {
  if (a == b) return true;
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

void TopDownAnalysis::semaphore(const Site& site, const Effect& e, State s, States& out) {
  const FormId lock = canonical(s, argument(site, s, e.object));
  const Form form = u.forms[lock];
  const bool exact = form.terms.size() == 1 && u.symbols[form.terms[0].symbol].kind == SymbolKind::Address;
  auto misuse = [&] {
    for (const Target& t : memory_.places(s, lock, 1).targets) {
      auto& uses = semaphores_[t.object];
      for (auto& [offset, use] : uses)
        if (t.stride != 0 || offset == t.low) use.misused = true;
      if (t.stride == 0) uses[t.low].misused = true;
      all_misused_.insert(t.object);
    }
  };
  if (e.kind == EffectKind::SemWait) {
    if (exact) semaphores_[ObjectId(u.symbols[form.terms[0].symbol].a)][form.constant];
    State failed = s;
    return_status(site, s, e.success, true);
    if (exact) hold(s, lock, false);
    out.push_back(s);
    if (!e.blocking) {
      return_status(site, failed, e.success, false);
      out.push_back(failed);
    }
    return;
  }
  if (e.kind == EffectKind::SemInit) {
    const Interval value = d.interval_of(s, argument(site, s, e.value), 32);
    if (exact && value == Interval::constant(1) && !s.parallel && !u.maps.contains(s.locks, lock.index()))
      semaphores_[ObjectId(u.symbols[form.terms[0].symbol].a)][form.constant].initialised_to_one = true;
    else
      misuse();
    return_status(site, s, api::Success::Zero, true);
    out.push_back(s);
    return;
  }
  const bool held = exact && u.maps.contains(s.locks, lock.index());
  if (!held) misuse();
  s.locks = u.maps.erase(s.locks, lock.index());
  return_status(site, s, api::Success::Zero, true);
  out.push_back(s);
}

}  // namespace heddle::summary
