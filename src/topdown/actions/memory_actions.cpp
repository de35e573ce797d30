// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/memory_actions.h"

#include <algorithm>

#include "api/models/format_arguments.h"

namespace heddle::topdown {

using api::Effect;

void MemoryActions::allocate(const Site& site, const api::MakeMemory& make, State s, States& out) {
  const bool is_granted = recorder_.grants(make.granted);
  if (!is_granted && make.success == api::Success::Always && make.granted != api::Granted::Nothing)
    recorder_.obstacle(site, "an allocation that may fail");
  if (!is_granted && make.success != api::Success::Always) {
    State failed = s;
    call_.return_status(site, failed, make.success, false);
    out.push_back(failed);
  }
  const FormId old = make.old == Effect::none ? FormId() : call_.argument(site, s, make.old);
  InfoId content;
  if (old) {
    if (!call_.is_null(s, old)) recorder_.access(site, s, old, 0, AccessKind::Free, false);
    content = memory_.content_of(s, old);
  }
  const auto size = call_.known_length(site, s, make.length);
  const FormId address = memory_.allocate(s, ObjectKind::Heap, site.context, values_.thread_of(site), site.instruction,
                                          static_cast<std::uint64_t>(size.value_or(0)), make.zeroed);
  if (make.into != Effect::none) {
    const FormId where = call_.argument(site, s, make.into);
    if (recorder_.access(site, s, where, u.pointer_bits() / 8, AccessKind::Write, false))
      memory_.store(s, where, address, u.pointer_bits() / 8, u.pointer_bits());
    call_.return_status(site, s, make.success, true);
  } else {
    if (old) memory_.store_blurred(s, address, content);
    values_.assign(site, s, address);
  }
  out.push_back(s);
}

bool MemoryActions::touch_memory(const Site& site, const api::Touch& touch, State& s) {
  switch (touch.extent) {
    case api::Touch::Extent::Object: return touch_object(site, touch, s);
    case api::Touch::Extent::Variadic: return touch_variadic(site, touch, s);
    case api::Touch::Extent::Reachable: recorder_.untreated(site); return true;
    case api::Touch::Extent::Hidden: return touch_hidden(site, touch, s);
  }
  return true;
}

/// The library's own object, all of it, and the public variable of that name (environ, timezone) with what it leads to.
bool MemoryActions::touch_hidden(const Site& site, const api::Touch& touch, State& s) {
  std::vector<ObjectId> objects{u.object(ObjectKind::Hidden, 0, {}, {}, false, std::string(touch.name))};
  std::vector<Target> leads_to{{objects[0], 0, 0, 0}};
  if (const GlobalId variable = u.program.find_global(touch.name)) {
    const ObjectId outside = u.object(ObjectKind::External, 0, {}, {}, false);
    objects.push_back(u.global_object(variable));
    objects.push_back(outside);
    leads_to.push_back({outside, 0, 0, 0});
  }
  const InfoId content = u.join(u.any_number(8), u.addresses(std::move(leads_to)));
  const bool is_use = touch.mode == api::Touch::Mode::Use;
  const AccessKind kind = is_use ? AccessKind::Write : access_kind(touch.mode);
  for (const ObjectId object : objects) {
    if (!recorder_.access(site, s, u.address_of(object), 0, kind, is_use)) return false;
    if (kind == AccessKind::Write) memory_.store_blurred(s, u.address_of(object), content);
  }
  return true;
}

AccessKind MemoryActions::access_kind(api::Touch::Mode mode) {
  switch (mode) {
    case api::Touch::Mode::Read: return AccessKind::Read;
    case api::Touch::Mode::Write: return AccessKind::Write;
    case api::Touch::Mode::Free:
    case api::Touch::Mode::End: return AccessKind::Free;
    case api::Touch::Mode::Use: return AccessKind::Read;
  }
  return AccessKind::Write;
}

/// The standard streams, for example.
bool MemoryActions::is_from_outside(const Info& info) const {
  if (!info.addresses || info.any_address) return false;
  const std::vector<Target>& targets = u.points_to[info.addresses].targets;
  return std::ranges::all_of(targets,
                             [&](const Target& t) { return u.objects[t.object].kind == ObjectKind::External; });
}

bool MemoryActions::touch_object(const Site& site, const api::Touch& touch, State& s) {
  if (touch.mode == api::Touch::Mode::End && !s.parallel) return true;
  const FormId where = call_.argument(site, s, touch.object);
  if (call_.is_null(s, where)) return true;  // an optional argument left out
  const auto length = call_.known_length(site, s, touch.length);
  if (length == 0) return true;
  const Info info = u.infos[d.info_of(s, where, u.pointer_bits())];
  const bool is_use = touch.mode == api::Touch::Mode::Use;
  if (is_from_outside(info)) {
    if (is_use) return true;
    if (touch.mode == api::Touch::Mode::Free && s.parallel)
      recorder_.obstacle(site, "memory from outside the program is given back while other threads may use it");
  }
  if (!recorder_.access(site, s, where, static_cast<std::uint64_t>(length.value_or(0)), access_kind(touch.mode),
                        is_use))
    return false;
  if (touch.mode != api::Touch::Mode::Write) return true;
  if (touch.fill != Effect::none)
    memory_.set_bytes(s, where, d.info_of(s, call_.argument(site, s, touch.fill), 8), length ? *length : -1);
  else
    memory_.store_blurred(s, where, u.any_number(8), length ? *length : -1);
  return true;
}

bool MemoryActions::touch_variadic(const Site& site, const api::Touch& touch, State& s) {
  if (touch.is_list) {
    recorder_.obstacle(site, "a variable argument list is passed on");
    return true;
  }
  const auto given = call_.arguments(site, s);
  const auto first = static_cast<std::size_t>(touch.object);
  std::optional<std::vector<api::FormatUse>> uses;
  if (touch.format != Effect::none && touch.mode == api::Touch::Mode::Read)
    uses = api::uses_by_format(u.program, site.operands()[static_cast<std::size_t>(touch.format) + 1]);
  for (std::size_t k = first; k < given.size(); ++k) {
    if (call_.is_null(s, given[k])) continue;
    AccessKind kind = AccessKind::Write;  // a format that is not known may contain %n
    if (uses && (k - first >= uses->size() || (*uses)[k - first] == api::FormatUse::Value)) continue;
    if (uses && (*uses)[k - first] == api::FormatUse::Read) kind = AccessKind::Read;
    if (!recorder_.access(site, s, given[k], 0, kind, false)) return false;
    if (kind == AccessKind::Write) memory_.store_blurred(s, given[k], u.any_number(8));
  }
  return true;
}

bool MemoryActions::touch_atomic(const Site& site, const api::TouchAtomic& touch, State& s) {
  using Step = api::TouchAtomic::Step;
  const FormId where = call_.argument(site, s, touch.object);
  if (call_.is_null(s, where)) return true;
  const auto length = call_.known_length(site, s, touch.length);
  if (length == 0) return true;
  const AccessKind kind = touch.step == Step::Read ? AccessKind::Read : AccessKind::Write;
  if (!recorder_.access(site, s, where, static_cast<std::uint64_t>(length.value_or(0)), kind, true)) return false;
  if (touch.step != Step::Read) {
    InfoId content = u.any_number(64);
    if (touch.value != Effect::none) {
      const FormId value = call_.argument(site, s, touch.value);
      content = touch.indirect ? memory_.content_of(s, value) : d.info_of(s, value, 64);
    }
    recorder_.check_publication(site, s, u.opaque(content));  // the order is not in the model
    memory_.store_blurred(s, where, u.with_addresses_of(u.any_number(64), content));
  }
  if (touch.step == Step::Write) return true;
  const InfoId content = u.with_addresses_of(u.any_number(64), memory_.content_of(s, where));
  recorder_.check_publication(site, s, u.opaque(content));
  if (u.program.types[site.code().type].kind != TypeKind::Void)
    values_.assign(site, s, values_.defined(site, s, content));
  const api::Argument to = touch.step == Step::Read ? touch.value : touch.expected;
  if (to != Effect::none) memory_.store_blurred(s, call_.argument(site, s, to), content);
  return true;
}

bool MemoryActions::move_pointers(const Site& site, const api::MovePointers& move, State& s) {
  const FormId to = call_.argument(site, s, move.to);
  switch (move.how) {
    case api::MovePointers::How::Content: {
      const auto length = call_.known_length(site, s, move.length);
      memory_.copy(s, to, call_.argument(site, s, move.from), length.value_or(0), length.has_value());
      return true;
    }
    case api::MovePointers::How::Into: {
      if (call_.is_null(s, to)) return true;
      const InfoId into = d.blur(d.info_of(s, call_.argument(site, s, move.from), u.pointer_bits()), u.pointer_bits());
      if (!recorder_.access(site, s, to, u.pointer_bits() / 8, AccessKind::Write, false)) return false;
      memory_.store(s, to, u.opaque(into), u.pointer_bits() / 8, u.pointer_bits());
      return true;
    }
  }
  return true;
}

void MemoryActions::return_value(const Site& site, const api::ReturnValue& value, State& s) {
  switch (value.what) {
    case api::ReturnValue::What::Argument: values_.assign(site, s, call_.argument(site, s, value.object)); return;
    case api::ReturnValue::What::Into: {
      const InfoId into =
          d.blur(d.info_of(s, call_.argument(site, s, value.object), u.pointer_bits()), u.pointer_bits());
      values_.assign(site, s, values_.defined(site, s, u.with_addresses_of(u.number(Interval::constant(0)), into)));
      return;
    }
    case api::ReturnValue::What::Reachable: return recorder_.untreated(site);
    case api::ReturnValue::What::Hidden: return return_hidden(site, value, s);
    case api::ReturnValue::What::ThisThread: {
      const ObjectId handle = u.object(ObjectKind::Handle, 0, {}, s.thread, false);
      return values_.assign(site, s, u.opaque(u.addresses({{handle, 0, 0, 0}})));
    }
    case api::ReturnValue::What::Own:               // TeamActions
    case api::ReturnValue::What::Anything: return;  // what the call returns if no action says more
  }
}

void MemoryActions::return_hidden(const Site& site, const api::ReturnValue& value, State& s) {
  const std::string name(value.name);
  const ThreadId owner = value.per_thread ? values_.thread_of(site) : ThreadId();
  const ObjectId hidden = u.object(ObjectKind::Hidden, 0, {}, owner, value.per_thread, name);
  if (value.per_thread) u.objects[hidden].settled = u.object(ObjectKind::Hidden, 0, {}, owner, false, name);
  const bool published = value.per_thread && u.maps.contains(s.allocated, u.objects[hidden].settled.index());
  values_.assign(site, s,
                 published ? u.opaque(u.addresses({{hidden, 0, 0, 0}, {u.objects[hidden].settled, 0, 0, 0}}))
                           : u.address_of(hidden));
  if (value.holds_key)
    memory_.store(s, u.address_of(hidden), u.address_of(u.object(ObjectKind::Key, 0, {}, {}, false, name)), 4,
                  u.pointer_bits());
}

}  // namespace heddle::topdown
