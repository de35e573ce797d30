// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <math.h>. float functions compute in float and double ones in double, through the host's library; every other format
// goes through numeric/float_functions.h, where results are rounded correctly.
#include <bit>
#include <cmath>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"
#include "numeric/float_functions.h"
#include "numeric/float_text.h"
#include "numeric/soft_float.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;
using numeric::FloatBits;
using numeric::FloatFunction;
using numeric::FloatFunction2;

bool is_hosted(Call& c) { return c.format(0) == FloatFormat::Single || c.format(0) == FloatFormat::Double; }
bool is_single(Call& c) { return c.format(0) == FloatFormat::Single; }

/// A NaN that comes from no argument is the target's.
void give_hosted(Call& c, double value) {
  if (value == value)
    c.give_real(value);
  else
    c.give_float(numeric::default_nan(c.result_format(), c.core.image.platform.rules));
}

template <auto function, FloatFunction soft>
void unary(Call& c) {
  if (!is_hosted(c)) {
    c.give_float(numeric::apply(soft, c.format(0), c.float_value(0), c.core.image.platform.rules));
    return;
  }
  const double x = c.real(0);
  if (x != x || soft == FloatFunction::fabs)
    c.give_float(numeric::apply(soft, c.format(0), c.float_value(0), c.core.image.platform.rules));
  else
    give_hosted(c, is_single(c) ? static_cast<double>(function(static_cast<float>(x))) : function(x));
}

template <auto function, FloatFunction2 soft>
void binary(Call& c) {
  const double x = is_hosted(c) ? c.real(0) : NAN, y = is_hosted(c) ? c.real(1) : NAN;
  if (x != x || y != y || soft == FloatFunction2::copysign)
    c.give_float(numeric::apply(soft, c.format(0), c.float_value(0), c.float_value(1), c.core.image.platform.rules));
  else
    give_hosted(
        c, is_single(c) ? static_cast<double>(function(static_cast<float>(x), static_cast<float>(y))) : function(x, y));
}

#define HEDDLE_MATH(name) [](Call& c) { unary<[](auto x) { return std::name(x); }, FloatFunction::name>(c); }
#define HEDDLE_MATH2(name) \
  [](Call& c) { binary<[](auto x, auto y) { return std::name(x, y); }, FloatFunction2::name>(c); }
#define HEDDLE_BOTH(name)                                                                       \
  {#name, HEDDLE_MATH(name)}, {#name "f", HEDDLE_MATH(name)}, {#name "l", HEDDLE_MATH(name)}, { \
    "llvm." #name ".f*", HEDDLE_MATH(name)                                                      \
  }
#define HEDDLE_BOTH2(name)                                                                         \
  {#name, HEDDLE_MATH2(name)}, {#name "f", HEDDLE_MATH2(name)}, {#name "l", HEDDLE_MATH2(name)}, { \
    "llvm." #name ".f*", HEDDLE_MATH2(name)                                                        \
  }

FloatBits product_and_sum(Call& c) {
  return numeric::fused_multiply_add(c.format(0), c.float_value(0), c.float_value(1), c.float_value(2),
                                     c.core.image.platform.rules);
}

void fma_call(Call& c) {
  if (!is_hosted(c)) {
    c.give_float(product_and_sum(c));
    return;
  }
  const double x = c.real(0), y = c.real(1), z = c.real(2);
  const double value =
      is_single(c) ? static_cast<double>(std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)))
                   : std::fma(x, y, z);
  if (value == value)
    c.give_real(value);
  else
    c.give_float(product_and_sum(c));
}

/// `a * b + c` as written: the compiler may fuse, and does where the target always has the instruction.
void multiply_add(Call& c) {
  if (c.core.image.platform.fuses_multiply_add && is_hosted(c)) {
    fma_call(c);
    return;
  }
  Slot factors[2][2], product[2], term[2], sum[2];
  for (std::size_t i = 0; i < 2; ++i) put_float(c.float_value(i), c.bits(0), factors[i]);
  put_float(c.float_value(2), c.bits(0), term);
  float_binary(BinaryOp::FMul, factors[0], factors[1], c.format(0), product, c.core.image.platform.rules);
  float_binary(BinaryOp::FAdd, product, term, c.format(0), sum, c.core.image.platform.rules);
  c.give_float(float_bits(sum, c.bits(0)));
}

/// lround, llrint and their like. C leaves open what comes of a number that does not fit: x86 gives the least number,
/// Arm the nearest, and 0 for a NaN.
template <FloatFunction rounding>
void to_long(Call& c) {
  const FloatBits whole = numeric::apply(rounding, c.format(0), c.float_value(0), c.core.image.platform.rules);
  const auto value = numeric::to_integer(c.format(0), whole, true, c.result_bits());
  const numeric::Unpacked number = numeric::unpack(c.format(0), whole);
  const std::uint64_t least = 1ULL << (c.result_bits() - 1);
  if (value)
    c.give(static_cast<std::uint64_t>(*value));
  else if (c.core.image.platform.is_x86 || (number.is_negative && !number.is_nan()))
    c.give(least);
  else
    c.give(number.is_nan() ? 0 : least - 1);
}

void scale(Call& c) {
  c.give_float(numeric::scaled(c.format(0), c.float_value(0), c.number(1), c.core.image.platform.rules));
}

void split_exponent(Call& c) {
  const numeric::FloatFraction parts = numeric::fraction_of(c.format(0), c.float_value(0), c.core.image.platform.rules);
  c.core.space.write_word(c.slot(1), 4, static_cast<std::uint64_t>(static_cast<std::int64_t>(parts.exponent)));
  c.give_float(parts.fraction);
}

