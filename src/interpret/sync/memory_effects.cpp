// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/values.h"
#include "interpret/sync/effect_call.h"

namespace heddle::interpret {
namespace {

std::uint64_t length_of(const NativeCall& call, const api::Length& length) {
  const auto word = [&](std::int64_t i) { return call.word(static_cast<std::size_t>(i)); };
  switch (length.kind) {
    case api::Length::Kind::Constant: return static_cast<std::uint64_t>(length.value);
    case api::Length::Kind::Words: return static_cast<std::uint64_t>(length.value) * call.core.pointer_bytes;
    case api::Length::Kind::Argument: return word(length.value);
    case api::Length::Kind::Product: {
      std::uint64_t product = 0;
      if (__builtin_mul_overflow(word(length.value), word(length.second), &product) ||
          product > call.core.memory.address_mask())
        return ~0ULL;
      return product;
    }
    case api::Length::Kind::Unknown:
    case api::Length::Kind::String: break;
  }
  call.core.unsupported("function " + call.core.name_of(call.callee));
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

Slot Core::allocate_heap(std::uint64_t size, std::uint64_t align, bool zeroed, bool may_fail) {
  if (may_fail && options.allocation_failure && choose({ChoiceKind::AllocationFails, 1, 2, false, 0, {}, 0, {}}) == 1)
    return {};
  if (size > memory.address_mask() / 2) return {};  // no machine has that much: malloc gives null
  if (size > options.max_heap_bytes || memory.live_bytes() + size > options.max_heap_bytes)
    end_run(OutcomeKind::CapReached, "heap");
  AllocationRequest request{ObjectKind::Heap, size, align, current, {}, 0, zeroed};
  const Thread& thread = threads[current];
  if (thread.frames.back().code != nullptr) {
    request.function = thread.frames.back().code->id;
    request.instruction = thread.frames.back().pc;
  }
  const ObjectId id = memory.allocate(request);
  if (id == 0) end_run(OutcomeKind::CapReached, "address space");
  return pointer_to(id);
}

void Core::free_heap(const Slot& pointer) {
  if (pointer.undef != 0) undefined("an uninitialised pointer is freed");
  const Address address = pointer.bits & memory.address_mask();
  if (address == 0) return;
  const ObjectId id = memory.find(address);
  if (id == 0 && memory.find_dead(address) != 0) undefined("memory is freed twice");
  if (id == 0 || memory.object(id).kind != ObjectKind::Heap || memory.object(id).base != address)
    undefined("an address is freed that was not allocated");
  Object& object = memory.object(id);
  if (is_recorded(object)) {
    emit(EventKind::Free, address);
    events.back().size = static_cast<std::uint32_t>(object.size);
  }
  if (object.has_sync) drop_syncs(object);
  memory.release(id);
}

Slot Core::reallocate(const Slot& pointer, std::uint64_t size) {
  if ((pointer.bits & memory.address_mask()) == 0) return allocate_heap(size, 16, false, true);
  const ObjectId id = memory.find(pointer.bits & memory.address_mask());
  if (id == 0 || memory.object(id).base != (pointer.bits & memory.address_mask()))
    free_heap(pointer);  // says what is wrong
  const Slot fresh = allocate_heap(size, 16, false, true);
  if (fresh.bits == 0) return fresh;
  copy_bytes(fresh, pointer_to(id), std::min(size, memory.object(id).size));
  free_heap(pointer);
  return fresh;
}

bool Core::make_memory(NativeCall& call, const api::MakeMemory& make) {
  const std::uint64_t length = length_of(call, make.length);
  if (make.old >= 0) {
    call.give_pointer(reallocate(argument(call, make.old), length));
    return true;
  }
  const Slot fresh = allocate_heap(length, 16, make.zeroed, make.success != api::Success::Always);
  if (make.into < 0) {
    call.give_pointer(fresh);
  } else {
    if (fresh.bits != 0) write_pointer(argument(call, make.into), fresh);
    call.give(fresh.bits != 0 ? 0 : 12);
  }
  return true;
}

bool Core::touch_atomic(NativeCall& call, const api::TouchAtomic& touch) {
  const Slot pointer = argument(call, touch.object);
  const std::uint64_t size = length_of(call, touch.length);
  if (size != 1 && size != 2 && size != 4 && size != 8)
    unsupported("atomic access of " + std::to_string(size) + " bytes");
  const OpKind op = atomic_operation(touch.step);
  if (!admit(call.thread, op, pointer.bits)) {
    call.thread.touches[0] = {pointer.bits, static_cast<std::uint32_t>(size), op != OpKind::AtomicRead, true, false};
    return false;
  }
  const Leaf leaf{0, static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(size * 8), false};
  Slot value = touch.value >= 0 ? argument(call, touch.value) : Slot{};
  if (touch.indirect) value = load(value, leaf, false);
  if (op == OpKind::AtomicWrite) {
    store(pointer, leaf, value, true);
    return true;
  }
  const Slot old = load(pointer, leaf, true);
  if (op == OpKind::AtomicRead) {
    call.result = old;
    if (touch.value >= 0) store(argument(call, touch.value), leaf, old, false);
    return true;
  }
  const std::string_view what = touch.operation;
  if (what.starts_with("compare")) {
    const bool by_address = what == "compare_exchange";
    const Slot where = by_address ? argument(call, touch.expected) : Slot{};
    const Slot expected = by_address ? load(where, leaf, false) : call.slot(1);
    const bool equal = old.bits == (expected.bits & mask_of(leaf.bits));
    if (equal) store(pointer, leaf, value, true);
    if (!equal && by_address) store(where, leaf, old, false);
    call.result = what == "compare_and_swap" ? old : Slot{equal ? 1ULL : 0ULL, 0, 0, 0};
    return true;
  }
  const std::uint64_t fresh = apply(what, old.bits, value.bits) & mask_of(leaf.bits);
  store(pointer, leaf, {fresh, 0, 0, 0}, true);
  call.result = {what.ends_with("_fetch") ? fresh : old.bits, 0, 0, 0};
  if (what == "exchange" && touch.indirect && call.count() > 3) store(call.slot(3), leaf, old, false);
  return true;
}

}  // namespace heddle::interpret
