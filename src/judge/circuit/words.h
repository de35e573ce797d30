// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words: integers of any width as bits of a circuit, lowest bit first, with the arithmetic of machines.
//
//   const Word x = input(c, 8);
//   add(c, x, constant(1, 8))      wraps
//   divide(c, x, y)                y is not zero; what is returned otherwise means nothing
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "judge/circuit/circuit.h"

namespace heddle::judge::bmc {

using Word = std::vector<Bit>;
using Bits = std::span<const Bit>;

Word constant(std::uint64_t value, std::size_t width);
Word input(Circuit& c, std::size_t width);
/// Of a word of up to 64 bits without an unknown one.
std::optional<std::uint64_t> number_of(Bits word);
std::optional<std::int64_t> signed_number_of(Bits word);

Word invert(Bits a);
Word both(Circuit& c, Bits a, Bits b);
Word either(Circuit& c, Bits a, Bits b);
Word differ(Circuit& c, Bits a, Bits b);
Word choose(Circuit& c, Bit condition, Bits if_true, Bits if_false);

Word add(Circuit& c, Bits a, Bits b, Bit carry = Bit::no());
Word subtract(Circuit& c, Bits a, Bits b);
Word negate(Circuit& c, Bits a);
Word multiply(Circuit& c, Bits a, Bits b);
struct Division {
  Word quotient, remainder;
};
Division divide(Circuit& c, Bits a, Bits b);
Division divide_signed(Circuit& c, Bits a, Bits b);  ///< towards zero

/// By a word of the same width; all bits are gone if it is as large as the width.
Word shift_left(Circuit& c, Bits a, Bits by);
Word shift_right(Circuit& c, Bits a, Bits by, Bit filler = Bit::no());  ///< filler: the sign, for arithmetic shifts

Bit equal(Circuit& c, Bits a, Bits b);
Bit equal(Circuit& c, Bits a, std::uint64_t value);
Bit less(Circuit& c, Bits a, Bits b);
Bit less_signed(Circuit& c, Bits a, Bits b);
Bit is_not_zero(Circuit& c, Bits a);

Word resize(Bits a, std::size_t width);  ///< cuts it off, or adds zeros
Word resize_signed(Bits a, std::size_t width);

}  // namespace heddle::judge::bmc
