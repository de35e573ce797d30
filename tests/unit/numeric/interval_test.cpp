// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <vector>

#include "numeric/interval.h"

namespace heddle::numeric {
namespace HEDDLE_TEST_FILE {

constexpr unsigned width = 4;
using Operation = Interval (*)(Interval, Interval, unsigned);
using Exact = std::function<std::optional<std::uint64_t>(std::int64_t, std::int64_t)>;  // none: undefined

std::uint64_t bits_of(std::int64_t v, unsigned bits) { return static_cast<std::uint64_t>(v) & ((1ULL << bits) - 1); }

/// Every pair of intervals of 4-bit numbers, and every pair of numbers in them.
void expect_sound(Operation operation, const Exact& exact) {
  const Interval all = Interval::of_width(width);
  for (std::int64_t a = all.low; a <= all.high; ++a)
    for (std::int64_t b = a; b <= all.high; ++b)
      for (std::int64_t c = all.low; c <= all.high; ++c)
        for (std::int64_t d = c; d <= all.high; ++d) {
          const Interval out = operation({a, b}, {c, d}, width);
          ASSERT_TRUE(out.leq(all)) << "the result must fit the width";
          for (std::int64_t x = a; x <= b; ++x)
            for (std::int64_t y = c; y <= d; ++y)
              if (const auto v = exact(x, y))
                ASSERT_TRUE(out.contains(sign_extend(*v, width)))
                    << "[" << a << "," << b << "] [" << c << "," << d << "] at " << x << ", " << y;
        }
}

std::uint64_t raw(std::int64_t v) { return static_cast<std::uint64_t>(v); }

TEST(Interval, AddAndMultiply) {
  expect_sound(add, [](auto x, auto y) { return std::optional(raw(x + y)); });
  expect_sound(multiply, [](auto x, auto y) { return std::optional(raw(x * y)); });
}

TEST(Interval, SignedDivision) {
  expect_sound(divide_signed, [](auto x, auto y) { return y == 0 ? std::nullopt : std::optional(raw(x / y)); });
  expect_sound(remainder_signed, [](auto x, auto y) { return y == 0 ? std::nullopt : std::optional(raw(x % y)); });
}

TEST(Interval, UnsignedDivision) {
  expect_sound(divide_unsigned, [](auto x, auto y) {
    return y == 0 ? std::nullopt : std::optional(bits_of(x, width) / bits_of(y, width));
  });
  expect_sound(remainder_unsigned, [](auto x, auto y) {
    return y == 0 ? std::nullopt : std::optional(bits_of(x, width) % bits_of(y, width));
  });
}

TEST(Interval, Shifts) {
  const auto defined = [](std::int64_t y) { return y >= 0 && y < width; };
  expect_sound(shift_right_logical,
               [&](auto x, auto y) { return defined(y) ? std::optional(bits_of(x, width) >> y) : std::nullopt; });
  expect_sound(shift_right_arithmetic,
               [&](auto x, auto y) { return defined(y) ? std::optional(raw(x >> y)) : std::nullopt; });
}

TEST(Interval, Bits) {
  expect_sound(bit_and, [](auto x, auto y) { return std::optional(raw(x & y)); });
  expect_sound(bit_or, [](auto x, auto y) { return std::optional(raw(x | y)); });
  expect_sound(bit_xor, [](auto x, auto y) { return std::optional(raw(x ^ y)); });
}

TEST(Interval, EightBitsWrap) {
  for (std::int64_t a = -128; a < 128; ++a)
    for (std::int64_t b = -128; b < 128; ++b) {
      EXPECT_TRUE(add(Interval::constant(a), Interval::constant(b), 8).contains(sign_extend(raw(a + b), 8)));
      EXPECT_TRUE(multiply(Interval::constant(a), Interval::constant(b), 8).contains(sign_extend(raw(a * b), 8)));
    }
  EXPECT_EQ(add({0, 9}, {1, 1}, 8), (Interval{1, 10}));
  EXPECT_EQ(wrap(120, 130, 8), Interval::of_width(8));
}

TEST(Interval, MeetAndJoin) {
  EXPECT_TRUE(meet({0, 3}, {4, 9}).is_empty());
  EXPECT_EQ(meet({0, 5}, {4, 9}), (Interval{4, 5}));
  EXPECT_EQ(join({0, 1}, {7, 9}), (Interval{0, 9}));
  EXPECT_EQ(join(Interval::empty(), {7, 9}), (Interval{7, 9}));
}

TEST(Interval, AConditionIsZeroOrOne) {
  EXPECT_EQ(Interval::of_width(1), (Interval{0, 1}));
  EXPECT_EQ(sign_extend(1, 1), 1);
  EXPECT_EQ(sign_extend(0xff, 8), -1);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::numeric
