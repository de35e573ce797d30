// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library calls do to a state, by the effects of their models. Locks are in locks.cpp, threads in
// thread_effects.cpp.
#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

using api::Effect;
using api::EffectKind;

FormId TopDownAnalysis::argument(const Site& site, const State& s, int number) {
  const auto operands = site.operands();
  const std::size_t end = operands.size() - (site.code().opcode == Opcode::Invoke ? 2 : 0);
  const auto k = static_cast<std::size_t>(number) + 1;
  if (number < 0 || k >= end) return u.opaque(u.unknown(u.pointer_bits()));
  return evaluate(site, s, operands[k]);
}

std::optional<std::int64_t> TopDownAnalysis::known_length(const Site& site, const State& s, const api::Length& length) {
  auto number = [&](std::int64_t which) -> std::optional<std::int64_t> {
    const Interval i = d.interval_of(s, argument(site, s, static_cast<int>(which)), u.pointer_bits());
    return i.is_constant() && i.low >= 0 ? std::optional(i.low) : std::nullopt;
  };
  switch (length.kind) {
    case api::Length::Kind::Constant: return length.value;
    case api::Length::Kind::Words: return length.value * (u.pointer_bits() / 8);
    case api::Length::Kind::Argument: return number(length.value);
    case api::Length::Kind::Product: {
      const auto a = number(length.value);
      const auto b = number(length.second);
      return a && b ? std::optional(*a * *b) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

void TopDownAnalysis::return_status(const Site& site, State& s, api::Success success, bool succeeded) {
  const unsigned bits = bits_of(site.code().type);
  if (program_.types[site.code().type].kind == TypeKind::Void) return;
  auto not_zero = [&] {
    Info i;
    i.number = Interval::of_width(bits);
    i.has_excluded = true;
    i.excluded = 0;
    return u.info(i);
  };
  InfoId info = u.any_number(bits);
  switch (success) {
    case api::Success::Zero: info = succeeded ? u.number(Interval::constant(0)) : not_zero(); break;
    case api::Success::NonZero: info = succeeded ? not_zero() : u.number(Interval::constant(0)); break;
    case api::Success::NonNegative: {
      const Interval all = Interval::of_width(bits);
      info = u.number(succeeded ? Interval{0, all.high} : Interval{all.low, -1});
      break;
    }
    case api::Success::Always: return;
  }
  assign(site, s, defined(site, s, info));
}

void TopDownAnalysis::return_any(const Site& site, State& s) {
  if (program_.types[site.code().type].kind == TypeKind::Void) return;
  assign(site, s, defined(site, s, u.any_number(bits_of(site.code().type))));
}

void TopDownAnalysis::allocate(const Site& site, const Effect& e, State& s) {
  const auto size = known_length(site, s, e.length);
  FormId address = memory_.allocate(s, ObjectKind::Heap, site.context, thread_of(site), site.instruction,
                                    static_cast<std::uint64_t>(size.value_or(0)), e.zeroed);
  if (e.object != Effect::none) {
    const FormId where = argument(site, s, e.object);
    if (access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
      memory_.store(s, where, address, u.pointer_bits() / 8, u.pointer_bits());
    return_status(site, s, e.success, true);
    return;
  }
  assume_named("allocation-succeeds");
  assign(site, s, address);
}

bool TopDownAnalysis::library_access(const Site& site, const Effect& e, State& s) {
  const FormId where = argument(site, s, e.object);
  const Info info = u.infos[d.info_of(s, where, u.pointer_bits())];
  if (info.is_number() && info.number == Interval::constant(0)) return true;  // an optional argument left out
  const auto length = known_length(site, s, e.length);
  if (length == 0) return true;
  const auto size = static_cast<std::uint64_t>(length.value_or(0));
  const bool is_atomic =
      e.kind == EffectKind::AtomicRead || e.kind == EffectKind::AtomicWrite || e.kind == EffectKind::AtomicUpdate;
  const bool reads = e.kind == EffectKind::Read || e.kind == EffectKind::AtomicRead;
  if (!access(site, s, where, size,
              e.kind == EffectKind::Free ? AccessKind::Free
              : reads                    ? AccessKind::Read
                                         : AccessKind::Write,
              is_atomic))
    return false;
  if (e.kind == EffectKind::Write) {
    if (e.value != Effect::none)
      memory_.set_bytes(s, where, d.info_of(s, argument(site, s, e.value), 8), length ? *length : -1);
    else
      memory_.store_blurred(s, where, u.any_number(8));
  }
  if (e.kind == EffectKind::AtomicWrite || e.kind == EffectKind::AtomicUpdate) {
    InfoId content = u.any_number(64);
    if (e.value != Effect::none) {
      const FormId value = argument(site, s, e.value);
      content = e.indirect ? memory_.content_of(s, value) : d.info_of(s, value, 64);
    }
    check_publication(site, s, u.opaque(content));  // the order is not in the model
    memory_.store_blurred(s, where, u.with_addresses_of(u.any_number(64), content));
  }
  if (e.kind == EffectKind::AtomicRead || e.kind == EffectKind::AtomicUpdate) {
    const InfoId content = u.with_addresses_of(u.any_number(64), memory_.content_of(s, where));
    check_publication(site, s, u.opaque(content));
    if (program_.types[site.code().type].kind != TypeKind::Void) assign(site, s, defined(site, s, content));
    if (e.kind == EffectKind::AtomicRead && e.value != Effect::none)
      memory_.store_blurred(s, argument(site, s, e.value), content);
    if (e.kind == EffectKind::AtomicUpdate && e.argument != Effect::none)
      memory_.store_blurred(s, argument(site, s, e.argument), content);
  }
  return true;
}

void TopDownAnalysis::thread_specific(const Site& site, const Effect& e, State& s) {
  if (e.kind == EffectKind::TlsCreate) {
    const ObjectId key = u.object(ObjectKind::Key, site.instruction, site.context, thread_of(site), false);
    if (u.maps.contains(s.allocated, key.index()) && !u.objects[key].many) changed_ = u.objects[key].many = true;
    s.allocated = u.maps.set(s.allocated, key.index(), 1);
    const FormId where = argument(site, s, e.object);
    if (e.entry != Effect::none) {
      const Info destructor = u.infos[d.info_of(s, argument(site, s, e.entry), u.pointer_bits())];
      if (!destructor.is_number()) obstacle(site, "a destructor of thread-specific data");
    }
    if (access(site, s, where, 4, AccessKind::Write, false))
      memory_.store(s, where, u.address_of(key), 4, u.pointer_bits());
    assign(site, s, u.constant(0));
    return;
  }
  const Info key = u.infos[d.info_of(s, argument(site, s, e.object), 32)];
  if (!key.addresses || u.points_to[key.addresses].targets.size() != 1 || key.any_address ||
      !u.is_singleton(u.points_to[key.addresses].targets[0].object)) {
    obstacle(site, "a thread-specific value under a key that is not known");
    return;
  }
  const ObjectId key_object = u.points_to[key.addresses].targets[0].object;
  const ObjectId mine = u.object(ObjectKind::TlsValue, key_object.index(), {}, thread_of(site), true);
  u.objects[mine].settled = u.object(ObjectKind::TlsValue, key_object.index(), {}, thread_of(site), false);
  u.objects[mine].zeroed = true;
  const std::uint32_t word = u.pointer_bits() / 8;
  if (e.kind == EffectKind::TlsGet) {
    assign(site, s, memory_.load(s, u.address_of(mine), word, u.pointer_bits(), result_symbol(site)));
  } else {
    memory_.store(s, u.address_of(mine), argument(site, s, e.value), word, u.pointer_bits());
    assign(site, s, u.constant(0));
  }
}

void TopDownAnalysis::apply(const Site& site, const Effect& e, const State& before, States& out, Exits& exits) {
  State s = before;
  switch (e.kind) {
    case EffectKind::Acquire: return acquire(site, e, s, out);
    case EffectKind::Release: release(site, s, argument(site, s, e.object)); break;
    case EffectKind::LockInit:
    case EffectKind::SetRecursive: lock_kind(site, e, s); break;
    case EffectKind::LockDestroy:
    case EffectKind::Signal:
    case EffectKind::Broadcast:
    case EffectKind::Detach:
    case EffectKind::Nondet: break;
    case EffectKind::Wait: {
      // Released and taken again: the lock is held as before, but what it protects may have changed.
      assume_named("waits-return");
      State without = s;
      without.locks = 0;
      memory_.forget_unprotected(without);
      s.memory = without.memory;
      break;
    }
    case EffectKind::Spawn: return spawn(site, e, s, out);
    case EffectKind::Join:
      if (!e.blocking) {  // may give up
        State failed = s;
        return_status(site, failed, e.success, false);
        out.push_back(failed);
      }
      join_thread(site, e, s);
      break;
    case EffectKind::ThreadExit:
      note_thread_end(thread_of(site), s);
      if (thread_of(site) == main_) run_at_exit(s);
      if (has_landing_pads_) obstacle(site, "a thread that ends here runs the destructors of its frames");
      return;
    case EffectKind::CurrentThread: assign(site, s, defined(site, s, u.any_number(bits_of(site.code().type)))); break;
    case EffectKind::BarrierInit:
    case EffectKind::BarrierWait: break;  // no order is derived from barriers
    case EffectKind::Once: return once(site, e, s, out);
    case EffectKind::SemInit:
    case EffectKind::SemWait:
    case EffectKind::SemPost: return semaphore(site, e, s, out);
    case EffectKind::AtomicBegin: hold(s, section_lock(), false); break;
    case EffectKind::AtomicEnd:
      // It may end somebody else's.
      if (!u.maps.contains(s.locks, section_lock().index()))
        obstacle(site, "the end of an atomic section that may not have begun");
      s.locks = u.maps.erase(s.locks, section_lock().index());
      memory_.forget_unprotected(s);
      break;
    case EffectKind::TlsCreate:
    case EffectKind::TlsGet:
    case EffectKind::TlsSet: thread_specific(site, e, s); break;
    case EffectKind::Allocate: allocate(site, e, s); break;
    case EffectKind::Free: {
      const Info freed = u.infos[d.info_of(s, argument(site, s, e.object), u.pointer_bits())];
      if (!freed.is_number() && !library_access(site, e, s)) return;
      break;
    }
    case EffectKind::Reallocate: {
      const FormId old = argument(site, s, e.object);
      if (!u.infos[d.info_of(s, old, u.pointer_bits())].is_number()) access(site, s, old, 0, AccessKind::Free, false);
      const InfoId content = memory_.content_of(s, old);
      allocate(site, e, s);
      const auto result =
          u.maps.find(s.environment, u.environment_key(site.context, site.function->result_of(site.instruction)));
      if (result) memory_.store_blurred(s, FormId(*result), content);
      break;
    }
    case EffectKind::Read:
    case EffectKind::Write:
    case EffectKind::AtomicRead:
    case EffectKind::AtomicWrite:
    case EffectKind::AtomicUpdate:
      if (!library_access(site, e, s)) return;
      break;
    case EffectKind::Copy: {
      const auto length = known_length(site, s, e.length);
      memory_.copy(s, argument(site, s, e.object), argument(site, s, e.value), length.value_or(0), length.has_value());
      break;
    }
    case EffectKind::Returns: assign(site, s, argument(site, s, e.object)); break;
    case EffectKind::ReturnsInto: {
      const InfoId into = d.blur(d.info_of(s, argument(site, s, e.object), u.pointer_bits()), u.pointer_bits());
      assign(site, s, defined(site, s, u.with_addresses_of(u.number(Interval::constant(0)), into)));
      break;
    }
    case EffectKind::Assume:
      if (!d.assume(s, argument(site, s, e.object),
                    operand_bits(site, site.operands()[static_cast<std::size_t>(e.object) + 1]), true))
        return;
      break;
    case EffectKind::NoReturn:
      if (e.note == "exit") run_at_exit(s);
      return;
    case EffectKind::OnceBegin:
    case EffectKind::OnceEnd:
    case EffectKind::OnceAbort: return once_in_place(site, e, s, out);
    case EffectKind::InvokeGlobal: return invoke_global(site, e, s, out);
    case EffectKind::AtExit: {
      bool known = false;
      const std::vector<FunctionId> functions =
          functions_in(d.info_of(s, argument(site, s, e.entry), u.pointer_bits()), known);
      const Operand callee = site.operands()[static_cast<std::size_t>(e.entry) + 1];
      const api::Model* model =
          callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
      const bool has_nothing_to_do = model && std::ranges::all_of(model->effects, [](const Effect& at_end) {
                                       return at_end.kind == EffectKind::LockDestroy;
                                     });
      if (e.per_thread || (!known && !has_nothing_to_do))
        obstacle(site, "a function to run at the end that is not known");
      InfoId given = u.any_number(u.pointer_bits());
      if (e.argument != Effect::none) {
        given = d.info_of(s, argument(site, s, e.argument), u.pointer_bits());
        memory_.publish(s, given);
        given = memory_.settled(given);
      }
      for (const FunctionId f : functions) {
        const auto [it, inserted] = at_exit_.try_emplace(f, given);
        const InfoId joined = u.join(it->second, given);
        if (inserted || joined != it->second) changed_ = true;
        it->second = joined;
      }
      return_status(site, s, api::Success::Zero, true);
      break;
    }
    case EffectKind::ReturnsHidden: {
      const ThreadId owner = e.per_thread ? thread_of(site) : ThreadId();
      const ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, owner, e.per_thread, e.note);
      if (e.per_thread) u.objects[hidden].settled = u.object(ObjectKind::Hidden, 0, {}, owner, false, e.note);
      const bool published = e.per_thread && u.maps.contains(s.allocated, u.objects[hidden].settled.index());
      assign(site, s,
             published ? u.opaque(u.addresses({{hidden, 0, 0, 0}, {u.objects[hidden].settled, 0, 0, 0}}))
                       : u.address_of(hidden));
      if (e.holds_key)
        memory_.store(s, u.address_of(hidden), u.address_of(u.object(ObjectKind::Key, 0, {}, {}, false, e.note)), 4,
                      u.pointer_bits());
      break;
    }
    case EffectKind::StoresInto: {
      const FormId where = argument(site, s, e.object);
      if (u.infos[d.info_of(s, where, u.pointer_bits())].is_number()) break;
      const InfoId into = d.blur(d.info_of(s, argument(site, s, e.value), u.pointer_bits()), u.pointer_bits());
      if (!access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false)) return;
      memory_.store(s, where, u.opaque(into), u.pointer_bits() / 8, u.pointer_bits());
      break;
    }
    case EffectKind::Throw: exits.unwinds.push_back(s); return;
    case EffectKind::HiddenRead:
    case EffectKind::HiddenWrite: {
      const ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, {}, false, e.note);
      access(site, s, u.address_of(hidden), 1, e.kind == EffectKind::HiddenRead ? AccessKind::Read : AccessKind::Write,
             false);
      break;
    }
    case EffectKind::ReadVariadic:
    case EffectKind::WriteVariadic: {
      const auto given = arguments(site, s);
      for (std::size_t k = static_cast<std::size_t>(e.object); k < given.size() && !e.indirect; ++k) {
        const Info info = u.infos[d.info_of(s, given[k], u.pointer_bits())];
        if (info.is_number()) continue;
        if (!access(site, s, given[k], 0, e.kind == EffectKind::ReadVariadic ? AccessKind::Read : AccessKind::Write,
                    false))
          return;
        if (e.kind == EffectKind::WriteVariadic) memory_.store_blurred(s, given[k], u.any_number(8));
      }
      if (e.indirect) obstacle(site, "a variable argument list is passed on");
      break;
    }
    case EffectKind::Unsupported:
      if (e.entry != Effect::none && u.infos[d.info_of(s, argument(site, s, e.entry), u.pointer_bits())].is_number())
        break;
      obstacle(site, "a call of '" + std::string(program_.functions[callees_of(site)].name) + "': " + e.note +
                         " is not treated");
      break;
    default:
      obstacle(site, "a call of '" + std::string(program_.functions[callees_of(site)].name) +
                         "', an effect of which is not treated yet");
      break;
  }
  out.push_back(s);
}

}  // namespace heddle::topdown
