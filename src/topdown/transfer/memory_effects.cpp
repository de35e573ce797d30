// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library calls do to memory: allocating, touching, moving pointers, values of which each thread has its own.
// False from a function here: no execution gets behind the call.
#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

using api::Effect;

void TopDownAnalysis::allocate(const Site& site, const api::MakeMemory& make, State& s) {
  const FormId old = make.old == Effect::none ? FormId() : argument(site, s, make.old);
  InfoId content;
  if (old) {
    if (!u.infos[d.info_of(s, old, u.pointer_bits())].is_number()) access(site, s, old, 0, AccessKind::Free, false);
    content = memory_.content_of(s, old);
  }
  const auto size = known_length(site, s, make.length);
  const FormId address = memory_.allocate(s, ObjectKind::Heap, site.context, thread_of(site), site.instruction,
                                          static_cast<std::uint64_t>(size.value_or(0)), make.zeroed);
  if (make.into != Effect::none) {
    const FormId where = argument(site, s, make.into);
    if (access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
      memory_.store(s, where, address, u.pointer_bits() / 8, u.pointer_bits());
    return_status(site, s, make.success, true);
    return;
  }
  assume_named("allocation-succeeds");
  if (old) memory_.store_blurred(s, address, content);
  assign(site, s, address);
}

bool TopDownAnalysis::touch_memory(const Site& site, const api::Touch& touch, State& s) {
  switch (touch.extent) {
    case api::Touch::Extent::Object: return touch_object(site, touch, s);
    case api::Touch::Extent::Variadic: return touch_variadic(site, touch, s);
    case api::Touch::Extent::Reachable: untreated(site); return true;
    case api::Touch::Extent::Hidden: {
      const ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, {}, false, std::string(touch.name));
      access(site, s, u.address_of(hidden), 1, access_kind(touch.mode), false);
      return true;
    }
  }
  return true;
}

AccessKind TopDownAnalysis::access_kind(api::Touch::Mode mode) {
  switch (mode) {
    case api::Touch::Mode::Read: return AccessKind::Read;
    case api::Touch::Mode::Write: return AccessKind::Write;
    case api::Touch::Mode::Free: return AccessKind::Free;
  }
  return AccessKind::Write;
}

bool TopDownAnalysis::touch_object(const Site& site, const api::Touch& touch, State& s) {
  const FormId where = argument(site, s, touch.object);
  const Info info = u.infos[d.info_of(s, where, u.pointer_bits())];
  if (touch.mode == api::Touch::Mode::Free && info.is_number()) return true;
  if (info.is_number() && info.number == Interval::constant(0)) return true;  // an optional argument left out
  const auto length = known_length(site, s, touch.length);
  if (length == 0) return true;
  if (!access(site, s, where, static_cast<std::uint64_t>(length.value_or(0)), access_kind(touch.mode), false))
    return false;
  if (touch.mode != api::Touch::Mode::Write) return true;
  if (touch.fill != Effect::none)
    memory_.set_bytes(s, where, d.info_of(s, argument(site, s, touch.fill), 8), length ? *length : -1);
  else
    memory_.store_blurred(s, where, u.any_number(8));
  return true;
}

bool TopDownAnalysis::touch_variadic(const Site& site, const api::Touch& touch, State& s) {
  if (touch.is_list) {
    obstacle(site, "a variable argument list is passed on");
    return true;
  }
  const auto given = arguments(site, s);
  for (auto k = static_cast<std::size_t>(touch.object); k < given.size(); ++k) {
    if (u.infos[d.info_of(s, given[k], u.pointer_bits())].is_number()) continue;
    if (!access(site, s, given[k], 0, access_kind(touch.mode), false)) return false;
    if (touch.mode == api::Touch::Mode::Write) memory_.store_blurred(s, given[k], u.any_number(8));
  }
  return true;
}

