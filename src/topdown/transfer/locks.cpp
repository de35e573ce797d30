// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks. What is held is kept as forms, so that releasing `&p->m` finds the `&p->m` that was taken. A release through a
// pointer that may be a held lock takes that lock out of the set: only what is surely held stays (RELAY's L+).
#include <algorithm>
#include <numeric>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

using api::Effect;

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
  memory_.forget_unprotected(s);
  const locks::Mode mode = shared ? locks::Mode::Shared : locks::Mode::Exclusive;
  locks::Hold hold{.mode = mode};
  if (const auto held = u.maps.find(s.locks, lock.index()))
    hold = to_hold(*held).taken_again(mode, is_recursive_lock(lock));
  s.locks = u.maps.set(s.locks, lock.index(), to_number(hold));
}

/// The one concrete lock a form names; none if it depends on values.
std::optional<LockName> TopDownAnalysis::lock_name(FormId lock) const {
  const Form& f = u.forms[lock];
  if (f.terms.size() != 1 || f.terms[0].factor != 1) return std::nullopt;
  const Symbol& sym = u.symbols[f.terms[0].symbol];
  if (sym.kind != SymbolKind::Address) return std::nullopt;
  return LockName{ObjectId(sym.a), f.constant};
}

bool TopDownAnalysis::is_recursive_lock(FormId lock) const {
  const auto name = lock_name(lock);
  if (!name) return false;
  const auto it = kinds_.recursive.find(*name);
  return it != kinds_.recursive.end() && it->second;
}

void TopDownAnalysis::set_up(const Site& site, const api::SetUpObject& object, State s, States& out) {
  switch (object.what) {
    case api::SetUpObject::What::Lock: begin_lock(site, object, s); break;
    case api::SetUpObject::What::LockKind: {
      // pthread_mutexattr_settype leaves the kind in the attributes; pthread_mutex_init takes it from there.
      const FormId where = argument(site, s, object.object);
      if (access(site, s, where, 4, AccessKind::Write, false))
        memory_.store(s, where, argument(site, s, object.value), 4, 32);
      return_status(site, s, api::Success::Zero, true);
      break;
    }
    case api::SetUpObject::What::Semaphore: return begin_semaphore(site, object, s, out);
    case api::SetUpObject::What::LockEnd:
    case api::SetUpObject::What::Barrier: break;  // no order is derived from barriers
  }
  out.push_back(s);
}

void TopDownAnalysis::begin_lock(const Site& site, const api::SetUpObject& e, State& s) {
  bool recursive = e.recursive;
  bool checks_owner = false;
  if (e.value != Effect::none) {
    const FormId attributes = argument(site, s, e.value);
    if (!u.infos[d.info_of(s, attributes, u.pointer_bits())].is_number()) {
      State look = s;
      const FormId kind = memory_.load(look, attributes, 4, 32, result_symbol(site));
      recursive = u.forms[kind].is_constant() && u.forms[kind].constant == 1;
      checks_owner = !u.forms[kind].is_constant() || (u.forms[kind].constant != 0 && !recursive);
    }
  }
  if (e.recursive_if != Effect::none) {
    const Interval kind = d.interval_of(s, argument(site, s, e.recursive_if), 32);
    recursive = kind.is_constant() && (kind.low & 1) != 0;
  }
  return_status(site, s, api::Success::Zero, true);
  if (checks_owner && !kinds_.some_check_their_owner) kinds_.some_check_their_owner = changed_ = true;
  for (const Target& t : memory_.places(s, argument(site, s, e.object), 1).targets) {
    const auto [it, inserted] = kinds_.recursive.try_emplace({t.object, t.low}, recursive && t.stride == 0);
    if (!inserted && it->second && !recursive) {
      it->second = false;
      changed_ = true;
    }
  }
}

/// Whether taking the lock again while holding it may fail instead of waiting for ever: error-checking mutexes, rwlocks
/// (a model says with which value), and what a static initialiser made of it.
bool TopDownAnalysis::may_refuse_owner(const State& s, const api::Outcome& outcome, FormId lock) {
  if (outcome.failure != Effect::none || kinds_.some_check_their_owner) return true;
  const Places places = memory_.places(s, lock, 1);
  return places.anywhere || std::ranges::any_of(places.targets, [&](const Target& t) {
           if (u.objects[t.object].kind != ObjectKind::Global) return false;
           const auto& image = program_.globals[GlobalId(u.objects[t.object].a)].bytes;
           return std::ranges::any_of(image, [](std::uint8_t byte) { return byte != 0; });
         });
}

