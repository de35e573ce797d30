// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/library_memory.h"

#include <algorithm>

#include "api/models/format_arguments.h"
#include "api/object_size.h"

namespace heddle::scan {
namespace {

AccessKind kind_of(api::Touch::Mode mode) {
  switch (mode) {
    case api::Touch::Mode::Read: return AccessKind::Read;
    case api::Touch::Mode::Write: return AccessKind::Write;
    case api::Touch::Mode::Free:
    case api::Touch::Mode::End: return AccessKind::Free;
    case api::Touch::Mode::Use: return AccessKind::Read;
  }
  return AccessKind::Write;
}

}  // namespace

Lvalue LibraryMemory::hidden(std::string_view name) {
  return {s_.nodes.intern({.kind = NodeKind::Hidden, .index = hidden_index(name)}), 0};
}

Lvalue LibraryMemory::place_of(const LibraryCall& call, api::Argument argument) {
  return call.has(argument) ? s_.names.lvalue_of(call[argument]) : Lvalue{};
}

void LibraryMemory::give_away(const LibraryCall& call, api::Argument argument) {
  if (!call.has(argument)) return;
  if (const SymbolicValue given = s_.names.value_of(call[argument]); given.is_address())
    s_.done.publication.publish(given.address.node, Audience::Everybody);
}

/// How many bytes; 0: it is not known.
std::uint32_t LibraryMemory::length_of(const LibraryCall& call, const api::Length& length) const {
  switch (length.kind) {
    case api::Length::Kind::Constant: return static_cast<std::uint32_t>(length.value);
    case api::Length::Kind::Words: return static_cast<std::uint32_t>(length.value) * s_.in.word_bytes();
    case api::Length::Kind::String: return 1;
    case api::Length::Kind::Argument: {
      const auto index = static_cast<api::Argument>(length.value);
      if (!call.has(index) || !call[index].is_constant()) return 0;
      const Constant& c = s_.in.program.constants[call[index].as_constant()];
      return c.kind == Constant::Kind::Int ? static_cast<std::uint32_t>(std::min<std::uint64_t>(c.bits, 1 << 30)) : 0;
    }
    case api::Length::Kind::Type:
      return static_cast<std::uint32_t>(
          api::bytes_of(static_cast<api::LibraryType>(length.value), s_.in.program.layout.pointer_bits));
    case api::Length::Kind::Unknown:
    case api::Length::Kind::Product: return 0;
  }
  return 0;
}

void LibraryMemory::access(const LibraryCall& call, api::Argument argument, AccessKind kind, std::uint32_t size) {
  const Lvalue at = place_of(call, argument);
  if (!at.valid()) return;
  s_.add_access(at, s_.names.key_of(at, call[argument]), kind, false, size, static_cast<std::size_t>(argument));
  if (kind == AccessKind::Read) return;
  s_.stores.forget(at.node, size == 0 ? ByteRange::everything() : ByteRange::at(at.offset, size));
}

void LibraryMemory::change_errno() {
  if (s_.in.errno_is_known && !s_.in.assumptions.library_reach)
    s_.add_access(hidden(api::errno_object), {}, AccessKind::Write, false, 4);
}

void LibraryMemory::make(const LibraryCall& call, const api::MakeMemory& make) {
  access(call, make.old, AccessKind::Free, 0);
  // What the source calls it: the machine's types tell structs of the same shape not apart.
  if (!call.has(make.into))
    return set_result(fresh_memory(s_.names.keys().named_pointee(s_.f, s_.f.result_of(s_.done.at.instruction))));
  const Lvalue at = s_.names.lvalue_of(call[make.into]);
  if (!at.valid()) return;
  access(call, make.into, AccessKind::Write, s_.in.word_bytes());
  const SymbolicValue made = fresh_memory(s_.names.pointee_at(at));
  s_.stores.store(at, made);
  s_.done.publication.contain(at.node, made.address.node);
}

void LibraryMemory::touch(const LibraryCall& call, const api::Touch& touch) {
  if (touch.mode == api::Touch::Mode::End && s_.in.assumptions.local_ends) return;
  const AccessKind kind = kind_of(touch.mode);
  switch (touch.extent) {
    case api::Touch::Extent::Object: return access(call, touch.object, kind, length_of(call, touch.length));
    case api::Touch::Extent::Variadic: return touch_variadic(call, touch);
    case api::Touch::Extent::Reachable: return touch_reachable(call, touch);
    case api::Touch::Extent::Hidden: return touch_hidden(touch);
  }
}

/// State inside the library, and the variable of that name that the program sees. What it uses under a lock of its own
/// conflicts with the program's accesses only.
void LibraryMemory::touch_hidden(const api::Touch& touch) {
  const bool is_use = touch.mode == api::Touch::Mode::Use;
  s_.add_access(hidden(touch.name), {}, kind_of(touch.mode), false, 0);
  const GlobalId global = s_.in.program.find_global(touch.name);
  if (!global) return;
  const TypeId type = s_.in.program.globals[global].source_type;
  s_.add_access({s_.nodes.global(global, type), 0}, {}, is_use ? AccessKind::Write : kind_of(touch.mode), is_use, 0);
}

/// Of a va_list it is not known what is in it (assumption `variadic-lists`).
void LibraryMemory::touch_variadic(const LibraryCall& call, const api::Touch& touch) {
  if (touch.is_list || touch.object < 0) return;
  const bool reads = touch.mode == api::Touch::Mode::Read;
  const std::optional<std::vector<api::FormatUse>> uses =
      reads && call.has(touch.format) ? api::uses_by_format(s_.in.program, call[touch.format]) : std::nullopt;
  for (auto k = static_cast<std::size_t>(touch.object); k < call.arguments.size(); ++k) {
    const std::size_t place = k - static_cast<std::size_t>(touch.object);
    if (uses && (place >= uses->size() || (*uses)[place] == api::FormatUse::Value)) continue;
    const bool is_count = uses && (*uses)[place] == api::FormatUse::Written;
    if (s_.names.value_of(call.arguments[k]).is_address())
      access(call, static_cast<api::Argument>(k), is_count ? AccessKind::Write : kind_of(touch.mode), reads ? 1 : 0);
  }
}

/// The object itself. What can be reached from it has no name here (assumption `library-reach`), but what a call puts
/// into a container others know when they know the container.
void LibraryMemory::touch_reachable(const LibraryCall& call, const api::Touch& touch) {
  access(call, touch.object, kind_of(touch.mode), 0);
  const Lvalue into = place_of(call, touch.object);
  if (touch.mode != api::Touch::Mode::Write || !into.valid()) return;
  for (const Operand argument : call.arguments)
    if (const SymbolicValue given = s_.names.value_of(argument); given.is_address() && given.address.node != into.node)
      s_.done.publication.contain(into.node, given.address.node);
}

void LibraryMemory::use_objects(const LibraryCall& call, const api::Action& action) {
  if (s_.in.assumptions.lock_objects) return;
  for (const api::ObjectUse& use : api::object_uses(action)) {
    const Lvalue at = place_of(call, use.object);
    if (!at.valid()) continue;
    const std::uint64_t known = length_of(call, use.bytes), size = known != 0 ? known : s_.in.word_bytes();
    if (!use.indirect) {
      s_.add_access(at, s_.names.key_of(at, call[use.object]), AccessKind::Write, use.is_atomic, size,
                    static_cast<std::size_t>(use.object));
    } else if (const SymbolicValue held = s_.stores.load(at, {}); held.is_address()) {
      s_.add_access(held.address, {}, AccessKind::Write, use.is_atomic, size);
    }
  }
}

void LibraryMemory::touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch) {
  const Lvalue at = place_of(call, touch.object);
  if (!at.valid()) return;
  const bool reads = touch.step == api::TouchAtomic::Step::Read;
  s_.add_access(at, s_.names.key_of(at, call[touch.object]), reads ? AccessKind::Read : AccessKind::Write, true,
                length_of(call, touch.length), static_cast<std::size_t>(touch.object));
  switch (touch.step) {
    case api::TouchAtomic::Step::Read:
      if (const Lvalue to = place_of(call, touch.value); to.valid()) s_.stores.forget_all(to.node);
      return;
    case api::TouchAtomic::Step::Update:
      if (const Lvalue to = place_of(call, touch.expected); to.valid()) s_.stores.forget_all(to.node);
      [[fallthrough]];
    case api::TouchAtomic::Step::Write:
      // A pointer that goes there is published like one that is stored.
      s_.stores.forget_all(at.node);
      if (!call.has(touch.value)) return;
      SymbolicValue value = s_.names.value_of(call[touch.value]);
      if (touch.indirect && value.is_address()) value = s_.stores.load(value.address, {});
      if (value.is_address()) s_.done.publication.contain(at.node, value.address.node);
      return;
  }
}

