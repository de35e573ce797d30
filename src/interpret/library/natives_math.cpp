// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <math.h> through the host's library: float functions compute in float, the rest in double; long double is not
// offered.
#include <cmath>

#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void check_width(Call& c) {
  if (c.bits(0) > 64) c.core.unsupported("long double function " + c.core.name_of(c.callee));
}

template <auto function>
void unary(Call& c) {
  check_width(c);
  const double x = c.real(0);
  c.give_real(c.bits(0) == 32 ? static_cast<double>(function(static_cast<float>(x))) : function(x));
}

template <auto function>
void binary(Call& c) {
  check_width(c);
  const double x = c.real(0), y = c.real(1);
  c.give_real(c.bits(0) == 32 ? static_cast<double>(function(static_cast<float>(x), static_cast<float>(y)))
                              : function(x, y));
}

#define HEDDLE_MATH(name) [](Call& c) { unary<[](auto x) { return std::name(x); }>(c); }
#define HEDDLE_MATH2(name) [](Call& c) { binary<[](auto x, auto y) { return std::name(x, y); }>(c); }
#define HEDDLE_BOTH(name) \
  {#name, HEDDLE_MATH(name)}, {#name "f", HEDDLE_MATH(name)}, { "llvm." #name ".f*", HEDDLE_MATH(name) }
#define HEDDLE_BOTH2(name) \
  {#name, HEDDLE_MATH2(name)}, {#name "f", HEDDLE_MATH2(name)}, { "llvm." #name ".f*", HEDDLE_MATH2(name) }

template <bool is_float>
double fused(Call& c) {
  if constexpr (is_float)
    return static_cast<double>(
        std::fma(static_cast<float>(c.real(0)), static_cast<float>(c.real(1)), static_cast<float>(c.real(2))));
  else
    return std::fma(c.real(0), c.real(1), c.real(2));
}
void fma_call(Call& c) {
  check_width(c);
  c.give_real(c.bits(0) == 32 ? fused<true>(c) : fused<false>(c));
}
/// `a * b + c` as written: the compiler may fuse, a plain x86-64 build does not.
void multiply_add(Call& c) {
  check_width(c);
  if (c.bits(0) == 32) {
    volatile float product = static_cast<float>(c.real(0)) * static_cast<float>(c.real(1));
    c.give_real(static_cast<double>(product + static_cast<float>(c.real(2))));
  } else {
    volatile double product = c.real(0) * c.real(1);
    c.give_real(product + c.real(2));
  }
}
void to_long(Call& c) { c.give(static_cast<std::uint64_t>(std::llround(c.real(0)))); }
void to_long_even(Call& c) { c.give(static_cast<std::uint64_t>(std::llrint(c.real(0)))); }

constexpr NativeEntry table[] = {
    HEDDLE_BOTH(sin),
    HEDDLE_BOTH(cos),
    HEDDLE_BOTH(tan),
    HEDDLE_BOTH(asin),
    HEDDLE_BOTH(acos),
    HEDDLE_BOTH(atan),
    HEDDLE_BOTH(sinh),
    HEDDLE_BOTH(cosh),
    HEDDLE_BOTH(tanh),
    HEDDLE_BOTH(exp),
    HEDDLE_BOTH(exp2),
    HEDDLE_BOTH(expm1),
    HEDDLE_BOTH(log),
    HEDDLE_BOTH(log2),
    HEDDLE_BOTH(log10),
    HEDDLE_BOTH(log1p),
    HEDDLE_BOTH(sqrt),
    HEDDLE_BOTH(cbrt),
    HEDDLE_BOTH(fabs),
    HEDDLE_BOTH(floor),
    HEDDLE_BOTH(ceil),
    HEDDLE_BOTH(trunc),
    HEDDLE_BOTH(round),
    HEDDLE_BOTH(rint),
    HEDDLE_BOTH(nearbyint),
    HEDDLE_BOTH2(pow),
    HEDDLE_BOTH2(atan2),
    HEDDLE_BOTH2(fmod),
    HEDDLE_BOTH2(fmin),
    HEDDLE_BOTH2(fmax),
    HEDDLE_BOTH2(hypot),
    HEDDLE_BOTH2(copysign),
    HEDDLE_BOTH2(fdim),
    HEDDLE_BOTH2(remainder),
    {"llvm.minnum.*", HEDDLE_MATH2(fmin)},
    {"llvm.maxnum.*", HEDDLE_MATH2(fmax)},
    {"fma", fma_call},
    {"fmaf", fma_call},
    {"llvm.fma.*", fma_call},
    {"llvm.fmuladd.*", multiply_add},
    {"lround", to_long},
    {"llround", to_long},
    {"lroundf", to_long},
    {"lrint", to_long_even},
    {"llrint", to_long_even},
    {"llvm.lround.*", to_long},
    {"llvm.llround.*", to_long},
    {"llvm.lrint.*", to_long_even},
    {"llvm.llrint.*", to_long_even},
    {"ldexp", [](Call& c) { c.give_real(std::ldexp(c.real(0), static_cast<int>(c.number(1)))); }},
    {"frexp",
     [](Call& c) {
       int exponent = 0;
       c.give_real(std::frexp(c.real(0), &exponent));
       c.core.write_word(c.slot(1), 4, static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent)));
     }},
    {"modf",
     [](Call& c) {
       double whole = 0;
       c.give_real(std::modf(c.real(0), &whole));
       c.core.write_bytes(c.slot(1), &whole, 8);
     }},
};

}  // namespace

std::span<const NativeEntry> math_natives() { return table; }

}  // namespace heddle::interpret