void TopDownAnalysis::take_lock(const Site& site, const api::TakeLock& take, State s, States& out) {
  switch (take.lock.kind) {
    case api::LockRef::Kind::Object: return acquire(site, take, s, out);
    case api::LockRef::Kind::Section: hold(s, section_lock(), false); break;
    case api::LockRef::Kind::Named: untreated(site); break;
  }
  out.push_back(s);
}

void TopDownAnalysis::give_lock(const Site& site, const api::GiveLock& give, State s, States& out) {
  switch (give.lock.kind) {
    case api::LockRef::Kind::Object: release(site, s, argument(site, s, give.lock.object)); break;
    case api::LockRef::Kind::Section:
      // It may end somebody else's.
      if (!u.maps.contains(s.locks, section_lock().index()))
        obstacle(site, "the end of an atomic section that may not have begun");
      s.locks = u.maps.erase(s.locks, section_lock().index());
      memory_.forget_unprotected(s);
      break;
    case api::LockRef::Kind::Named: untreated(site); break;
  }
  out.push_back(s);
}

void TopDownAnalysis::acquire(const Site& site, const api::TakeLock& take, State s, States& out) {
  const bool shared = take.mode == api::LockMode::Shared;
  const api::Success success = take.outcome.success;
  const FormId lock = canonical(s, argument(site, s, take.lock.object));
  if (take.outcome.blocking) {
    assume_named("locks-succeed");
    if (success != api::Success::Always && may_refuse_owner(s, take.outcome, lock)) {
      // It fails only for who holds it exclusively already, so it is held on this path as well.
      State refused = s;
      if (!u.maps.find(s.locks, lock.index())) hold(refused, lock, false);
      return_status(site, refused, success, false);
      out.push_back(refused);
    }
    hold(s, lock, shared);
    return_status(site, s, success, true);
    out.push_back(s);
    return;
  }
  State failed = s;
  return_status(site, failed, success, false);
  return_status(site, s, success, true);
  hold(s, lock, shared);
  out.push_back(s);
  out.push_back(failed);
}

void TopDownAnalysis::release(const Site& site, State& s, FormId address) {
  const FormId lock = canonical(s, address);
  const auto held = u.maps.find(s.locks, lock.index());
  if (held)
    return_status(site, s, api::Success::Zero, true);
  else
    return_any(site, s);  // a lock of somebody else: some refuse
  if (held && to_hold(*held).count > 1) {
    s.locks = u.maps.set(s.locks, lock.index(), to_number(to_hold(*held).given_back()));
    return;
  }
  const State before = s;
  u.maps.for_each(before.locks, [&](std::uint32_t other, std::uint32_t) {
    if (FormId(other) != section_lock() && may_be_same(before, lock, FormId(other)))
      s.locks = u.maps.erase(s.locks, other);
  });
  memory_.forget_unprotected(s);
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

/// A semaphore that is not used as a lock is none.
void TopDownAnalysis::misuse_semaphore(const Site& site, const State& s, FormId semaphore) {
  const Places places = memory_.places(s, semaphore, 1);
  if (places.anywhere) obstacle(site, "a semaphore that is not known");
  for (const Target& t : places.targets) {
    if (t.stride == 0)
      kinds_.semaphores[{t.object, t.low}].misused = true;
    else
      all_misused_.insert(t.object);
  }
}

void TopDownAnalysis::begin_semaphore(const Site& site, const api::SetUpObject& begin, State s, States& out) {
  const FormId lock = canonical(s, argument(site, s, begin.object));
  const auto name = lock_name(lock);
  return_status(site, s, api::Success::Zero, true);
  const Interval value = d.interval_of(s, argument(site, s, begin.value), 32);
  if (name && value == Interval::constant(1) && !s.parallel && !u.maps.contains(s.locks, lock.index()))
    kinds_.semaphores[*name].initialised_to_one = true;
  else
    misuse_semaphore(site, s, lock);
  out.push_back(s);
}

void TopDownAnalysis::semaphore(const Site& site, const api::UseSemaphore& use, State s, States& out) {
  const FormId lock = canonical(s, argument(site, s, use.object));
  const auto name = lock_name(lock);
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      if (name) kinds_.semaphores[*name];
      State failed = s;
      return_status(site, s, use.outcome.success, true);
      if (name) hold(s, lock, false);
      out.push_back(s);
      if (!use.outcome.blocking) {
        return_status(site, failed, use.outcome.success, false);
        out.push_back(failed);
      }
      return;
    }
    case api::UseSemaphore::Step::Post:
      return_status(site, s, api::Success::Zero, true);
      if (!name || !u.maps.contains(s.locks, lock.index())) misuse_semaphore(site, s, lock);
      s.locks = u.maps.erase(s.locks, lock.index());
      out.push_back(s);
      return;
  }
}

