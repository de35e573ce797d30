// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/native_call.h"

#include <bit>

#include "interpret/code/values.h"

namespace heddle::interpret {

const Slot& NativeCall::slot(std::size_t i) const {
  if (i >= arguments.size()) core.account.undefined(name() + " is called with too few arguments");
  return arguments[i];
}

std::uint32_t NativeCall::bits(std::size_t i) const {
  if (i >= site.arguments.size() || !site.arguments[i].type.valid()) return core.image.program.layout.pointer_bits;
  return core.image.shape_of(site.arguments[i].type).bits;
}

std::uint64_t NativeCall::word(std::size_t i) const {
  core.account.look_at_unknown(slot(i).undef);
  if (slot(i).undef != 0 && !core.options.uninitialised_is_choice)
    core.account.undefined(name() + " gets an uninitialised value");
  if (slot(i).doubt == doubt::address || slot(i).doubt == doubt::magnitude)
    core.account.add_doubt("a library function gets an address as a number");
  return slot(i).bits;
}

std::int64_t NativeCall::number(std::size_t i) const { return sign_extend(word(i), bits(i)); }

FloatFormat NativeCall::format(std::size_t i) const {
  if (i >= site.arguments.size() || !site.arguments[i].type.valid() ||
      !core.image.shape_of(site.arguments[i].type).is_float)
    core.account.unsupported(name() + " of something that is no floating point number");
  return core.image.shape_of(site.arguments[i].type).format;
}

numeric::FloatBits NativeCall::float_value(std::size_t i) const {
  const std::uint32_t wide = bits(i);
  const std::uint64_t low = word(i);
  if (wide <= 64) return {low, 0};
  const Slot& high = core.frames.slot_at(thread, site.arguments[i].slot)[1];
  if (high.undef != 0 && !core.options.uninitialised_is_choice)
    core.account.undefined(name() + " gets an uninitialised value");
  return {low, high.bits};
}

double NativeCall::real(std::size_t i) const {
  if (format(i) != FloatFormat::Single && format(i) != FloatFormat::Double)
    core.account.unsupported(name() + " of a number that is neither float nor double");
  const std::uint64_t value = word(i);
  return bits(i) == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(value)) : std::bit_cast<double>(value);
}

bool NativeCall::is_admitted(Address object) {
  if (core.gate.admit_atomic(OpKind::AtomicUpdate, object, 1)) return true;
  stops = true;
  return false;
}

void NativeCall::order_through_files() {
  const Address files = core.files.stream_object(0).bits;
  core.recorder.add(EventKind::Acquire, files);
  core.recorder.add(EventKind::Release, files);
}

Slot NativeCall::errno_place() const { return core.space.pointer_to(core.objects.of_thread(library::errno_number, 4)); }

void NativeCall::set_errno(int value) { core.space.write_word(errno_place(), 4, static_cast<std::uint64_t>(value)); }

std::uint32_t NativeCall::result_bits() const {
  return site.result.valid() ? core.image.shape_of(site.result).bits : 64;
}

void NativeCall::doubt_result() {
  if (site.is_used) core.account.add_doubt("the result of a call that writes output decides");
}

void NativeCall::give(std::uint64_t value) { result = {value & mask_of(result_bits()), 0, 0, 0}; }

void NativeCall::give_real(double value) {
  const Slot exact{std::bit_cast<std::uint64_t>(value), 0, 0, 0};
  Slot slots[2];
  const NumberType to{result_bits(), result_format()};
  cast_number({CastOp::FpTrunc, {64, FloatFormat::Double}, to}, &exact, slots, core.image.platform.rules);
  result = slots[0];
  result.doubt = doubt::rounding;
  second = slots[1];
}

void NativeCall::give_float(numeric::FloatBits value) {
  result = {value.low, 0, 0, doubt::rounding};
  second = {value.high, 0, 0, 0};
}

FloatFormat NativeCall::result_format() const {
  if (!site.result.valid() || !core.image.shape_of(site.result).is_float)
    core.account.unsupported(name() + " with a result that is no floating point number");
  return core.image.shape_of(site.result).format;
}

}  // namespace heddle::interpret
