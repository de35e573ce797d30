// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/soft_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <random>

#include "numeric/float_functions.h"

namespace heddle::numeric {
namespace HEDDLE_TEST_FILE {

constexpr FloatRules x86{.default_nan_is_negative = true, .survivor = FloatRules::Survivor::First};
constexpr FloatRules arm{
    .default_nan_is_negative = false, .survivor = FloatRules::Survivor::Signalling, .quad_nan_has_all_bits = true};
#if defined(__x86_64__)
constexpr FloatRules host_rules = x86;
constexpr FloatFormat host_long_double = FloatFormat::Extended;
#else
constexpr FloatRules host_rules = arm;
constexpr FloatFormat host_long_double = FloatFormat::Quad;
#endif

FloatBits bits_of(float x) { return {std::bit_cast<std::uint32_t>(x), 0}; }
FloatBits bits_of(double x) { return {std::bit_cast<std::uint64_t>(x), 0}; }
FloatBits bits_of(long double x) {
  FloatBits out;
  std::memcpy(&out, &x, traits_of(host_long_double).bits / 8);
  return out;
}

/// Numbers of all sizes: random bits, and ones near the edges of the format.
template <class T>
class Numbers {
 public:
  T next() {
    static const T special[] = {T(0),
                                -T(0),
                                T(1),
                                T(-1),
                                std::numeric_limits<T>::infinity(),
                                -std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN(),
                                std::numeric_limits<T>::min(),
                                std::numeric_limits<T>::max(),
                                std::numeric_limits<T>::denorm_min(),
                                std::numeric_limits<T>::epsilon()};
    const auto kind = random_() % 8;
    if (kind == 0) return special[random_() % std::size(special)];
    const int digits = std::numeric_limits<T>::digits;
    T value = T(random_() >> 11) + std::ldexp(T(random_() >> 11), -53);
    value = std::ldexp(value, -53);
    const int range = kind < 4 ? 3 : std::numeric_limits<T>::max_exponent;
    value = std::ldexp(value, static_cast<int>(random_() % static_cast<unsigned>(2 * range + 1)) - range);
    if (kind == 5) value = std::ldexp(value, std::numeric_limits<T>::min_exponent - digits / 2);
    return random_() % 2 == 0 ? value : -value;
  }

