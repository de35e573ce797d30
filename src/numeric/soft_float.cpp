// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/soft_float.h"

#include "numeric/mpfr_number.h"

namespace heddle::numeric {
namespace {

Bits128 sign_bit(const FloatTraits& traits) { return Bits128{1} << (traits.bits - 1); }
Bits128 quiet_bit(const FloatTraits& traits) { return Bits128{1} << (traits.precision - 2); }

FloatBits quieted(FloatFormat format, FloatBits nan) {
  return FloatBits::of(nan.joined() | quiet_bit(traits_of(format)));
}

Bits128 fraction_of(FloatFormat format, FloatBits value) {
  return value.joined() & ((Bits128{1} << traits_of(format).fraction_bits()) - 1);
}

/// The x87 unit: a quiet NaN before a signalling one, else the larger significand, else the positive one.
FloatBits x87_survivor(FloatBits a, const Unpacked& x, FloatBits b, const Unpacked& y) {
  constexpr auto format = FloatFormat::Extended;
  if (!y.is_nan()) return quieted(format, a);
  if (!x.is_nan()) return quieted(format, b);
  if (x.kind != y.kind) return x.kind == FloatClass::QuietNan ? a : quieted(format, b);
  const Bits128 first = fraction_of(format, a), second = fraction_of(format, b);
  if (first != second) return quieted(format, first > second ? a : b);
  return quieted(format, x.is_negative ? b : a);
}

/// The precision bits of a regular number as an integer.
Bits128 significand_of(mpfr_srcptr number, std::uint32_t precision) {
  const auto* limbs = static_cast<const mp_limb_t*>(mpfr_custom_get_significand(number));
  Bits128 all = static_cast<Bits128>(limbs[precision > 64 ? 1 : 0]) << 64;
  if (precision > 64) all |= limbs[0];
  return all >> (128 - precision);
}

/// A number that the format can hold.
FloatBits pack(FloatFormat format, mpfr_srcptr number) {
  const FloatTraits traits = traits_of(format);
  const bool is_negative = mpfr_signbit(number) != 0;
  if (mpfr_inf_p(number) != 0) return infinity(format, is_negative);
  const Bits128 sign = is_negative ? sign_bit(traits) : 0;
  if (mpfr_zero_p(number) != 0) return FloatBits::of(sign);
  Bits128 significand = significand_of(number, traits.precision);
  // MPFR's numbers lie below one: 0.1xxx · 2^exponent.
  std::int64_t biased = mpfr_get_exp(number) - 1 + traits.bias;
  if (biased < 1) {
    significand >>= 1 - biased;
    biased = 0;
  }
  const Bits128 fraction = significand & ((Bits128{1} << traits.fraction_bits()) - 1);
  return FloatBits::of(sign | (static_cast<Bits128>(biased) << traits.fraction_bits()) | fraction);
}

using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

Binary function_of(FloatOperator op) {
  switch (op) {
    case FloatOperator::Add: return mpfr_add;
    case FloatOperator::Subtract: return mpfr_sub;
    case FloatOperator::Multiply: return mpfr_mul;
    case FloatOperator::Divide: return mpfr_div;
    case FloatOperator::Remainder: break;
  }
  return mpfr_fmod;
}

FloatBits converted_nan(FloatFormat from, FloatBits value, FloatFormat to) {
  const FloatTraits old = traits_of(from), wanted = traits_of(to);
  const Bits128 payload = value.joined() & ((Bits128{1} << (old.precision - 1)) - 1);
  const Bits128 fitted = wanted.precision >= old.precision ? payload << (wanted.precision - old.precision)
                                                           : payload >> (old.precision - wanted.precision);
  const FloatBits out = FloatBits::of(infinity(to, false).joined() | fitted | quiet_bit(wanted));
  return with_sign(to, out, unpack(from, value).is_negative);
}

}  // namespace

FloatBits rounded_into(FloatFormat format, mpfr_ptr number, int direction, const FloatRules& rules,
                       Rounding* rounding) {
  const FloatTraits traits = traits_of(format);
  if (mpfr_nan_p(number) != 0) return default_nan(format, rules);
  const mpfr_exp_t least_normal = traits.least_exponent() + 1;
  const bool was_finite = mpfr_inf_p(number) == 0 || direction != 0;
  bool is_small =
      mpfr_regular_p(number) == 0 ? mpfr_zero_p(number) != 0 && direction != 0 : mpfr_get_exp(number) < least_normal;
  // Rounded up to the least normal number, from below it.
  if (rules.tiny_before_rounding && mpfr_regular_p(number) != 0 && mpfr_get_exp(number) == least_normal) {
    const bool grew = mpfr_sgn(number) > 0 ? direction > 0 : direction < 0;
    is_small = grew && significand_of(number, traits.precision) == Bits128{1} << (traits.precision - 1);
  }
  mpfr_set_emin(least_normal - static_cast<mpfr_exp_t>(traits.precision) + 1);
  mpfr_set_emax(traits.bias + 1);
  direction = mpfr_check_range(number, direction, MPFR_RNDN);
  direction = mpfr_subnormalize(number, direction, MPFR_RNDN);
  if (rounding != nullptr)
    *rounding = {direction != 0, was_finite && mpfr_inf_p(number) != 0, is_small && direction != 0};
  return pack(format, number);
}

FloatBits operate(FloatFormat format, FloatOperator op, FloatBits a, FloatBits b, const FloatRules& rules) {
  const Unpacked x = unpack(format, a), y = unpack(format, b);
  if (x.is_nan() || y.is_nan()) return surviving_nan(format, a, b, rules);
  const WideExponents wide;
  const MpfrNumber left(x), right(y);
  MpfrNumber result(traits_of(format).precision);
  const int direction = function_of(op)(result.get(), left.get(), right.get(), MPFR_RNDN);
  return rounded_into(format, result.get(), direction, rules);
}

FloatBits fused_multiply_add(FloatFormat format, FloatBits a, FloatBits b, FloatBits c, const FloatRules& rules) {
  const Unpacked x = unpack(format, a), y = unpack(format, b), z = unpack(format, c);
  if (x.is_nan() || y.is_nan()) return surviving_nan(format, a, b, rules);
  if (z.is_nan()) return surviving_nan(format, c, c, rules);
  const WideExponents wide;
  const MpfrNumber first(x), second(y), third(z);
  MpfrNumber result(traits_of(format).precision);
  const int direction = mpfr_fma(result.get(), first.get(), second.get(), third.get(), MPFR_RNDN);
  return rounded_into(format, result.get(), direction, rules);
}

std::partial_ordering compare(FloatFormat format, FloatBits a, FloatBits b) {
  const Unpacked x = unpack(format, a), y = unpack(format, b);
  if (x.is_nan() || y.is_nan()) return std::partial_ordering::unordered;
  const MpfrNumber left(x), right(y);
  return mpfr_cmp(left.get(), right.get()) <=> 0;
}

FloatBits convert(FloatFormat from, FloatBits value, FloatFormat to, const FloatRules& rules) {
  const Unpacked x = unpack(from, value);
  if (x.kind == FloatClass::NoNumber) return default_nan(to, rules);
  if (x.is_nan()) return converted_nan(from, value, to);
  const WideExponents wide;
  const MpfrNumber exact(x);
  MpfrNumber result(traits_of(to).precision);
  const int direction = mpfr_set(result.get(), exact.get(), MPFR_RNDN);
  return rounded_into(to, result.get(), direction, rules);
}

FloatBits from_integer(FloatFormat format, Bits128 magnitude, bool is_negative) {
  if (magnitude == 0) return {};
  const WideExponents wide;
  const MpfrNumber exact(Unpacked{FloatClass::Normal, is_negative, 0, magnitude});
  MpfrNumber result(traits_of(format).precision);
  const int direction = mpfr_set(result.get(), exact.get(), MPFR_RNDN);
  return rounded_into(format, result.get(), direction, {});
}

std::optional<Bits128> to_integer(FloatFormat format, FloatBits value, bool is_signed, std::uint32_t bits) {
  const Unpacked x = unpack(format, value);
  if (x.is_nan() || x.kind == FloatClass::Infinite) return std::nullopt;
  if (x.exponent <= -128) return Bits128{0};
  Bits128 whole = x.significand;
  if (x.exponent < 0) {
    whole >>= -x.exponent;
  } else {
    if (x.exponent >= 128 || (whole << x.exponent) >> x.exponent != whole) return std::nullopt;
    whole <<= x.exponent;
  }
  const Bits128 all = bits >= 128 ? ~Bits128{0} : (Bits128{1} << bits) - 1;
  const Bits128 top = is_signed ? all >> 1 : all;
  if (x.is_negative ? whole > (is_signed ? top + 1 : 0) : whole > top) return std::nullopt;
  return (x.is_negative ? ~whole + 1 : whole) & all;
}

FloatBits infinity(FloatFormat format, bool is_negative) {
  const FloatTraits traits = traits_of(format);
  Bits128 out = static_cast<Bits128>(traits.all_ones()) << traits.fraction_bits();
  if (traits.has_leading_bit) out |= Bits128{1} << (traits.precision - 1);
  return FloatBits::of(is_negative ? out | sign_bit(traits) : out);
}

FloatBits default_nan(FloatFormat format, const FloatRules& rules) {
  FloatBits out = quieted(format, infinity(format, rules.default_nan_is_negative));
  if (format == FloatFormat::Quad && rules.quad_nan_has_all_bits)
    out = FloatBits::of(out.joined() | ((Bits128{1} << traits_of(format).fraction_bits()) - 1));
  return out;
}

FloatBits surviving_nan(FloatFormat format, FloatBits a, FloatBits b, const FloatRules& rules) {
  const Unpacked x = unpack(format, a), y = unpack(format, b);
  if (x.kind == FloatClass::NoNumber || y.kind == FloatClass::NoNumber) return default_nan(format, rules);
  if (format == FloatFormat::Extended) return x87_survivor(a, x, b, y);
  if (!x.is_nan()) return quieted(format, b);
  const bool second_first = rules.survivor == FloatRules::Survivor::Signalling && x.kind == FloatClass::QuietNan &&
                            y.kind == FloatClass::SignallingNan;
  return quieted(format, second_first ? b : a);
}

FloatBits with_sign(FloatFormat format, FloatBits value, bool is_negative) {
  const Bits128 sign = sign_bit(traits_of(format));
  return FloatBits::of(is_negative ? value.joined() | sign : value.joined() & ~sign);
}

}  // namespace heddle::numeric
