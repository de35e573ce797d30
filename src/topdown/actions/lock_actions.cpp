// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/lock_actions.h"

#include <algorithm>

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

using api::Effect;

void LockActions::take_lock(const Site& site, const api::TakeLock& take, State s, States& out) {
  switch (take.lock.kind) {
    case api::LockRef::Kind::Object: return acquire(site, take, s, out);
    case api::LockRef::Kind::Section: held_.hold(s, held_.section_lock(), false); break;
    case api::LockRef::Kind::Named: recorder_.untreated(site); break;
  }
  out.push_back(s);
}

void LockActions::give_lock(const Site& site, const api::GiveLock& give, State s, States& out) {
  switch (give.lock.kind) {
    case api::LockRef::Kind::Object: release(site, s, call_.argument(site, s, give.lock.object)); break;
    case api::LockRef::Kind::Section:
      // It may end somebody else's.
      if (!held_.holds(s, held_.section_lock()))
        recorder_.obstacle(site, "the end of an atomic section that may not have begun");
      drop_lock(u, s, held_.section_lock());
      memory_.forget_unprotected(s);
      break;
    case api::LockRef::Kind::Named: recorder_.untreated(site); break;
  }
  out.push_back(s);
}

/// Whether the call may succeed. Where it may fail, the state in which it did is one outcome.
bool LockActions::is_made(const Site& site, const api::SetUpObject& object, const State& s, States& out) {
  bool may_fail = !recorder_.grants(object.granted);
  bool may_succeed = true;
  if (object.valid) {
    const int which = object.recursive_if == Effect::none ? object.value : object.recursive_if;
    const Interval given = d.interval_of(s, call_.argument(site, s, which), 32);
    may_fail = may_fail || given.low < object.valid->low || given.high > object.valid->high;
    may_succeed = given.low <= object.valid->high && given.high >= object.valid->low;
  }
  if (may_fail) {
    State failed = s;
    call_.return_status(site, failed, api::Success::Zero, false);
    out.push_back(failed);
  }
  return may_succeed;
}

void LockActions::set_up(const Site& site, const api::SetUpObject& object, State s, States& out) {
  if (object.what == api::SetUpObject::What::LockEnd) return out.push_back(s);
  const bool is_attribute = object.what == api::SetUpObject::What::ThreadKind;
  if (!is_attribute && !is_made(site, object, s, out)) return;
  switch (object.what) {
    case api::SetUpObject::What::Lock: begin_lock(site, object, s); break;
    case api::SetUpObject::What::LockKind: {
      // pthread_mutexattr_settype leaves the kind in the attributes; pthread_mutex_init takes it from there.
      const FormId where = call_.argument(site, s, object.object);
      if (recorder_.access(site, s, where, 4, AccessKind::Write, false))
        memory_.store(s, where, call_.argument(site, s, object.value), 4, 32);
      call_.return_status(site, s, api::Success::Zero, true);
      break;
    }
    case api::SetUpObject::What::ThreadKind: set_thread_kind(site, object, s); break;
    case api::SetUpObject::What::Semaphore: return semaphores_.begin_semaphore(site, object, s, out);
    case api::SetUpObject::What::LockEnd:
    case api::SetUpObject::What::Other:
    case api::SetUpObject::What::Barrier:  // no order is derived from barriers
      call_.return_status(site, s, api::Success::Zero, true);
      break;
  }
  out.push_back(s);
}

/// The attributes of threads hold the detach state; pthread_create takes it from there.
void LockActions::set_thread_kind(const Site& site, const api::SetUpObject& object, State& s) {
  const FormId where = call_.argument(site, s, object.object);
  const FormId state = object.value == Effect::none ? u.constant(0) : call_.argument(site, s, object.value);
  if (recorder_.access(site, s, where, 4, AccessKind::Write, false)) memory_.store(s, where, state, 4, 32);
  if (u.constant_of(state) != 0 && !u.threads.some_attributes_detach)
    u.threads.some_attributes_detach = changed_ = true;
}

void LockActions::begin_lock(const Site& site, const api::SetUpObject& e, State& s) {
  bool recursive = e.recursive;
  bool checks_owner = false;
  if (e.value != Effect::none) {
    const FormId attributes = call_.argument(site, s, e.value);
    if (!u.infos[d.info_of(s, attributes, u.pointer_bits())].is_number()) {
      State look = s;
      const FormId kind = memory_.load(look, attributes, 4, 32, values_.result_symbol(site));
      recursive = u.forms[kind].is_constant() && u.forms[kind].constant == 1;
      checks_owner = !u.forms[kind].is_constant() || (u.forms[kind].constant != 0 && !recursive);
    }
  }
  if (e.recursive_if != Effect::none) {
    const Interval kind = d.interval_of(s, call_.argument(site, s, e.recursive_if), 32);
    recursive = kind.is_constant() && (kind.low & 1) != 0;
  }
  call_.return_status(site, s, api::Success::Zero, true);
  if (checks_owner && !kinds_.some_check_their_owner) kinds_.some_check_their_owner = changed_ = true;
  for (const Target& t : memory_.places(s, call_.argument(site, s, e.object), 1).targets) {
    const auto [it, inserted] = kinds_.recursive.try_emplace({t.object, t.low}, recursive && t.stride == 0);
    if (!inserted && it->second && !recursive) {
      it->second = false;
      changed_ = true;
    }
  }
}