 private:
  std::mt19937_64 random_{7};
};

template <class T>
void agrees_with_the_host(FloatFormat format, int rounds) {
  Numbers<T> numbers;
  for (int i = 0; i < rounds; ++i) {
    const T a = numbers.next(), b = numbers.next(), c = numbers.next();
    const auto op = [&](FloatOperator o) { return operate(format, o, bits_of(a), bits_of(b), host_rules); };
    ASSERT_EQ(op(FloatOperator::Add), bits_of(a + b)) << a << " + " << b;
    ASSERT_EQ(op(FloatOperator::Subtract), bits_of(a - b)) << a << " - " << b;
    ASSERT_EQ(op(FloatOperator::Multiply), bits_of(a * b)) << a << " * " << b;
    ASSERT_EQ(op(FloatOperator::Divide), bits_of(a / b)) << a << " / " << b;
    ASSERT_EQ(compare(format, bits_of(a), bits_of(b)), a <=> b) << a << " <=> " << b;
    if (!std::isnan(std::fma(a, b, c)))
      ASSERT_EQ(fused_multiply_add(format, bits_of(a), bits_of(b), bits_of(c), host_rules), bits_of(std::fma(a, b, c)))
          << a << " * " << b << " + " << c;
    if (!std::isnan(a) && a >= 0)
      ASSERT_EQ(apply(FloatFunction::sqrt, format, bits_of(a), host_rules), bits_of(std::sqrt(a))) << a;
    ASSERT_EQ(convert(format, bits_of(a), FloatFormat::Single, host_rules), bits_of(static_cast<float>(a))) << a;
    ASSERT_EQ(convert(format, bits_of(a), FloatFormat::Double, host_rules), bits_of(static_cast<double>(a))) << a;
    ASSERT_EQ(convert(format, bits_of(a), host_long_double, host_rules), bits_of(static_cast<long double>(a))) << a;
    ASSERT_EQ(apply(FloatFunction2::nextafter, format, bits_of(a), bits_of(b), host_rules),
              bits_of(std::nextafter(a, b)))
        << a << " to " << b;
  }
}

TEST(SoftFloat, AgreesWithTheHostOnFloat) { agrees_with_the_host<float>(FloatFormat::Single, 20000); }
TEST(SoftFloat, AgreesWithTheHostOnDouble) { agrees_with_the_host<double>(FloatFormat::Double, 20000); }
TEST(SoftFloat, AgreesWithTheHostOnItsLongDouble) { agrees_with_the_host<long double>(host_long_double, 20000); }

TEST(SoftFloat, ConvertsIntegers) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t wide = 1 + (random() >> (1 + random() % 63));
    const auto whole = static_cast<std::int64_t>(wide);
    ASSERT_EQ(from_integer(FloatFormat::Single, wide, false), bits_of(static_cast<float>(wide))) << wide;
    ASSERT_EQ(from_integer(FloatFormat::Double, wide, true), bits_of(-static_cast<double>(wide))) << wide;
    const double real = static_cast<double>(whole) / 4;
    ASSERT_EQ(to_integer(FloatFormat::Double, bits_of(real), true, 64),
              static_cast<Bits128>(static_cast<std::uint64_t>(static_cast<std::int64_t>(real))))
        << real;
  }
  EXPECT_EQ(to_integer(FloatFormat::Double, bits_of(-0.75), false, 8), Bits128{0});
  EXPECT_EQ(to_integer(FloatFormat::Double, bits_of(-128.5), true, 8), Bits128{0x80});
  EXPECT_FALSE(to_integer(FloatFormat::Double, bits_of(-129.0), true, 8));
  EXPECT_FALSE(to_integer(FloatFormat::Double, bits_of(128.0), true, 8));
  EXPECT_FALSE(to_integer(FloatFormat::Double, bits_of(256.0), false, 8));
  EXPECT_FALSE(to_integer(FloatFormat::Double, bits_of(double{NAN}), true, 64));
  EXPECT_FALSE(to_integer(FloatFormat::Double, bits_of(1e300), false, 128));
  EXPECT_EQ(from_integer(FloatFormat::Extended, ~0ULL, false), (FloatBits{~0ULL, 0x403e}));
  EXPECT_EQ(from_integer(FloatFormat::Quad, 0, true), FloatBits{});
}

TEST(SoftFloat, InvalidOperationsGiveTheNanOfTheTarget) {
  const FloatBits zero{}, one = from_integer(FloatFormat::Extended, 1, false);
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Divide, zero, zero, x86),
            (FloatBits{0xc000000000000000ULL, 0xffff}));
  EXPECT_EQ(operate(FloatFormat::Quad, FloatOperator::Divide, zero, zero, arm),
            (FloatBits{~0ULL, 0x7fffffffffffffffULL}));
  EXPECT_EQ(operate(FloatFormat::Half, FloatOperator::Divide, zero, zero, arm), (FloatBits{0x7e00, 0}));
  // A number whose leading bit is missing is none.
  const FloatBits unnormal{0x4000000000000000ULL, 0x3fff};
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Add, unnormal, one, x86),
            (FloatBits{0xc000000000000000ULL, 0xffff}));
  EXPECT_EQ(compare(FloatFormat::Extended, unnormal, one), std::partial_ordering::unordered);
}

