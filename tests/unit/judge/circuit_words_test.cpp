// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words against the arithmetic of this machine: all pairs of small widths, random ones of all widths; as constants,
// which are folded, and as inputs, which a solver has to find the results of.
#include "judge/circuit/words.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "judge/circuit/clauses.h"

namespace heddle::judge::bmc {
namespace HEDDLE_TEST_FILE {

using Number = std::uint64_t;

Number cut(Number value, std::size_t width) { return width == 64 ? value : value & ((Number{1} << width) - 1); }

std::int64_t with_sign(Number value, std::size_t width) {
  const std::size_t rest = 64 - width;
  return static_cast<std::int64_t>(value << rest) >> rest;
}

struct Operator {
  std::string name;
  std::function<Word(Circuit&, Bits, Bits)> circuit;
  std::function<Number(Number, Number, std::size_t)> machine;
  bool divides = false;
};

Word as_word(Bit bit) { return {bit}; }

std::vector<Operator> operators() {
  const auto remainder = [](Number a, Number b, std::size_t w) {
    // The one quotient that does not fit.
    return with_sign(b, w) == -1 ? 0 : static_cast<Number>(with_sign(a, w) % with_sign(b, w));
  };
  const auto quotient = [](Number a, Number b, std::size_t w) {
    return with_sign(b, w) == -1 ? Number{0} - a : static_cast<Number>(with_sign(a, w) / with_sign(b, w));
  };
  return {
      {"add", [](Circuit& c, Bits a, Bits b) { return add(c, a, b); },
       [](Number a, Number b, std::size_t) { return a + b; }},
      {"subtract", subtract, [](Number a, Number b, std::size_t) { return a - b; }},
      {"multiply", multiply, [](Number a, Number b, std::size_t) { return a * b; }},
      {"quotient", [](Circuit& c, Bits a, Bits b) { return divide(c, a, b).quotient; },
       [](Number a, Number b, std::size_t) { return a / b; }, true},
      {"remainder", [](Circuit& c, Bits a, Bits b) { return divide(c, a, b).remainder; },
       [](Number a, Number b, std::size_t) { return a % b; }, true},
      {"signed quotient", [](Circuit& c, Bits a, Bits b) { return divide_signed(c, a, b).quotient; }, quotient, true},
      {"signed remainder", [](Circuit& c, Bits a, Bits b) { return divide_signed(c, a, b).remainder; }, remainder,
       true},
      {"shift left", shift_left, [](Number a, Number b, std::size_t w) { return b < w ? a << b : 0; }},
      {"shift right", [](Circuit& c, Bits a, Bits b) { return shift_right(c, a, b); },
       [](Number a, Number b, std::size_t w) { return b < w ? a >> b : 0; }},
      {"arithmetic shift", [](Circuit& c, Bits a, Bits b) { return shift_right(c, a, b, a.back()); },
       [](Number a, Number b, std::size_t w) { return static_cast<Number>(with_sign(a, w) >> (b < w ? b : w - 1)); }},
      {"and", [](Circuit& c, Bits a, Bits b) { return both(c, a, b); },
       [](Number a, Number b, std::size_t) { return a & b; }},
      {"or", [](Circuit& c, Bits a, Bits b) { return either(c, a, b); },
       [](Number a, Number b, std::size_t) { return a | b; }},
      {"xor", [](Circuit& c, Bits a, Bits b) { return differ(c, a, b); },
       [](Number a, Number b, std::size_t) { return a ^ b; }},
      {"equal", [](Circuit& c, Bits a, Bits b) { return as_word(equal(c, a, b)); },
       [](Number a, Number b, std::size_t) -> Number { return a == b ? 1 : 0; }},
      {"less", [](Circuit& c, Bits a, Bits b) { return as_word(less(c, a, b)); },
       [](Number a, Number b, std::size_t) -> Number { return a < b ? 1 : 0; }},
      {"less, signed", [](Circuit& c, Bits a, Bits b) { return as_word(less_signed(c, a, b)); },
       [](Number a, Number b, std::size_t w) -> Number { return with_sign(a, w) < with_sign(b, w) ? 1 : 0; }},
      {"any bit", [](Circuit& c, Bits a, Bits) { return as_word(is_not_zero(c, a)); },
       [](Number a, Number, std::size_t) -> Number { return a != 0 ? 1 : 0; }},
      {"sign extension", [](Circuit&, Bits a, Bits) { return resize_signed(a, 64); },
       [](Number a, Number, std::size_t w) { return static_cast<Number>(with_sign(a, w)); }},
      {"zero extension", [](Circuit&, Bits a, Bits) { return resize(a, 64); },
       [](Number a, Number, std::size_t) { return a; }},
  };
}

/// As constants.
void expect_folded(const Operator& op, Number a, Number b, std::size_t width) {
  if (op.divides && b == 0) return;
  Circuit c;
  const Word out = op.circuit(c, constant(a, width), constant(b, width));
  ASSERT_EQ(number_of(out), cut(op.machine(a, b, width), out.size()))
      << op.name << " of " << a << " and " << b << ", " << width << " bits";
}

TEST(Words, AgreeWithTheMachineOnAllPairsOfSmallWidths) {
  for (const Operator& op : operators())
    for (std::size_t width = 1; width <= 5; ++width)
      for (Number a = 0; a < Number{1} << width; ++a)
        for (Number b = 0; b < Number{1} << width; ++b) expect_folded(op, a, b, width);
}

TEST(Words, AgreeWithTheMachineOnRandomPairs) {
  std::mt19937_64 random(7);
  for (const Operator& op : operators())
    for (std::size_t width = 1; width <= 64; ++width)
      for (int i = 0; i < 4; ++i) {
        // Small second operands too: shifts and divisions do more with them.
        const Number b = i % 2 == 0 ? random() : random() % (2 * width);
        expect_folded(op, cut(random(), width), cut(b, width), width);
      }
}

/// As inputs with values that the solver is told: one result is possible, and it is the machine's.
TEST(Words, OfInputsHaveTheSameResultsForASolver) {
  std::mt19937_64 random(11);
  for (const Operator& op : operators())
    for (const std::size_t width : {1, 3, 8, 13}) {
      Circuit c;
      smt::Sat sat{Stop{}};
      Clauses clauses(c, sat);
      const Word x = input(c, width), y = input(c, width);
      const Word out = op.circuit(c, x, y);
      for (int i = 0; i < 6; ++i) {
        const Number a = cut(random(), width), b = cut(i % 2 == 0 ? random() : random() % (2 * width), width);
        if (op.divides && b == 0) continue;
        const Number wanted = cut(op.machine(a, b, width), out.size());
        const Bit given = c.both(equal(c, x, a), equal(c, y, b)), is_it = equal(c, out, wanted);
        EXPECT_EQ(sat.solve(std::vector{clauses.literal(given), clauses.literal(is_it)}, 100'000), smt::Answer::Sat)
            << op.name << ", " << width << " bits: " << a << ", " << b;
        EXPECT_EQ(sat.solve(std::vector{clauses.literal(given), clauses.literal(!is_it)}, 100'000), smt::Answer::Unsat)
            << op.name << ", " << width << " bits: " << a << ", " << b;
      }
    }
}

TEST(Circuit, FoldsConstantsAndFindsEqualGates) {
  Circuit c;
  const Bit x = c.input(), y = c.input(), z = c.input();
  EXPECT_EQ(c.both(x, y), c.both(y, x));
  EXPECT_EQ(c.both(x, !x), Bit::no());
  EXPECT_EQ(c.differ(x, !y), !c.differ(y, x));
  EXPECT_EQ(c.choose(x, y, y), y);
  EXPECT_EQ(c.choose(!x, y, z), c.choose(x, z, y));
  EXPECT_EQ(c.choose(x, !y, !z), !c.choose(x, y, z));
  EXPECT_EQ(c.choose(x, y, Bit::no()), c.both(x, y));
  EXPECT_EQ(c.choose(x, Bit::yes(), y), c.either(x, y));
}

TEST(Clauses, TellWhatNobodyAskedForInAModel) {
  Circuit c;
  smt::Sat sat{Stop{}};
  Clauses clauses(c, sat);
  const Word x = input(c, 16);
  const Word product = multiply(c, x, constant(7, 16));
  const Word other = add(c, product, constant(5, 16));
  clauses.require({equal(c, product, 7 * 1234)});
  ASSERT_EQ(sat.solve({}, 100'000), smt::Answer::Sat);
  clauses.read_model();
  const auto value = [&](Bits word) {
    Number out = 0;
    for (std::size_t i = 0; i < word.size(); ++i) out |= Number{clauses.value(word[i])} << i;
    return out;
  };
  EXPECT_EQ(value(x), 1234U);
  EXPECT_EQ(value(other), 7U * 1234U + 5U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::bmc
