// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on floating point numbers of any format, each result rounded once to the nearest, ties to even, whatever
// the machine heddle runs on can do. A program for x86 has a long double of 80 bits on an Arm host too:
//
//   const FloatBits third = operate(FloatFormat::Extended, FloatOperator::Divide, one, three, rules);
//   const FloatBits narrow = convert(FloatFormat::Extended, third, FloatFormat::Double, rules);
//   std::partial_ordering order = compare(FloatFormat::Extended, third, one);   // less
//
// Exact in all bits: subnormal numbers, signed zeros, infinities, NaNs with their sign and payload as FloatRules says.
// One operation costs some 100 ns; float and double are quicker on the host, whose arithmetic is the same.
#pragma once
#include <compare>
#include <optional>

#include "numeric/float_format.h"

namespace heddle::numeric {

enum class FloatOperator : std::uint8_t { Add, Subtract, Multiply, Divide, Remainder };

FloatBits operate(FloatFormat format, FloatOperator op, FloatBits a, FloatBits b, const FloatRules& rules);
/// a · b + c, rounded once.
FloatBits fused_multiply_add(FloatFormat format, FloatBits a, FloatBits b, FloatBits c, const FloatRules& rules);
std::partial_ordering compare(FloatFormat format, FloatBits a, FloatBits b);
FloatBits convert(FloatFormat from, FloatBits value, FloatFormat to, const FloatRules& rules);

FloatBits from_integer(FloatFormat format, Bits128 magnitude, bool is_negative);
/// Rounded towards zero, in two's complement of `bits`; none if it does not fit.
std::optional<Bits128> to_integer(FloatFormat format, FloatBits value, bool is_signed, std::uint32_t bits);

FloatBits default_nan(FloatFormat format, const FloatRules& rules);
/// Of two operands one is a NaN: which one the result is. For operations of one operand give it twice.
FloatBits surviving_nan(FloatFormat format, FloatBits a, FloatBits b, const FloatRules& rules);
FloatBits infinity(FloatFormat format, bool is_negative);
/// The sign bit of `value` is replaced.
FloatBits with_sign(FloatFormat format, FloatBits value, bool is_negative);

}  // namespace heddle::numeric
