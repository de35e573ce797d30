// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/circuit/words.h"

#include <algorithm>
#include <bit>

namespace heddle::judge::bmc {
namespace {

/// The sum's bit and what is carried on.
std::pair<Bit, Bit> add_bits(Circuit& c, Bit a, Bit b, Bit carry) {
  const Bit halves = c.differ(a, b);
  return {c.differ(halves, carry), c.choose(halves, carry, a)};
}

template <class Gate>
Word bit_by_bit(Bits a, Bits b, const Gate& gate) {
  Word out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = gate(a[i], b[i]);
  return out;
}

/// Moves bit i to `from(i)`, in powers of two.
template <class From>
Word shift_by(Circuit& c, Bits a, Bits by, Bit filler, const From& from) {
  Word out(a.begin(), a.end());
  Bit all_gone = Bit::no();
  for (std::size_t k = 0; k < by.size(); ++k) {
    if (k >= 32 || (std::size_t{1} << k) >= a.size()) {
      all_gone = c.either(all_gone, by[k]);
      continue;
    }
    Word moved(a.size(), filler);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const auto source = from(i, std::size_t{1} << k); source < a.size()) moved[i] = out[source];
    out = choose(c, by[k], moved, out);
  }
  return choose(c, all_gone, Word(a.size(), filler), out);
}

}  // namespace

Word constant(std::uint64_t value, std::size_t width) {
  Word out(width);
  for (std::size_t i = 0; i < width && i < 64; ++i) out[i] = Bit::of((value >> i & 1U) != 0);
  return out;
}

Word input(Circuit& c, std::size_t width) {
  Word out(width);
  for (Bit& bit : out) bit = c.input();
  return out;
}

std::optional<std::uint64_t> number_of(Bits word) {
  if (word.size() > 64 || !std::ranges::all_of(word, &Bit::is_constant)) return std::nullopt;
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (word[i].is_yes()) out |= std::uint64_t{1} << i;
  return out;
}

std::optional<std::int64_t> signed_number_of(Bits word) {
  if (word.empty() || word.size() > 64) return std::nullopt;
  const auto number = number_of(resize_signed(word, 64));
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

Word invert(Bits a) {
  Word out(a.begin(), a.end());
  for (Bit& bit : out) bit = !bit;
  return out;
}

Word both(Circuit& c, Bits a, Bits b) {
  return bit_by_bit(a, b, [&](Bit x, Bit y) { return c.both(x, y); });
}

Word either(Circuit& c, Bits a, Bits b) {
  return bit_by_bit(a, b, [&](Bit x, Bit y) { return c.either(x, y); });
}

Word differ(Circuit& c, Bits a, Bits b) {
  return bit_by_bit(a, b, [&](Bit x, Bit y) { return c.differ(x, y); });
}

Word choose(Circuit& c, Bit condition, Bits if_true, Bits if_false) {
  return bit_by_bit(if_true, if_false, [&](Bit x, Bit y) { return c.choose(condition, x, y); });
}

Word add(Circuit& c, Bits a, Bits b, Bit carry) {
  return bit_by_bit(a, b, [&](Bit x, Bit y) {
    const auto [sum, next] = add_bits(c, x, y, carry);
    carry = next;
    return sum;
  });
}

Word subtract(Circuit& c, Bits a, Bits b) { return add(c, a, invert(b), Bit::yes()); }

Word negate(Circuit& c, Bits a) { return subtract(c, constant(0, a.size()), a); }

Word multiply(Circuit& c, Bits a, Bits b) {
  // Fewer additions if the known one is the multiplier.
  if (std::ranges::count_if(a, &Bit::is_no) > std::ranges::count_if(b, &Bit::is_no)) std::swap(a, b);
  Word out = constant(0, a.size());
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (b[k].is_no()) continue;
    Word row = constant(0, a.size());
    for (std::size_t i = k; i < a.size(); ++i) row[i] = c.both(a[i - k], b[k]);
    out = add(c, out, row);
  }
  return out;
}

Division divide(Circuit& c, Bits a, Bits b) {
  const std::size_t width = a.size();
  // One bit more, for what is left of the dividend may be shifted beyond the divisor's width.
  Word rest = constant(0, width + 1);
  const Word divisor = resize(b, width + 1);
  Division out{constant(0, width), {}};
  for (std::size_t k = width; k-- > 0;) {
    rest.insert(rest.begin(), a[k]);
    rest.pop_back();
    const Bit fits = !less(c, rest, divisor);
    rest = choose(c, fits, subtract(c, rest, divisor), rest);
    out.quotient[k] = fits;
  }
  out.remainder = resize(rest, width);
  return out;
}

Division divide_signed(Circuit& c, Bits a, Bits b) {
  const auto size_of = [&](Bits word) { return choose(c, word.back(), negate(c, word), word); };
  Division out = divide(c, size_of(a), size_of(b));
  out.quotient = choose(c, c.differ(a.back(), b.back()), negate(c, out.quotient), out.quotient);
  out.remainder = choose(c, a.back(), negate(c, out.remainder), out.remainder);
  return out;
}

Word shift_left(Circuit& c, Bits a, Bits by) {
  return shift_by(c, a, by, Bit::no(), [](std::size_t to, std::size_t distance) { return to - distance; });
}

Word shift_right(Circuit& c, Bits a, Bits by, Bit filler) {
  return shift_by(c, a, by, filler, [](std::size_t to, std::size_t distance) { return to + distance; });
}

Bit equal(Circuit& c, Bits a, Bits b) {
  Bit out = Bit::yes();
  for (std::size_t i = 0; i < a.size(); ++i) out = c.both(out, c.same(a[i], b[i]));
  return out;
}

Bit equal(Circuit& c, Bits a, std::uint64_t value) { return equal(c, a, constant(value, a.size())); }

Bit less(Circuit& c, Bits a, Bits b) {
  Bit out = Bit::no();
  for (std::size_t i = 0; i < a.size(); ++i) out = c.choose(c.differ(a[i], b[i]), b[i], out);
  return out;
}

Bit less_signed(Circuit& c, Bits a, Bits b) {
  Word x(a.begin(), a.end()), y(b.begin(), b.end());
  x.back() = !x.back();
  y.back() = !y.back();
  return less(c, x, y);
}

Bit is_not_zero(Circuit& c, Bits a) {
  Bit out = Bit::no();
  for (const Bit bit : a) out = c.either(out, bit);
  return out;
}

Word resize(Bits a, std::size_t width) {
  Word out(a.begin(), a.end());
  out.resize(width);
  return out;
}

Word resize_signed(Bits a, std::size_t width) {
  Word out(a.begin(), a.end());
  out.resize(width, a.back());
  return out;
}

}  // namespace heddle::judge::bmc
