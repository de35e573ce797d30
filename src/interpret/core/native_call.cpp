// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {

const Slot& NativeCall::slot(std::size_t i) const {
  if (i >= arguments.size()) core.undefined(core.name_of(callee) + " is called with too few arguments");
  return arguments[i];
}

std::uint32_t NativeCall::bits(std::size_t i) const {
  if (i >= site.arguments.size() || !site.arguments[i].type.valid()) return core.program.layout.pointer_bits;
  return core.decoded.shapes[site.arguments[i].type.index()].bits;
}

std::uint64_t NativeCall::word(std::size_t i) const {
  if (slot(i).undef != 0 && !core.options.uninitialised_is_choice)
    core.undefined(core.name_of(callee) + " gets an uninitialised value");
  return slot(i).bits;
}

std::int64_t NativeCall::number(std::size_t i) const { return sign_extend(word(i), bits(i)); }

FloatFormat NativeCall::format(std::size_t i) const {
  if (i >= site.arguments.size() || !site.arguments[i].type.valid() ||
      !core.decoded.shapes[site.arguments[i].type.index()].is_float)
    core.unsupported(core.name_of(callee) + " of something that is no floating point number");
  return core.decoded.shapes[site.arguments[i].type.index()].format;
}

numeric::FloatBits NativeCall::float_value(std::size_t i) const {
  const std::uint32_t wide = bits(i);
  const std::uint64_t low = word(i);
  if (wide <= 64) return {low, 0};
  const Slot& high = core.slot_at(thread, site.arguments[i].slot)[1];
  if (high.undef != 0 && !core.options.uninitialised_is_choice)
    core.undefined(core.name_of(callee) + " gets an uninitialised value");
  return {low, high.bits};
}

double NativeCall::real(std::size_t i) const {
  if (format(i) != FloatFormat::Single && format(i) != FloatFormat::Double)
    core.unsupported(core.name_of(callee) + " of a number that is neither float nor double");
  const std::uint64_t value = word(i);
  return bits(i) == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(value)) : std::bit_cast<double>(value);
}

bool NativeCall::is_admitted(Address object) {
  if (core.admit(thread, OpKind::AtomicUpdate, object)) return true;
  thread.touches[0] = {object, 1, true, true, false};
  stops = true;
  return false;
}

void NativeCall::set_errno(int value) {
  core.write_word(core.pointer_to(core.library_object(core.current, library::errno_number, 4)), 4,
                  static_cast<std::uint64_t>(value));
}

std::uint32_t NativeCall::result_bits() const {
  return site.result.valid() ? core.decoded.shapes[site.result.index()].bits : 64;
}

void NativeCall::give(std::uint64_t value) { result = {value & mask_of(result_bits()), 0, 0, 0}; }

void NativeCall::give_real(double value) {
  const Slot exact{std::bit_cast<std::uint64_t>(value), 0, 0, 0};
  Slot slots[2];
  const NumberType to{result_bits(), result_format()};
  cast_number({CastOp::FpTrunc, {64, FloatFormat::Double}, to}, &exact, slots, core.platform.rules);
  result = slots[0];
  second = slots[1];
}

void NativeCall::give_float(numeric::FloatBits value) {
  result = {value.low, 0, 0, 0};
  second = {value.high, 0, 0, 0};
}

FloatFormat NativeCall::result_format() const {
  if (!site.result.valid() || !core.decoded.shapes[site.result.index()].is_float)
    core.unsupported(core.name_of(callee) + " with a result that is no floating point number");
  return core.decoded.shapes[site.result.index()].format;
}

Native find_native(std::string_view name) {
  for (const auto& table : {string_natives(), stdio_natives(), file_natives(), scan_natives(), stdlib_natives(),
                            environment_natives(), math_natives(), thread_natives(), intrinsic_natives(), cxx_natives(),
                            cxx_string_natives(), cxx_stream_natives(), cxx_container_natives()})
    for (const NativeEntry& entry : table) {
      if (entry.name == name) return entry.native;
      if (entry.name.ends_with('*') && name.starts_with(entry.name.substr(0, entry.name.size() - 1)))
        return entry.native;
    }
  return nullptr;
}

}  // namespace heddle::interpret
