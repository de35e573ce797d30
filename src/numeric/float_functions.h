// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <math.h> for formats that the host may not have: correctly rounded results of MPFR. A C library may be one unit in
// the last place off where it computes sin or pow; sqrt, fma, fmod and all that round to whole numbers are exact in
// both.
//
//   apply(FloatFunction::sqrt, FloatFormat::Quad, two, rules)
#pragma once
#include "numeric/float_format.h"

namespace heddle::numeric {

/// Named as in C.
enum class FloatFunction : std::uint8_t {
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sqrt,
  cbrt,
  erf,
  erfc,
  tgamma,
  fabs,
  floor,
  ceil,
  trunc,
  round,      ///< halves away from zero
  rint,       ///< halves to even
  nearbyint,  ///< as rint
  roundeven,
  logb,
};

enum class FloatFunction2 : std::uint8_t { pow, atan2, fmod, remainder, fmin, fmax, hypot, copysign, fdim, nextafter };

FloatBits apply(FloatFunction function, FloatFormat format, FloatBits x, const FloatRules& rules);
FloatBits apply(FloatFunction2 function, FloatFormat format, FloatBits x, FloatBits y, const FloatRules& rules);

/// x · 2^exponent.
FloatBits scaled(FloatFormat format, FloatBits x, std::int64_t exponent, const FloatRules& rules);

/// A fraction in [1/2, 1) and an exponent; zeros, infinities and NaNs are their own fraction.
struct FloatFraction {
  FloatBits fraction;
  std::int32_t exponent = 0;
};
FloatFraction fraction_of(FloatFormat format, FloatBits x, const FloatRules& rules);

}  // namespace heddle::numeric