void LibraryMemory::move_pointers(const LibraryCall& call, const api::MovePointers& move) {
  const Lvalue to = place_of(call, move.to), from = place_of(call, move.from);
  if (!to.valid()) return;
  switch (move.how) {
    case api::MovePointers::How::Content:
      s_.stores.forget_all(to.node);
      if (from.valid()) s_.done.publication.contain_copy(to.node, from.node);
      return;
    case api::MovePointers::How::Into:
      access(call, move.to, AccessKind::Write, s_.in.word_bytes());
      if (!from.valid()) return;
      s_.stores.store(to, address_within(from));
      return s_.done.publication.contain(to.node, from.node);
  }
}

/// Somewhere in the object.
SymbolicValue LibraryMemory::address_within(Lvalue object) {
  return {.kind = SymbolicValue::Kind::Address,
          .address = {s_.nodes.element(object, 1, s_.f.result_of(s_.done.at.instruction).index() + 1), 0}};
}

void LibraryMemory::return_value(const LibraryCall& call, const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Own:
    case api::ReturnValue::What::Argument:
      if (call.has(value.object)) set_result(s_.names.value_of(call[value.object]));
      return;
    case api::ReturnValue::What::Into:
      if (const Lvalue at = place_of(call, value.object); at.valid()) set_result(address_within(at));
      return;
    case api::ReturnValue::What::Hidden: {
      if (!value.per_thread) return set_result(SymbolicValue::at(hidden(value.name)));
      // errno: the same one each time
      const auto [at, is_new] = thread_owned_.try_emplace(std::string(value.name));
      if (is_new) at->second = fresh_memory();
      return set_result(at->second);
    }
    case api::ReturnValue::What::Reachable:   // has the result's own name; its class knows the rest
    case api::ReturnValue::What::ThisThread:  // data
    case api::ReturnValue::What::Anything: return;
  }
}

/// What a key leads to is the thread's own (assumption `thread-values`).
void LibraryMemory::use_thread_value(const LibraryCall& call, const api::UseThreadValue& use) {
  switch (use.step) {
    case api::UseThreadValue::Step::Create: return access(call, use.key, AccessKind::Write, 4);
    case api::UseThreadValue::Step::Get:
      if (s_.in.assumptions.thread_values) set_result(fresh_memory());
      return;
    case api::UseThreadValue::Step::Set:
      if (!s_.in.assumptions.thread_values) give_away(call, use.value);
      return;
  }
}

}  // namespace heddle::scan