/// A store that takes or frees a lock made of a variable (see LockKinds). `before` is what the variable surely held in
/// the same atomic step. The orders must be strong enough to pass on what the last holder wrote.
bool TopDownAnalysis::change_flag(State& s, FormId address, std::uint32_t size, FormId value,
                                  std::optional<std::int64_t> before, AtomicOrder order) {
  const FormId lock = canonical(s, address);
  const auto name = lock_name(lock);
  if (!s.parallel || !name || u.objects[name->object].fresh || !u.is_singleton(name->object)) return false;
  const bool in_section = u.maps.contains(s.locks, section_lock().index());
  const bool acquires = in_section || order == AtomicOrder::Acquire || order >= AtomicOrder::AcqRel;
  const bool releases = in_section || order >= AtomicOrder::Release;
  const auto known = kinds_.flags.find(*name);
  if (u.maps.contains(s.locks, lock.index())) {
    if (known == kinds_.flags.end() || constant_of(value) != known->second.free || !releases) return false;
    s.locks = u.maps.erase(s.locks, lock.index());
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
  hold(s, lock, false);
  return true;
}

/// Compare-and-exchange and exchange: the outcomes go on as states of their own, so that a lock taken by one is held in
/// the right branch only. The result of a compare-and-exchange is kept as 1 (done) or 0.
void TopDownAnalysis::exchange(const Site& site, const State& before, States& out) {
  const Instruction& code = site.code();
  const bool compares = code.opcode == Opcode::CmpXchg;
  const auto size = static_cast<std::uint32_t>(program_.types[code.access_type].size_bytes());
  const unsigned bits = bits_of(code.access_type);
  State s = before;
  if (!access(site, s, evaluate(site, s, site.operands()[0]), size, AccessKind::Write, true)) return;
  Symbol name = u.symbols[result_symbol(site)];
  name.bits = static_cast<std::uint8_t>(bits);
  const FormId old = memory_.load(s, evaluate(site, s, site.operands()[0]), size, bits, u.symbol(name));
  // Evaluated only now: the load gave its name away.
  const FormId address = evaluate(site, s, site.operands()[0]);
  const FormId given = evaluate(site, s, site.operands()[compares ? 2 : 1]);
  const FormId expected = compares ? evaluate(site, s, site.operands()[1]) : given;
  if (code.order < AtomicOrder::AcqRel) {
    check_publication(site, s, given);
    check_publication(site, s, old);
  }
  State equal = s;
  State different = s;
  const bool may_equal = d.assume_compare(equal, Predicate::Eq, old, expected, bits);
  const bool may_differ =
      d.assume_compare(different, Predicate::Ne, old, expected, bits) || (compares && code.has_flag(Instruction::weak));
  if (compares) {
    if (may_equal) {
      const bool flag = change_flag(equal, address, size, given, constant_of(expected), code.order);
      memory_.store(equal, address, given, size, bits, flag);
      assign(site, equal, u.constant(1));
      out.push_back(equal);
    }
    if (may_differ) {
      const auto failure = static_cast<AtomicOrder>(code.detail);
      if (failure != AtomicOrder::Acquire && failure < AtomicOrder::AcqRel) check_publication(site, different, old);
      assign(site, different, u.constant(0));
      out.push_back(different);
    }
    return;
  }
  if (may_equal) {  // nothing changes
    assign(site, equal, old);
    memory_.store(equal, address, given, size, bits, true);
    out.push_back(equal);
  }
  if (may_differ) {
    const Interval was = d.interval_of(different, old, bits);
    const auto value = was.is_constant() ? std::optional(was.low) : std::nullopt;
    const bool flag = change_flag(different, address, size, given, value, code.order);
    assign(site, different, old);
    memory_.store(different, address, given, size, bits, flag);
    out.push_back(different);
  }
}

}  // namespace heddle::topdown
