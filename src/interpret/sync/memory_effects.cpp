// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/object_size.h"
#include "interpret/code/values.h"
#include "interpret/sync/effects.h"

namespace heddle::interpret {
namespace {

std::uint64_t length_of(const NativeCall& call, const api::Length& length) {
  const auto word = [&](std::int64_t i) { return call.word(static_cast<std::size_t>(i)); };
  switch (length.kind) {
    case api::Length::Kind::Constant: return static_cast<std::uint64_t>(length.value);
    case api::Length::Kind::Words: return static_cast<std::uint64_t>(length.value) * call.core.image.pointer_bytes;
    case api::Length::Kind::Argument: return word(length.value);
    case api::Length::Kind::Product: {
      std::uint64_t product = 0;
      if (__builtin_mul_overflow(word(length.value), word(length.second), &product) ||
          product > call.core.memory.address_mask())
        return ~0ULL;
      return product;
    }
    case api::Length::Kind::Type:
      return static_cast<std::uint64_t>(
          api::bytes_of(static_cast<api::LibraryType>(length.value), call.core.image.program.layout.pointer_bits));
    case api::Length::Kind::Unknown:
    case api::Length::Kind::String: break;
  }
  call.refuse();
}

/// The operation that an atomic_update names: fetch_X gives the old content, X_fetch the new one.
std::uint64_t apply(std::string_view op, std::uint64_t old, std::uint64_t value) {
  if (op.starts_with("fetch_")) op.remove_prefix(6);
  if (op.ends_with("_fetch")) op.remove_suffix(6);
  if (op == "add") return old + value;
  if (op == "sub") return old - value;
  if (op == "and") return old & value;
  if (op == "or") return old | value;
  if (op == "xor") return old ^ value;
  if (op == "nand") return ~(old & value);
  if (op == "test_and_set") return 1;
  return value;  // exchange
}

OpKind atomic_operation(api::TouchAtomic::Step step) {
  switch (step) {
    case api::TouchAtomic::Step::Read: return OpKind::AtomicRead;
    case api::TouchAtomic::Step::Write: return OpKind::AtomicWrite;
    case api::TouchAtomic::Step::Update: return OpKind::AtomicUpdate;
  }
  return OpKind::AtomicUpdate;
}

}  // namespace

bool make_memory(NativeCall& call, const api::MakeMemory& make) {
  Core& core = call.core;
  const std::uint64_t length = length_of(call, make.length);
  if (make.old >= 0) {
    call.give_pointer(core.heap.reallocate(argument(call, make.old), length));
    return true;
  }
  const Slot fresh = core.heap.allocate(length, 16, make.zeroed, make.success != api::Success::Always);
  if (make.into < 0) {
    call.give_pointer(fresh);
  } else {
    if (fresh.bits != 0) core.space.write_pointer(argument(call, make.into), fresh);
    call.give(fresh.bits != 0 ? 0 : e_no_memory);
  }
  return true;
}

void read_argument(NativeCall& call, const api::Touch& touch) {
  if (!has_argument(call, touch.object) || argument(call, touch.object).bits == 0) return;
  (void)call.core.space.read_bytes(argument(call, touch.object), length_of(call, touch.length));
}

bool touch_atomic(NativeCall& call, const api::TouchAtomic& touch) {
  Core& core = call.core;
  const Slot pointer = argument(call, touch.object);
  const std::uint64_t size = length_of(call, touch.length);
  if (size != 1 && size != 2 && size != 4 && size != 8)
    core.account.unsupported("atomic access of " + std::to_string(size) + " bytes");
  const OpKind op = atomic_operation(touch.step);
  if (!core.gate.admit_atomic(op, pointer.bits, static_cast<std::uint32_t>(size))) return false;
  const Leaf leaf{0, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size * 8), false};
  Slot value = touch.value >= 0 ? argument(call, touch.value) : Slot{};
  if (touch.indirect) value = core.space.load(value, leaf, false);
  if (op == OpKind::AtomicWrite) {
    core.space.store(pointer, leaf, value, true);
    return true;
  }
  const Slot old = core.space.load(pointer, leaf, true);
  if (op == OpKind::AtomicRead) {
    call.result = old;
    if (touch.value >= 0) core.space.store(argument(call, touch.value), leaf, old, false);
    return true;
  }
  const std::string_view what = touch.operation;
  if (what.starts_with("compare")) {
    const bool by_address = what == "compare_exchange";
    const Slot where = by_address ? argument(call, touch.expected) : Slot{};
    const Slot expected = by_address ? core.space.load(where, leaf, false) : call.slot(1);
    const bool equal = old.bits == (expected.bits & mask_of(leaf.bits));
    if (equal) core.space.store(pointer, leaf, value, true);
    if (!equal && by_address) core.space.store(where, leaf, old, false);
    call.result = what == "compare_and_swap" ? old : Slot{equal ? 1ULL : 0ULL, 0, 0, 0};
    return true;
  }
  const std::uint64_t fresh = apply(what, old.bits, value.bits) & mask_of(leaf.bits);
  core.space.store(pointer, leaf, {fresh, 0, 0, 0}, true);
  call.result = {what.ends_with("_fetch") ? fresh : old.bits, 0, 0, 0};
  if (what == "exchange" && touch.indirect && call.count() > 3) core.space.store(call.slot(3), leaf, old, false);
  return true;
}

}  // namespace heddle::interpret