/// Whether taking the lock again while holding it may fail instead of waiting for ever: error-checking mutexes, rwlocks
/// (a model says with which value), and what a static initialiser made of it.
bool LockActions::may_refuse_owner(const State& s, const api::CallOutcome& outcome, FormId lock) {
  if (outcome.failure != Effect::none || kinds_.some_check_their_owner) return true;
  const Places places = memory_.places(s, lock, 1);
  return places.anywhere || std::ranges::any_of(places.targets, [&](const Target& t) {
           if (u.objects[t.object].kind != ObjectKind::Global) return false;
           const auto& image = u.program.globals[GlobalId(u.objects[t.object].a)].bytes;
           return std::ranges::any_of(image, [](std::uint8_t byte) { return byte != 0; });
         });
}

void LockActions::acquire(const Site& site, const api::TakeLock& take, State s, States& out) {
  const bool shared = take.mode == api::LockMode::Shared;
  const api::Success success = take.outcome.success;
  const FormId lock = held_.canonical(s, call_.argument(site, s, take.lock.object));
  if (take.outcome.blocking) {
    if (success != api::Success::Always && !recorder_.grants(take.outcome.granted)) {
      State failed = s;
      call_.return_status(site, failed, success, false);
      out.push_back(failed);
    }
    if (success != api::Success::Always && may_refuse_owner(s, take.outcome, lock)) {
      // It fails only for a thread that holds it exclusively already, so it is held on this path as well.
      State refused = s;
      if (!held_.holds(s, lock)) held_.hold(refused, lock, false);
      call_.return_status(site, refused, success, false);
      out.push_back(refused);
    }
    held_.hold(s, lock, shared);
    call_.return_status(site, s, success, true);
    out.push_back(s);
    return;
  }
  State failed = s;
  call_.return_status(site, failed, success, false);
  call_.return_status(site, s, success, true);
  held_.hold(s, lock, shared);
  out.push_back(s);
  out.push_back(failed);
}

void LockActions::release(const Site& site, State& s, FormId address) {
  const FormId lock = held_.canonical(s, address);
  const auto held = u.maps.find(s.locks, lock.index());
  if (held)
    call_.return_status(site, s, api::Success::Zero, true);
  else
    call_.return_any(site, s);  // a lock of somebody else: some refuse
  if (held && to_hold(*held).count > 1) {
    s.locks = u.maps.set(s.locks, lock.index(), to_number(to_hold(*held).given_back()));
    return;
  }
  const State before = s;
  const FormId section = held_.section_lock();
  u.maps.add_work(u.maps.size(before.locks));
  u.maps.for_each(before.locks, [&](std::uint32_t other, std::uint32_t) {
    if (FormId(other) != section && held_.may_be_same(before, lock, FormId(other))) drop_lock(u, s, FormId(other));
  });
  memory_.forget_unprotected(s);
}

/// The lock of a wait, and whatever it may be, was given back for a moment: its history begins anew. If it is surely
/// held, it was taken again since the others were.
void LockActions::take_again(const Site& site, const api::UseCondition& wait, State& s) {
  const bool is_known = wait.lock != Effect::none && !wait.indirect;
  const FormId lock = is_known ? held_.canonical(s, call_.argument(site, s, wait.lock)) : FormId();
  const State before = s;
  u.maps.for_each(before.locks, [&](std::uint32_t held, std::uint32_t) {
    if (!is_known || held_.may_be_same(before, lock, FormId(held))) begin_history_anew(u, s, FormId(held));
  });
  const auto hold = is_known ? u.maps.find(s.locks, lock.index()) : std::nullopt;
  if (hold) note_acquired(u, s, lock, to_hold(*hold).mode);
}

void LockActions::use_condition(const Site& site, const api::UseCondition& use, State s, States& out) {
  switch (use.step) {
    case api::UseCondition::Step::Wait: {
      // Released and taken again: the lock is held as before, but what it protects may have changed.
      recorder_.assume_named(site, "waits-return");
      State without = s;
      without.locks = 0;
      memory_.forget_unprotected(without);
      s.memory = without.memory;
      s.seen = without.seen;
      take_again(site, use, s);
      break;
    }
    case api::UseCondition::Step::Signal:
    case api::UseCondition::Step::Broadcast: break;
  }
  out.push_back(s);
}

}  // namespace heddle::topdown