void store_float(Call& c, const Slot& to, FloatBits value) {
  const std::uint32_t bytes = numeric::traits_of(c.format(0)).bits / 8;
  c.core.space.write_word(to, std::min(bytes, 8U), value.low);
  if (bytes > 8) c.core.space.write_word({to.bits + 8, 0, to.object, 0}, bytes - 8, value.high);
}

void split_whole(Call& c) {
  const FloatFormat format = c.format(0);
  const numeric::FloatRules& rules = c.core.image.platform.rules;
  const FloatBits x = c.float_value(0), whole = numeric::apply(FloatFunction::trunc, format, x, rules);
  const numeric::Unpacked parts = numeric::unpack(format, x);
  store_float(c, c.slot(1), whole);
  FloatBits rest = whole;  // a NaN
  if (parts.kind == numeric::FloatClass::Infinite)
    rest = {};
  else if (!parts.is_nan())
    rest = numeric::operate(format, numeric::FloatOperator::Subtract, x, whole, rules);
  c.give_float(parts.is_nan() ? rest : numeric::with_sign(format, rest, parts.is_negative));
}

void exponent_number(Call& c) {
  const numeric::Unpacked parts = numeric::unpack(c.format(0), c.float_value(0));
  const numeric::FloatFraction split = numeric::fraction_of(c.format(0), c.float_value(0), c.core.image.platform.rules);
  constexpr std::uint64_t largest = 0x7fffffff, least = 0x80000000;
  if (parts.kind == numeric::FloatClass::Infinite)
    c.give(largest);
  else if (parts.is_nan())
    c.give(c.core.image.platform.is_x86 ? least : largest);  // FP_ILOGBNAN
  else if (parts.kind == numeric::FloatClass::Zero)
    c.give(c.core.image.platform.is_x86 ? least : largest + 2);  // FP_ILOGB0
  else
    c.give(static_cast<std::uint64_t>(static_cast<std::int64_t>(split.exponent - 1)));
}

void named_nan(Call& c) {
  const std::string text = "nan(" + c.text(0) + ")";
  c.give_float(numeric::parse_float(c.result_format(), text, c.core.image.platform.rules).value);
}

#define HEDDLE_THREE(name, function) \
  {name, function}, {name "f", function}, { name "l", function }

constexpr NativeEntry math_table[] = {
    HEDDLE_BOTH(sin),
    HEDDLE_BOTH(cos),
    HEDDLE_BOTH(tan),
    HEDDLE_BOTH(asin),
    HEDDLE_BOTH(acos),
    HEDDLE_BOTH(atan),
    HEDDLE_BOTH(sinh),
    HEDDLE_BOTH(cosh),
    HEDDLE_BOTH(tanh),
    HEDDLE_BOTH(asinh),
    HEDDLE_BOTH(acosh),
    HEDDLE_BOTH(atanh),
    HEDDLE_BOTH(exp),
    HEDDLE_BOTH(exp2),
    HEDDLE_BOTH(expm1),
    HEDDLE_BOTH(log),
    HEDDLE_BOTH(log2),
    HEDDLE_BOTH(log10),
    HEDDLE_BOTH(log1p),
    HEDDLE_BOTH(sqrt),
    HEDDLE_BOTH(cbrt),
    HEDDLE_BOTH(erf),
    HEDDLE_BOTH(erfc),
    HEDDLE_BOTH(tgamma),
    HEDDLE_BOTH(fabs),
    HEDDLE_BOTH(floor),
    HEDDLE_BOTH(ceil),
    HEDDLE_BOTH(trunc),
    HEDDLE_BOTH(round),
    HEDDLE_BOTH(rint),
    HEDDLE_BOTH(nearbyint),
    HEDDLE_BOTH(logb),
    HEDDLE_BOTH2(pow),
    HEDDLE_BOTH2(atan2),
    HEDDLE_BOTH2(fmod),
    HEDDLE_BOTH2(fmin),
    HEDDLE_BOTH2(fmax),
    HEDDLE_BOTH2(hypot),
    HEDDLE_BOTH2(copysign),
    HEDDLE_BOTH2(fdim),
    HEDDLE_BOTH2(remainder),
    HEDDLE_BOTH2(nextafter),
    {"llvm.minnum.*", HEDDLE_MATH2(fmin)},
    {"llvm.maxnum.*", HEDDLE_MATH2(fmax)},
    {"llvm.roundeven.*", HEDDLE_MATH(rint)},
    HEDDLE_THREE("fma", fma_call),
    {"llvm.fma.*", fma_call},
    {"llvm.fmuladd.*", multiply_add},
    HEDDLE_THREE("lround", to_long<FloatFunction::round>),
    HEDDLE_THREE("llround", to_long<FloatFunction::round>),
    HEDDLE_THREE("lrint", to_long<FloatFunction::rint>),
    HEDDLE_THREE("llrint", to_long<FloatFunction::rint>),
    {"llvm.lround.*", to_long<FloatFunction::round>},
    {"llvm.llround.*", to_long<FloatFunction::round>},
    {"llvm.lrint.*", to_long<FloatFunction::rint>},
    {"llvm.llrint.*", to_long<FloatFunction::rint>},
    HEDDLE_THREE("ldexp", scale),
    HEDDLE_THREE("scalbn", scale),
    HEDDLE_THREE("scalbln", scale),
    {"llvm.ldexp.*", scale},
    HEDDLE_THREE("frexp", split_exponent),
    HEDDLE_THREE("modf", split_whole),
    HEDDLE_THREE("ilogb", exponent_number),
    HEDDLE_THREE("nan", named_nan),
};

}  // namespace

std::span<const NativeEntry> math_natives() { return math_table; }

}  // namespace heddle::interpret
