// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/float_functions.h"

#include <algorithm>
#include <compare>

#include "numeric/mpfr_number.h"
#include "numeric/soft_float.h"

namespace heddle::numeric {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

Unary function_of(FloatFunction function) {
  switch (function) {
    case FloatFunction::sin: return mpfr_sin;
    case FloatFunction::cos: return mpfr_cos;
    case FloatFunction::tan: return mpfr_tan;
    case FloatFunction::asin: return mpfr_asin;
    case FloatFunction::acos: return mpfr_acos;
    case FloatFunction::atan: return mpfr_atan;
    case FloatFunction::sinh: return mpfr_sinh;
    case FloatFunction::cosh: return mpfr_cosh;
    case FloatFunction::tanh: return mpfr_tanh;
    case FloatFunction::asinh: return mpfr_asinh;
    case FloatFunction::acosh: return mpfr_acosh;
    case FloatFunction::atanh: return mpfr_atanh;
    case FloatFunction::exp: return mpfr_exp;
    case FloatFunction::exp2: return mpfr_exp2;
    case FloatFunction::expm1: return mpfr_expm1;
    case FloatFunction::log: return mpfr_log;
    case FloatFunction::log2: return mpfr_log2;
    case FloatFunction::log10: return mpfr_log10;
    case FloatFunction::log1p: return mpfr_log1p;
    case FloatFunction::sqrt: return mpfr_sqrt;
    case FloatFunction::cbrt: return mpfr_cbrt;
    case FloatFunction::erf: return mpfr_erf;
    case FloatFunction::erfc: return mpfr_erfc;
    case FloatFunction::tgamma: return mpfr_gamma;
    case FloatFunction::fabs: return mpfr_abs;
    case FloatFunction::floor: return mpfr_rint_floor;
    case FloatFunction::ceil: return mpfr_rint_ceil;
    case FloatFunction::trunc: return mpfr_rint_trunc;
    case FloatFunction::round: return mpfr_rint_round;
    case FloatFunction::rint:
    case FloatFunction::nearbyint:
    case FloatFunction::roundeven: return mpfr_rint_roundeven;
    case FloatFunction::logb: break;
  }
  return [](mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
    if (mpfr_regular_p(x) != 0) return mpfr_set_si(result, mpfr_get_exp(x) - 1, rounding);
    mpfr_set_inf(result, mpfr_zero_p(x) != 0 ? -1 : 1);
    return 0;
  };
}

Binary function_of(FloatFunction2 function) {
  switch (function) {
    case FloatFunction2::pow: return mpfr_pow;
    case FloatFunction2::atan2: return mpfr_atan2;
    case FloatFunction2::fmod: return mpfr_fmod;
    case FloatFunction2::remainder: return mpfr_remainder;
    case FloatFunction2::hypot: return mpfr_hypot;
    default: return mpfr_dim;
  }
}

/// The neighbour of x on the side of y.
FloatBits neighbour(FloatFormat format, FloatBits x, FloatBits y, const FloatRules& rules) {
  const std::partial_ordering order = compare(format, x, y);
  if (order == std::partial_ordering::equivalent) return y;
  const FloatTraits traits = traits_of(format);
  const bool goes_up = order == std::partial_ordering::less;
  const WideExponents wide;
  const MpfrNumber from(format, x);
  MpfrNumber result(traits.precision), step(traits.precision);
  const bool is_regular = mpfr_regular_p(from.get()) != 0;
  const mpfr_exp_t least_normal = traits.least_exponent() + 1;
  const bool leaves_zero = (mpfr_sgn(from.get()) > 0) == goes_up;
  const bool has_fixed_step = mpfr_zero_p(from.get()) != 0 ||
                              (is_regular && mpfr_get_exp(from.get()) <= least_normal && !leaves_zero) ||
                              (is_regular && mpfr_get_exp(from.get()) < least_normal);
  if (has_fixed_step) {
    mpfr_set_si_2exp(step.get(), goes_up ? 1 : -1, least_normal - static_cast<mpfr_exp_t>(traits.precision), MPFR_RNDN);
    mpfr_add(result.get(), from.get(), step.get(), MPFR_RNDN);
    if (mpfr_zero_p(result.get()) != 0) mpfr_setsign(result.get(), result.get(), goes_up ? 1 : 0, MPFR_RNDN);
  } else {
    if (!is_regular) {  // an infinity: its neighbour is the largest number, which needs the format's own bounds
      mpfr_set_emax(traits.bias + 1);
    }
    mpfr_set(result.get(), from.get(), MPFR_RNDN);
    if (goes_up)
      mpfr_nextabove(result.get());
    else
      mpfr_nextbelow(result.get());
  }
  return rounded_into(format, result.get(), 0, rules);
}

/// The one of two numbers that is not a NaN; else as the C library's generic code compares.
FloatBits extremum(bool is_least, FloatFormat format, FloatBits x, FloatBits y, const FloatRules& rules) {
  const Unpacked a = unpack(format, x), b = unpack(format, y);
  const bool is_signalling = a.kind == FloatClass::SignallingNan || b.kind == FloatClass::SignallingNan;
  if ((a.is_nan() && b.is_nan()) || is_signalling) return surviving_nan(format, x, y, rules);
  if (a.is_nan()) return y;
  if (b.is_nan()) return x;
  const std::partial_ordering order = compare(format, x, y);
  return (is_least ? order <= 0 : order >= 0) ? x : y;
}

/// C's answers for NaN arguments that are numbers all the same.
bool ignores_nan(FloatFunction2 function, const Unpacked& x, const Unpacked& y) {
  const auto is_quiet_nan = [](const Unpacked& a) { return a.kind == FloatClass::QuietNan; };
  if (function == FloatFunction2::hypot)
    return (x.kind == FloatClass::Infinite && is_quiet_nan(y)) || (y.kind == FloatClass::Infinite && is_quiet_nan(x));
  if (function != FloatFunction2::pow) return false;
  const bool is_one = x.kind == FloatClass::Normal && !x.is_negative && x.exponent <= 0 && x.exponent > -128 &&
                      x.significand == Bits128{1} << -x.exponent;
  return (is_one && is_quiet_nan(y)) || (y.kind == FloatClass::Zero && is_quiet_nan(x));
}

}  // namespace

