// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/doubts.h"

namespace heddle::interpret {
namespace {

constexpr Address first_address = 0x1000;  // no object lies below

bool is_equality(Predicate predicate) { return predicate == Predicate::Eq || predicate == Predicate::Ne; }
bool is_signed(Predicate predicate) { return predicate >= Predicate::Sgt; }

/// Whether the sign of `number` alone decides. `bound` has no doubt; compilers write `x <= 0` as `x < 1`.
bool asks_for_the_sign(Predicate predicate, std::uint64_t bound, bool is_left) {
  if (bound == 0) return is_equality(predicate) || is_signed(predicate);
  if (!is_left) return false;
  if (predicate == Predicate::Slt || predicate == Predicate::Sge) return bound == 1;
  return (predicate == Predicate::Sgt || predicate == Predicate::Sle) && static_cast<std::int32_t>(bound) == -1;
}

/// The live object that a pointer points into, or to the end of; null: none.
const Object* target_of(Core& core, const Slot& pointer) {
  const ObjectId id = core.memory.find(pointer.bits);
  return id == 0 ? nullptr : &core.memory.object(id);
}

/// No object can have this address: null, and what programs use as marks. All of them lie below, or all above it.
bool is_mark(Core& core, const Slot& pointer) {
  return ((pointer.bits + first_address) & core.memory.address_mask()) < 2 * first_address;
}

/// A number of an address's size that is one from its first bit to its last, or that no object can have.
bool is_address_or_mark(Core& core, const Slot& number) {
  if (number.doubt == doubt::none) return is_mark(core, number);
  return number.doubt == doubt::address && core.memory.is_address(number.bits) && !Memory::is_handle(number.bits);
}

/// Two equal texts may be one object, or two.
bool may_be_merged(const Object& a, const Object& b) {
  return a.is_constant && b.is_constant && a.kind == ObjectKind::Global && b.kind == ObjectKind::Global;
}

bool may_touch(const Object& a, const Slot& at, const Object& b, const Slot& bt) {
  return (at.bits == a.base + a.size && bt.bits == b.base) || (bt.bits == b.base + b.size && at.bits == a.base);
}

const char* doubt_of_pointers(Core& core, Predicate predicate, const Slot& a, const Slot& b) {
  if (a.bits == b.bits) return nullptr;
  if (!is_signed(predicate) && (is_mark(core, a) || is_mark(core, b))) return nullptr;
  const bool a_is_address = core.memory.is_address(a.bits), b_is_address = core.memory.is_address(b.bits);
  if (!a_is_address && !b_is_address) return nullptr;  // numbers in the clothes of pointers
  const Object *x = target_of(core, a), *y = target_of(core, b);
  if (!is_equality(predicate))
    return x != nullptr && x == y ? nullptr : "addresses of different objects are compared by their order";
  const auto count = core.image.placement.function_address.size();
  const bool is_function_a = Memory::function_at(a.bits, count) < count;
  const bool is_function_b = Memory::function_at(b.bits, count) < count;
  if ((x == nullptr && !is_function_a) || (y == nullptr && !is_function_b))
    return "the address of memory that is gone, or of none, is compared";
  if (x == nullptr || y == nullptr || x == y) return nullptr;
  if (may_be_merged(*x, *y)) return "addresses of constants are compared, which may be one";
  return may_touch(*x, a, *y, b) ? "an address at the end of an object is compared with that of another" : nullptr;
}

}  // namespace

void compute_with_both(Core& core, const Code& code, const Slot& a, const Slot& b) {
  const bool is_distance = code.op == Op::Sub && a.doubt == doubt::address && b.doubt == doubt::address;
  if (is_distance && (a.bits == b.bits || (target_of(core, a) != nullptr && target_of(core, a) == target_of(core, b))))
    return;
  compute_with(core.account, a);
  compute_with(core.account, b);
}

void compare_with_doubt(Core& core, Predicate predicate, const Slot& a, const Slot& b, std::uint32_t bits,
                        bool are_pointers) {
  const bool is_whole = !is_signed(predicate) && bits == 8 * core.image.pointer_bytes;
  if (are_pointers || (is_whole && is_address_or_mark(core, a) && is_address_or_mark(core, b))) {
    if (const char* what = doubt_of_pointers(core, predicate, a, b); what != nullptr) core.account.add_doubt(what);
    return;
  }
  if (a.doubt == doubt::magnitude && b.doubt == doubt::none && asks_for_the_sign(predicate, b.bits, true)) return;
  if (b.doubt == doubt::magnitude && a.doubt == doubt::none && asks_for_the_sign(predicate, a.bits, false)) return;
  const auto is_null_test = [&](const Slot& one, const Slot& other) {  // of the handle of a thread
    return is_whole && is_equality(predicate) && one.doubt == doubt::address && other.doubt == doubt::none &&
           other.bits == 0;
  };
  if (is_null_test(a, b) || is_null_test(b, a)) return;
  compute_with(core.account, a);
  compute_with(core.account, b);
}

}  // namespace heddle::interpret
