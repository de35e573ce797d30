// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library functions do to memory: accesses, new memory, pointers that move and come back.
#include <algorithm>

#include "scan/calls/variadic_arguments.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

AccessMode mode_of(api::Touch::Mode mode) {
  switch (mode) {
    case api::Touch::Mode::Read: return AccessMode::Read;
    case api::Touch::Mode::Write: return AccessMode::Write;
    case api::Touch::Mode::Free: return AccessMode::Free;
  }
  return AccessMode::Write;
}

}  // namespace

/// How many bytes; 0: it is not known.
std::uint32_t Summariser::model_length(const LibraryCall& call, const api::Length& length) const {
  switch (length.kind) {
    case api::Length::Kind::Constant: return static_cast<std::uint32_t>(length.value);
    case api::Length::Kind::Words: return static_cast<std::uint32_t>(length.value) * word_bytes();
    case api::Length::Kind::String: return 1;
    case api::Length::Kind::Argument: {
      const auto index = static_cast<api::Argument>(length.value);
      if (!call.has(index) || !call[index].is_constant()) return 0;
      const Constant& c = in_.program.constants[call[index].as_constant()];
      return c.kind == Constant::Kind::Int ? static_cast<std::uint32_t>(std::min<std::uint64_t>(c.bits, 1 << 30)) : 0;
    }
    case api::Length::Kind::Unknown:
    case api::Length::Kind::Product: return 0;
  }
  return 0;
}

/// A plain access by a library function. What it writes is not known any more.
void Summariser::access(const LibraryCall& call, api::Argument argument, AccessMode mode, std::uint32_t size) {
  const Lvalue at = place_of(call, argument);
  if (!at.valid()) return;
  add_access(at, key_of(at, call[argument]), mode, false, size);
  if (mode == AccessMode::Read) return;
  forget_stores(at.node, size == 0 ? ByteRange::everything() : ByteRange::at(at.offset, size));
}

SymbolicValue Summariser::fresh_memory(const LibraryCall& call) {
  const NodeId node =
      nodes_.intern({.kind = NodeKind::Fresh, .index = static_cast<std::uint32_t>(call.number), .function = id_});
  made_.try_emplace(node.index(), rank_);
  return {.kind = SymbolicValue::Kind::Address, .address = {node, 0}};
}

void Summariser::make_memory(const LibraryCall& call, const api::MakeMemory& make) {
  access(call, make.old, AccessMode::Free, 0);
  if (!call.has(make.into)) return set_value(call.number, fresh_memory(call));
  const Lvalue at = lvalue_of(call[make.into]);
  if (!at.valid()) return;
  access(call, make.into, AccessMode::Write, word_bytes());
  const SymbolicValue made = fresh_memory(call);
  store_to(at, made);
  contain(at.node, made.address.node);
}

void Summariser::touch_memory(const LibraryCall& call, const api::Touch& touch) {
  const AccessMode mode = mode_of(touch.mode);
  switch (touch.extent) {
    case api::Touch::Extent::Object: return access(call, touch.object, mode, model_length(call, touch.length));
    case api::Touch::Extent::Variadic: return touch_variadic(call, touch);
    case api::Touch::Extent::Reachable: return touch_reachable(call, touch);
    case api::Touch::Extent::Hidden: return add_access(hidden(touch.name), {}, mode, false, 0);
  }
}

/// Of a va_list it is not known what is in it (assumption `variadic-lists`).
void Summariser::touch_variadic(const LibraryCall& call, const api::Touch& touch) {
  if (touch.is_list || touch.object < 0) return;
  const bool reads = touch.mode == api::Touch::Mode::Read;
  const std::optional<std::vector<bool>> strings =
      reads && call.has(touch.format) ? arguments_read(in_.program, call[touch.format]) : std::nullopt;
  for (auto k = static_cast<std::size_t>(touch.object); k < call.arguments.size(); ++k) {
    const std::size_t place = k - static_cast<std::size_t>(touch.object);
    if (strings && (place >= strings->size() || !(*strings)[place])) continue;
    if (value_of(call.arguments[k]).is_address())
      access(call, static_cast<api::Argument>(k), mode_of(touch.mode), reads ? 1 : 0);
  }
}

