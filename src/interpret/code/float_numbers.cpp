// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point numbers in slots. float and double are computed by the host, whose arithmetic is that of every target
// but for NaNs; those, and all other formats, by numeric/soft_float.h.
#include <bit>
#include <cmath>

#include "interpret/code/values.h"
#include "numeric/soft_float.h"

namespace heddle::interpret {
namespace {

using numeric::FloatBits;
using numeric::FloatOperator;

template <class T>
T float_operation(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::FAdd: return a + b;
    case BinaryOp::FSub: return a - b;
    case BinaryOp::FMul: return a * b;
    case BinaryOp::FDiv: return a / b;
    default: return std::fmod(a, b);
  }
}

FloatOperator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::FAdd: return FloatOperator::Add;
    case BinaryOp::FSub: return FloatOperator::Subtract;
    case BinaryOp::FMul: return FloatOperator::Multiply;
    case BinaryOp::FDiv: return FloatOperator::Divide;
    default: return FloatOperator::Remainder;
  }
}

bool order_holds(Predicate predicate, bool less, bool equal, bool greater) {
  const bool unordered = !less && !equal && !greater;
  switch (predicate) {
    case Predicate::FFalse: return false;
    case Predicate::FOeq: return equal;
    case Predicate::FOgt: return greater;
    case Predicate::FOge: return greater || equal;
    case Predicate::FOlt: return less;
    case Predicate::FOle: return less || equal;
    case Predicate::FOne: return less || greater;
    case Predicate::FOrd: return !unordered;
    case Predicate::FUno: return unordered;
    case Predicate::FUeq: return unordered || equal;
    case Predicate::FUgt: return unordered || greater;
    case Predicate::FUge: return unordered || greater || equal;
    case Predicate::FUlt: return unordered || less;
    case Predicate::FUle: return unordered || less || equal;
    case Predicate::FUne: return unordered || less || greater;
    default: return true;
  }
}

float single_of(const Slot* slots) { return std::bit_cast<float>(static_cast<std::uint32_t>(slots[0].bits)); }
double double_of(const Slot* slots) { return std::bit_cast<double>(slots[0].bits); }
Slot slot_of(float value) { return {std::bit_cast<std::uint32_t>(value), 0, 0, 0}; }
Slot slot_of(double value) { return {std::bit_cast<std::uint64_t>(value), 0, 0, 0}; }

template <class T>
bool host_holds(Predicate predicate, T x, T y) {
  return order_holds(predicate, x < y, x == y, x > y);
}

bool is_hosted(FloatFormat format) { return format == FloatFormat::Single || format == FloatFormat::Double; }
double hosted(const Slot* slots, FloatFormat format) {
  return format == FloatFormat::Single ? static_cast<double>(single_of(slots)) : double_of(slots);
}

/// None: it does not fit.
std::optional<U128> hosted_integer(double value, bool is_signed, std::uint32_t bits) {
  const double whole = std::trunc(value);
  const double limit = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  const bool fits = is_signed ? whole >= -limit && whole < limit : whole >= 0 && whole < limit;
  if (!fits) return std::nullopt;
  return is_signed ? static_cast<U128>(static_cast<S128>(whole)) : static_cast<U128>(whole);
}

void real_to_integer(const NumberCast& cast, const Slot* from, Slot* to) {
  const bool is_signed = cast.op == CastOp::FpToSi;
  const std::optional<U128> whole =
      is_hosted(cast.from.format)
          ? hosted_integer(hosted(from, cast.from.format), is_signed, cast.to.bits)
          : numeric::to_integer(cast.from.format, float_bits(from, cast.from.bits), is_signed, cast.to.bits);
  split(whole.value_or(U128{1} << (cast.to.bits - 1)), cast.to.bits, to);
  if (!whole) make_undef(cast.to.bits, to);
}

void integer_to_real(const NumberCast& cast, const Slot* from, Slot* to) {
  const U128 raw = integer_of(from, cast.from.bits);
  const S128 as_signed = wide_signed(raw, cast.from.bits);
  const bool is_signed = cast.op == CastOp::SiToFp;
  if (cast.to.format == FloatFormat::Single) {
    to[0] = slot_of(is_signed ? static_cast<float>(as_signed) : static_cast<float>(raw));
  } else if (cast.to.format == FloatFormat::Double) {
    to[0] = slot_of(is_signed ? static_cast<double>(as_signed) : static_cast<double>(raw));
  } else {
    const bool is_negative = is_signed && as_signed < 0;
    const U128 magnitude = is_negative ? ~static_cast<U128>(as_signed) + 1 : raw;
    put_float(numeric::from_integer(cast.to.format, magnitude, is_negative), cast.to.bits, to);
  }
}

void real_to_real(const NumberCast& cast, const Slot* from, Slot* to, const numeric::FloatRules& rules) {
  if (is_hosted(cast.from.format) && is_hosted(cast.to.format)) {
    const double value = hosted(from, cast.from.format);
    if (value == value) [[likely]] {
      to[0] = cast.to.format == FloatFormat::Single ? slot_of(static_cast<float>(value)) : slot_of(value);
      return;
    }
  }
  const FloatBits value = float_bits(from, cast.from.bits);
  put_float(numeric::convert(cast.from.format, value, cast.to.format, rules), cast.to.bits, to);
}

}  // namespace

FloatBits float_bits(const Slot* slots, std::uint32_t bits) { return {slots[0].bits, bits > 64 ? slots[1].bits : 0}; }

void put_float(FloatBits value, std::uint32_t bits, Slot* to) {
  to[0] = {value.low, 0, 0, 0};
  if (bits > 64) to[1] = {value.high, 0, 0, 0};
}

void float_binary(BinaryOp op, const Slot* a, const Slot* b, FloatFormat format, Slot* to,
                  const numeric::FloatRules& rules) {
  const std::uint32_t bits = numeric::traits_of(format).bits;
  const bool undef = any_undef(a, bits) || any_undef(b, bits);
  bool is_done = false;
  if (format == FloatFormat::Single) {
    const float value = float_operation(op, single_of(a), single_of(b));
    is_done = value == value;
    if (is_done) to[0] = slot_of(value);
  } else if (format == FloatFormat::Double) {
    const double value = float_operation(op, double_of(a), double_of(b));
    is_done = value == value;
    if (is_done) to[0] = slot_of(value);
  }
  if (!is_done) [[unlikely]]
    put_float(numeric::operate(format, operator_of(op), float_bits(a, bits), float_bits(b, bits), rules), bits, to);
  if (undef) make_undef(bits, to);
}

bool float_holds(Predicate predicate, const Slot* a, const Slot* b, FloatFormat format) {
  if (format == FloatFormat::Single) return host_holds(predicate, single_of(a), single_of(b));
  if (format == FloatFormat::Double) return host_holds(predicate, double_of(a), double_of(b));
  const std::uint32_t bits = numeric::traits_of(format).bits;
  const std::partial_ordering order = numeric::compare(format, float_bits(a, bits), float_bits(b, bits));
  return order_holds(predicate, order < 0, order == 0, order > 0);
}

void cast_float(const NumberCast& cast, const Slot* from, Slot* to, const numeric::FloatRules& rules) {
  const bool undef = any_undef(from, cast.from.bits);
  switch (cast.op) {
    case CastOp::FpTrunc:
    case CastOp::FpExt: real_to_real(cast, from, to, rules); break;
    case CastOp::FpToUi:
    case CastOp::FpToSi: real_to_integer(cast, from, to); break;
    default: integer_to_real(cast, from, to);
  }
  if (undef) make_undef(cast.to.bits, to);
}

}  // namespace heddle::interpret