TEST(SoftFloat, OneOfTwoNansSurvives) {
  const FloatBits quiet{0x7ff8000000000001ULL, 0}, signalling{0xfff0000000000002ULL, 0}, one = bits_of(1.0);
  const auto sum = [](FloatBits a, FloatBits b, const FloatRules& rules) {
    return operate(FloatFormat::Double, FloatOperator::Add, a, b, rules).low;
  };
  EXPECT_EQ(sum(quiet, signalling, x86), 0x7ff8000000000001ULL);
  EXPECT_EQ(sum(quiet, signalling, arm), 0xfff8000000000002ULL);
  EXPECT_EQ(sum(signalling, quiet, arm), 0xfff8000000000002ULL);
  EXPECT_EQ(sum(one, signalling, x86), 0xfff8000000000002ULL);
  // The x87 unit: quiet before signalling, then the larger significand, then the positive one.
  const FloatBits small{0xc000000000000001ULL, 0xffff}, large{0xc000000000000009ULL, 0x7fff};
  const FloatBits loud{0xa000000000000000ULL, 0x7fff}, positive{0xc000000000000001ULL, 0x7fff};
  const auto wide = [](FloatBits a, FloatBits b) {
    return operate(FloatFormat::Extended, FloatOperator::Multiply, a, b, x86);
  };
  EXPECT_EQ(wide(small, large), large);
  EXPECT_EQ(wide(large, small), large);
  EXPECT_EQ(wide(loud, small), small);
  EXPECT_EQ(wide(small, positive), positive);
}

TEST(SoftFloat, SubnormalNumbersAreRoundedOnce) {
  // 1.5 units of the last place of the least numbers: a second rounding would give 1, one rounding gives the even 2.
  const FloatBits least{1, 0}, three = from_integer(FloatFormat::Extended, 3, false);
  const FloatBits two = from_integer(FloatFormat::Extended, 2, false);
  const FloatBits many = operate(FloatFormat::Extended, FloatOperator::Multiply, least, three, x86);
  EXPECT_EQ(many, (FloatBits{3, 0}));
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Divide, many, two, x86), (FloatBits{2, 0}));
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Divide, least, two, x86), FloatBits{});
  // 1 + 2^-24 + 2^-60 as float: not a tie, though a double of it is one.
  const FloatBits exact = operate(FloatFormat::Quad, FloatOperator::Add, bits_of(1.0L), bits_of(0x1p-24L), arm);
  if (host_long_double == FloatFormat::Quad) {
    const FloatBits more = operate(FloatFormat::Quad, FloatOperator::Add, exact, bits_of(0x1p-60L), arm);
    EXPECT_EQ(convert(FloatFormat::Quad, more, FloatFormat::Single, arm), bits_of(1.0000001f));
    EXPECT_EQ(convert(FloatFormat::Quad, exact, FloatFormat::Single, arm), bits_of(1.0f));
  }
  // The least normal number of x87 has its leading bit, the largest subnormal one lacks it.
  const FloatBits normal{0x8000000000000000ULL, 1}, below{0x7fffffffffffffffULL, 0};
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Subtract, normal, least, x86), below);
  EXPECT_EQ(operate(FloatFormat::Extended, FloatOperator::Add, below, least, x86), normal);
  EXPECT_EQ(unpack(FloatFormat::Extended, below).kind, FloatClass::Subnormal);
  EXPECT_EQ(compare(FloatFormat::Extended, {0x8000000000000000ULL, 0}, normal), std::partial_ordering::equivalent);
}

TEST(SoftFloat, HalfAndBfloatAreOtherNumbers) {
  EXPECT_EQ(convert(FloatFormat::Double, bits_of(65519.99), FloatFormat::Half, x86), (FloatBits{0x7bff, 0}));
  EXPECT_EQ(convert(FloatFormat::Double, bits_of(65520.0), FloatFormat::Half, x86), (FloatBits{0x7c00, 0}));
  EXPECT_EQ(convert(FloatFormat::Double, bits_of(0x1p-25), FloatFormat::Half, x86), FloatBits{});
  EXPECT_EQ(convert(FloatFormat::Double, bits_of(0x1.1p-25), FloatFormat::Half, x86), (FloatBits{1, 0}));
  EXPECT_EQ(convert(FloatFormat::Single, bits_of(1.00390625f), FloatFormat::Bfloat, x86), (FloatBits{0x3f80, 0}));
  EXPECT_EQ(convert(FloatFormat::Bfloat, {0x4049, 0}, FloatFormat::Double, x86), bits_of(3.140625));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::numeric