/// The object itself. What can be reached from it has no name here (assumption `library-reach`), but what a call puts
/// into a container others know when they know the container.
void Summariser::touch_reachable(const LibraryCall& call, const api::Touch& touch) {
  access(call, touch.object, mode_of(touch.mode), 0);
  const Lvalue into = place_of(call, touch.object);
  if (touch.mode != api::Touch::Mode::Write || !into.valid()) return;
  for (const Operand argument : call.arguments)
    if (const SymbolicValue given = value_of(argument); given.is_address() && given.address.node != into.node)
      contain(into.node, given.address.node);
}

void Summariser::touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch) {
  const Lvalue at = place_of(call, touch.object);
  if (!at.valid()) return;
  const bool reads = touch.step == api::TouchAtomic::Step::Read;
  add_access(at, key_of(at, call[touch.object]), reads ? AccessMode::Read : AccessMode::Write, true,
             model_length(call, touch.length));
  switch (touch.step) {
    case api::TouchAtomic::Step::Read:
      if (const Lvalue to = place_of(call, touch.value); to.valid()) forget_stores(to.node, ByteRange::everything());
      return;
    case api::TouchAtomic::Step::Update:
      if (const Lvalue to = place_of(call, touch.expected); to.valid()) forget_stores(to.node, ByteRange::everything());
      [[fallthrough]];
    case api::TouchAtomic::Step::Write:
      // A pointer that goes there is published like one that is stored.
      forget_stores(at.node, ByteRange::everything());
      if (!call.has(touch.value)) return;
      SymbolicValue value = value_of(call[touch.value]);
      if (touch.indirect && value.is_address()) value = load_from(value.address, {});
      if (value.is_address()) contain(at.node, value.address.node);
      return;
  }
}

void Summariser::move_pointers(const LibraryCall& call, const api::MovePointers& move) {
  const Lvalue to = place_of(call, move.to), from = place_of(call, move.from);
  if (!to.valid()) return;
  switch (move.how) {
    case api::MovePointers::How::Content:
      forget_stores(to.node, ByteRange::everything());
      if (from.valid()) contain_copy(to.node, from.node);
      return;
    case api::MovePointers::How::Into:
      access(call, move.to, AccessMode::Write, word_bytes());
      if (!from.valid()) return;
      store_to(to, address_within(call, from));
      return contain(to.node, from.node);
  }
}

/// Somewhere in the object.
SymbolicValue Summariser::address_within(const LibraryCall& call, Lvalue object) {
  return {.kind = SymbolicValue::Kind::Address,
          .address = {nodes_.element(object, 1, f_->result_of(call.number).index() + 1), 0}};
}

void Summariser::return_value(const LibraryCall& call, const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Argument:
      if (call.has(value.object)) set_value(call.number, value_of(call[value.object]));
      return;
    case api::ReturnValue::What::Into:
      if (const Lvalue at = place_of(call, value.object); at.valid()) set_value(call.number, address_within(call, at));
      return;
    case api::ReturnValue::What::Hidden: {
      if (!value.per_thread)
        return set_value(call.number, {.kind = SymbolicValue::Kind::Address, .address = hidden(value.name)});
      // errno: the same one each time
      const auto [at, is_new] = thread_owned_.try_emplace(std::string(value.name));
      if (is_new) at->second = fresh_memory(call);
      return set_value(call.number, at->second);
    }
    case api::ReturnValue::What::Reachable:   // has the result's own name; its class knows the rest
    case api::ReturnValue::What::ThisThread:  // data
    case api::ReturnValue::What::Anything: return;
  }
}

/// What a key leads to is the thread's own (assumption `thread-values`).
void Summariser::use_thread_value(const LibraryCall& call, const api::UseThreadValue& use) {
  switch (use.step) {
    case api::UseThreadValue::Step::Create: return access(call, use.key, AccessMode::Write, 4);
    case api::UseThreadValue::Step::Get:
      if (in_.assumptions.thread_values) set_value(call.number, fresh_memory(call));
      return;
    case api::UseThreadValue::Step::Set:
      if (!in_.assumptions.thread_values) give_away(call, use.value);
      return;
  }
}

}  // namespace heddle::scan
