// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/float_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "numeric/soft_float.h"

namespace heddle::numeric {
namespace HEDDLE_TEST_FILE {

constexpr FloatRules rules{};

FloatBits bits_of(double x) { return {std::bit_cast<std::uint64_t>(x), 0}; }
std::string hex(FloatFormat format, double x, int precision = -1) {
  return print_float(format, convert(FloatFormat::Double, bits_of(x), format, rules),
                     {.conversion = 'a', .precision = precision});
}

/// What the host's printf makes of a double.
std::string printed(double x, const FloatSpec& spec) {
  std::string format = "%";
  if (spec.is_left) format += '-';
  if (spec.has_plus) format += '+';
  if (spec.has_space) format += ' ';
  if (spec.is_alternative) format += '#';
  if (spec.has_zeros) format += '0';
  format += std::to_string(spec.width);
  if (spec.width == 0) format.pop_back();
  if (spec.precision >= 0) format += "." + std::to_string(spec.precision);
  format += spec.conversion;
  std::string out(2000, '\0');
  out.resize(static_cast<std::size_t>(std::snprintf(out.data(), out.size(), format.c_str(), x)));
  return out;
}

TEST(FloatText, PrintsDoublesAsTheHostDoes) {
  std::mt19937_64 random(5);
  const double special[] = {0.0,     -0.0, 1.0,         9.5,      0.5,       1.5,      2.5,
                            99999.5, 1e-5, 123456789.0, HUGE_VAL, -HUGE_VAL, 0x1p-1074};
  for (int i = 0; i < 20000; ++i) {
    const double x = i < 500 ? special[random() % std::size(special)]
                             : std::bit_cast<double>((random() & ~(0x7ffULL << 52)) | ((random() % 200 + 923) << 52));
    FloatSpec spec{.conversion = "fFeEgGaA"[random() % 8],
                   .width = static_cast<int>(random() % 3 * 15),
                   .precision = static_cast<int>(random() % 20) - 1,
                   .is_left = random() % 4 == 0,
                   .has_plus = random() % 4 == 0,
                   .has_space = random() % 4 == 0,
                   .is_alternative = random() % 4 == 0,
                   .has_zeros = random() % 4 == 0};
    // The host's library forgets zeros of %#g when rounding adds a digit.
    if (spec.conversion == 'g' || spec.conversion == 'G') spec.is_alternative = false;
    ASSERT_EQ(print_float(FloatFormat::Double, bits_of(x), spec), printed(x, spec))
        << x << " " << spec.conversion << " " << spec.precision;
  }
}

TEST(FloatText, TheAlternativeFormKeepsZeros) {
  for (const double x : {0.0, 1.0, 0.5, 100000.0, 123456.0, 1e-5, 12345.678})
    for (const int precision : {-1, 0, 3, 10}) {
      const FloatSpec spec{.conversion = 'g', .precision = precision, .is_alternative = true};
      EXPECT_EQ(print_float(FloatFormat::Double, bits_of(x), spec), printed(x, spec)) << x << " " << precision;
    }
}

TEST(FloatText, HexadecimalDigitsShowTheFormat) {
  EXPECT_EQ(hex(FloatFormat::Extended, 1.5), "0xcp-3");
  EXPECT_EQ(hex(FloatFormat::Quad, 1.5), "0x1.8p+0");
  // Rounding up from f begins a new digit with x87's format only.
  EXPECT_EQ(hex(FloatFormat::Extended, 15.99, 1), "0x1.0p+4");
  EXPECT_EQ(hex(FloatFormat::Quad, 15.99, 1), "0x2.0p+3");
  EXPECT_EQ(hex(FloatFormat::Extended, 15.90625, 1), "0xf.ep+0");
  EXPECT_EQ(print_float(FloatFormat::Extended, {1, 0}, {.conversion = 'a'}), "0x0.000000000000001p-16385");
  EXPECT_EQ(print_float(FloatFormat::Quad, {1, 0}, {.conversion = 'a'}), "0x0.0000000000000000000000000001p-16382");
}

TEST(FloatText, ReadsDoublesAsTheHostDoes) {
  const char* texts[] = {"1",
                         "-1.5e3",
                         "0x1.8p1",
                         "0x",
                         "0x.p1",
                         "0xp1",
                         "1e",
                         "1e+",
                         ".5",
                         ".",
                         "inf",
                         "INFINITYx",
                         "nan",
                         "nan(1)",
                         "nan(x)",
                         "-nan(0x7)",
                         "nan(",
                         "1e400",
                         "-1e400",
                         "1e-400",
                         "4.9e-324",
                         "2.4e-324",
                         "2.2250738585072011e-308",
                         "2.2250738585072014e-308",
                         "0x1.fffffffffffffp1023",
                         "0x1.fffffffffffff8p1023",
                         "0x1.fffffffffffff7p1023",
                         "1..2",
                         "+",
                         "",
                         "abc",
                         "0x1p-1074",
                         "0x1p-1075",
                         "0x1.1p-1075",
                         "12@3",
                         "0b11"};
#if defined(__aarch64__)
  constexpr FloatRules host{.default_nan_is_negative = false, .tiny_before_rounding = true};
#else
  constexpr FloatRules host{};
#endif
  for (const char* text : texts) {
    char* end = nullptr;
    errno = 0;
    const double wanted = std::strtod(text, &end);
    const bool is_out_of_range = errno == ERANGE;
    const ParsedFloat got = parse_float(FloatFormat::Double, text, host);
    EXPECT_EQ(got.value, bits_of(wanted)) << text;
    EXPECT_EQ(got.length, static_cast<std::size_t>(end - text)) << text;
    EXPECT_EQ(got.is_out_of_range, is_out_of_range) << text;
  }
}

TEST(FloatText, WhatIsPrintedIsReadBack) {
  std::mt19937_64 random(9);
  for (const FloatFormat format : {FloatFormat::Extended, FloatFormat::Quad})
    for (int i = 0; i < 500; ++i) {
      FloatBits x{random(), random()};
      if (format == FloatFormat::Extended) x = {x.low | 1ULL << 63, 1 + x.high % 0x7ffd};
      if (unpack(format, x).is_nan() || unpack(format, x).kind == FloatClass::Infinite) continue;
      for (const FloatSpec& spec : {FloatSpec{.conversion = 'a'}, FloatSpec{.conversion = 'e', .precision = 35}})
        ASSERT_EQ(parse_float(format, print_float(format, x, spec), rules).value, x);
    }
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::numeric