FloatBits apply(FloatFunction function, FloatFormat format, FloatBits x, const FloatRules& rules) {
  if (function == FloatFunction::fabs) return with_sign(format, x, false);
  const Unpacked value = unpack(format, x);
  if (value.is_nan()) return surviving_nan(format, x, x, rules);
  const WideExponents wide;
  const MpfrNumber argument(value);
  MpfrNumber result(traits_of(format).precision);
  const int direction = function_of(function)(result.get(), argument.get(), MPFR_RNDN);
  return rounded_into(format, result.get(), direction, rules);
}

FloatBits apply(FloatFunction2 function, FloatFormat format, FloatBits x, FloatBits y, const FloatRules& rules) {
  const Unpacked a = unpack(format, x), b = unpack(format, y);
  if (function == FloatFunction2::copysign) return with_sign(format, x, b.is_negative);
  if (function == FloatFunction2::fmin || function == FloatFunction2::fmax)
    return extremum(function == FloatFunction2::fmin, format, x, y, rules);
  if (a.is_nan() || b.is_nan()) {
    if (!ignores_nan(function, a, b)) return surviving_nan(format, x, y, rules);
    return function == FloatFunction2::hypot ? infinity(format, false) : from_integer(format, 1, false);
  }
  if (function == FloatFunction2::nextafter) return neighbour(format, x, y, rules);
  const WideExponents wide;
  const MpfrNumber first(a), second(b);
  MpfrNumber result(traits_of(format).precision);
  const int direction = function_of(function)(result.get(), first.get(), second.get(), MPFR_RNDN);
  return rounded_into(format, result.get(), direction, rules);
}

FloatBits scaled(FloatFormat format, FloatBits x, std::int64_t exponent, const FloatRules& rules) {
  const Unpacked value = unpack(format, x);
  if (value.is_nan()) return surviving_nan(format, x, x, rules);
  constexpr std::int64_t enough = 60'000;  // from the least number of a format to beyond its largest
  const WideExponents wide;
  const MpfrNumber argument(value);
  MpfrNumber result(traits_of(format).precision);
  const long by = static_cast<long>(std::clamp(exponent, -enough, enough));
  const int direction = mpfr_mul_2si(result.get(), argument.get(), by, MPFR_RNDN);
  return rounded_into(format, result.get(), direction, rules);
}

FloatFraction fraction_of(FloatFormat format, FloatBits x, const FloatRules& rules) {
  const Unpacked value = unpack(format, x);
  if (value.is_nan()) return {surviving_nan(format, x, x, rules), 0};
  const MpfrNumber argument(value);
  if (mpfr_regular_p(argument.get()) == 0) return {x, 0};
  const auto exponent = static_cast<std::int32_t>(mpfr_get_exp(argument.get()));
  return {scaled(format, x, -exponent, rules), exponent};
}

}  // namespace heddle::numeric