bool TopDownAnalysis::touch_atomic(const Site& site, const api::TouchAtomic& touch, State& s) {
  using Step = api::TouchAtomic::Step;
  const FormId where = argument(site, s, touch.object);
  const Info info = u.infos[d.info_of(s, where, u.pointer_bits())];
  if (info.is_number() && info.number == Interval::constant(0)) return true;
  const auto length = known_length(site, s, touch.length);
  if (length == 0) return true;
  const AccessKind kind = touch.step == Step::Read ? AccessKind::Read : AccessKind::Write;
  if (!access(site, s, where, static_cast<std::uint64_t>(length.value_or(0)), kind, true)) return false;
  if (touch.step != Step::Read) {
    InfoId content = u.any_number(64);
    if (touch.value != Effect::none) {
      const FormId value = argument(site, s, touch.value);
      content = touch.indirect ? memory_.content_of(s, value) : d.info_of(s, value, 64);
    }
    check_publication(site, s, u.opaque(content));  // the order is not in the model
    memory_.store_blurred(s, where, u.with_addresses_of(u.any_number(64), content));
  }
  if (touch.step == Step::Write) return true;
  const InfoId content = u.with_addresses_of(u.any_number(64), memory_.content_of(s, where));
  check_publication(site, s, u.opaque(content));
  if (program_.types[site.code().type].kind != TypeKind::Void) assign(site, s, defined(site, s, content));
  const api::Argument to = touch.step == Step::Read ? touch.value : touch.expected;
  if (to != Effect::none) memory_.store_blurred(s, argument(site, s, to), content);
  return true;
}

bool TopDownAnalysis::move_pointers(const Site& site, const api::MovePointers& move, State& s) {
  const FormId to = argument(site, s, move.to);
  switch (move.how) {
    case api::MovePointers::How::Content: {
      const auto length = known_length(site, s, move.length);
      memory_.copy(s, to, argument(site, s, move.from), length.value_or(0), length.has_value());
      return true;
    }
    case api::MovePointers::How::Into: {
      if (u.infos[d.info_of(s, to, u.pointer_bits())].is_number()) return true;
      const InfoId into = d.blur(d.info_of(s, argument(site, s, move.from), u.pointer_bits()), u.pointer_bits());
      if (!access(site, s, to, u.pointer_bits() / 8, AccessKind::Write, false)) return false;
      memory_.store(s, to, u.opaque(into), u.pointer_bits() / 8, u.pointer_bits());
      return true;
    }
  }
  return true;
}

void TopDownAnalysis::create_key(const Site& site, const api::UseThreadValue& use, State& s) {
  const ObjectId key = u.object(ObjectKind::Key, site.instruction, site.context, thread_of(site), false);
  if (u.maps.contains(s.allocated, key.index()) && !u.objects[key].many) changed_ = u.objects[key].many = true;
  s.allocated = u.maps.set(s.allocated, key.index(), 1);
  const FormId where = argument(site, s, use.key);
  if (use.destructor != Effect::none) {
    const Info destructor = u.infos[d.info_of(s, argument(site, s, use.destructor), u.pointer_bits())];
    if (!destructor.is_number()) obstacle(site, "a destructor of thread-specific data");
  }
  if (access(site, s, where, 4, AccessKind::Write, false))
    memory_.store(s, where, u.address_of(key), 4, u.pointer_bits());
  assign(site, s, u.constant(0));
}

void TopDownAnalysis::thread_specific(const Site& site, const api::UseThreadValue& use, State& s) {
  if (use.step == api::UseThreadValue::Step::Create) return create_key(site, use, s);
  const Info key = u.infos[d.info_of(s, argument(site, s, use.key), 32)];
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
  if (use.step == api::UseThreadValue::Step::Get) {
    assign(site, s, memory_.load(s, u.address_of(mine), word, u.pointer_bits(), result_symbol(site)));
  } else {
    memory_.store(s, u.address_of(mine), argument(site, s, use.value), word, u.pointer_bits());
    assign(site, s, u.constant(0));
  }
}

}  // namespace heddle::topdown
