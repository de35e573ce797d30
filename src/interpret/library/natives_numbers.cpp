// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a number goes into and a number comes out of, and generators whose rule POSIX or the C library fixes.
// Characters are those of the "C" locale: setlocale is not executed.
#include <bit>
#include <cctype>
#include <cmath>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void give_signed(Call& c, std::int64_t value) { c.give(static_cast<std::uint64_t>(value)); }

/// Between the order of the target and the network's, which has the most significant byte first.
template <std::uint32_t bytes>
void swap_order(Call& c) {
  std::uint64_t in = c.word(0), out = 0;
  for (std::uint32_t i = 0; i < bytes; ++i, in >>= 8) out = (out << 8) | (in & 0xff);
  c.give(c.core.image.program.layout.little_endian ? out : c.word(0));
}

/// div and its like: two numbers in one register or in two or where a first argument points to, as the target returns
/// such structures.
void divide(Call& c) {
  const std::size_t first = c.count() == 3 ? 1 : 0;
  if (c.count() != first + 2) c.refuse();
  const std::int64_t a = c.number(first), b = c.number(first + 1);
  const std::uint32_t bits = c.bits(first);
  if (b == 0) c.core.account.undefined("division by zero");
  if (b == -1 && a == sign_extend(1ULL << (bits - 1), bits)) c.core.account.undefined("division overflows");
  const std::uint64_t quotient = static_cast<std::uint64_t>(a / b) & mask_of(bits);
  const std::uint64_t rest = static_cast<std::uint64_t>(a % b) & mask_of(bits);
  if (first == 1) {
    const Slot& to = c.slot(0);
    c.core.space.write_word(to, bits / 8, quotient);
    return c.core.space.write_word({to.bits + bits / 8, to.undef, to.object, 0}, bits / 8, rest);
  }
  if (!c.site.result.valid()) c.refuse();
  const Shape& shape = c.core.image.shape_of(c.site.result);
  if (shape.slots == 1 && bits == 32 && shape.size == 8) {
    c.result = {quotient | (rest << 32), 0, 0, 0};
  } else if (shape.slots == 2 && shape.size == 2 * bits / 8) {
    c.result = {quotient, 0, 0, 0};
    c.second = {rest, 0, 0, 0};
  } else {
    c.refuse();
  }
}

void first_bit(Call& c) {
  const std::uint64_t value = c.word(0) & mask_of(c.bits(0));
  c.give(value == 0 ? 0 : static_cast<std::uint64_t>(std::countr_zero(value)) + 1);
}

void difference(Call& c) { c.give_real(static_cast<double>(c.number(0)) - static_cast<double>(c.number(1))); }

/// The kinds of a character of the "C" locale; beyond ASCII there are none.
template <int (*test)(int)>
void classify_wide(Call& c) {
  const std::uint64_t ch = c.word(0) & 0xffffffffU;
  c.give(ch < 128 && test(static_cast<int>(ch)) != 0 ? 1 : 0);
  if (c.result.bits != 0) c.result.doubt = doubt::magnitude;
}

template <int (*map)(int)>
void convert_wide(Call& c) {
  const std::uint64_t ch = c.word(0) & 0xffffffffU;
  c.give(ch < 128 ? static_cast<std::uint64_t>(map(static_cast<int>(ch))) : ch);
}

void widen(Call& c) { give_signed(c, c.number(0) >= 0 && c.number(0) < 128 ? c.number(0) : -1); }

/// The generator of the C library for one word of state.
void draw_from(Call& c) {
  auto next = static_cast<std::uint32_t>(c.core.space.read_word(c.slot(0), 4));
  const auto step = [&] { return next = next * 1103515245U + 12345U; };
  std::uint32_t result = (step() >> 16) % 2048;
  result = (result << 10) ^ ((step() >> 16) % 1024);
  result = (result << 10) ^ ((step() >> 16) % 1024);
  c.core.space.write_word(c.slot(0), 4, next);
  c.give(result);
}

/// drand48 and its family: 48 bits, X' = aX + c. POSIX has the numbers.
class Random48 {
 public:
  explicit Random48(Call& c)
      : core_(c.core), state_(c.core.space.pointer_to(c.core.objects.of_main(library::drand48_state, 8))) {}
  [[nodiscard]] Address place() const { return state_.bits; }
  std::uint64_t next() {
    const std::uint64_t value = (core_.space.read_word(state_, 8) * 0x5deece66dULL + 0xbU) & mask_of(48);
    core_.space.write_word(state_, 8, value);
    return value;
  }
  void seed(std::uint32_t seed) { core_.space.write_word(state_, 8, (std::uint64_t{seed} << 16) | 0x330e); }

 private:
  Core& core_;
  Slot state_;
};

void draw_real(Call& c) {
  if (Random48 random(c); c.is_admitted(random.place()))
    c.give_real(std::ldexp(static_cast<double>(random.next()), -48));
}
void draw_positive(Call& c) {
  if (Random48 random(c); c.is_admitted(random.place())) c.give(random.next() >> 17);
}
void draw_signed(Call& c) {
  if (Random48 random(c); c.is_admitted(random.place())) give_signed(c, sign_extend(random.next() >> 16, 32));
}
void seed48(Call& c) {
  if (Random48 random(c); c.is_admitted(random.place())) random.seed(static_cast<std::uint32_t>(c.word(0)));
}

/// Nobody can have changed how numbers are rounded: fesetround is not executed.
void give_nearest(Call& c) { c.give(0); }

enum class Class : std::uint8_t { Nan, Infinite, Zero, Subnormal, Normal };  // numbers of FP_NAN and its like

Class class_of(Call& c) {
  const numeric::Unpacked parts = numeric::unpack(c.format(0), c.float_value(0));
  if (parts.is_nan()) return Class::Nan;
  if (parts.kind == numeric::FloatClass::Infinite) return Class::Infinite;
  if (parts.kind == numeric::FloatClass::Zero) return Class::Zero;
  if (c.format(0) != FloatFormat::Single && c.format(0) != FloatFormat::Double) c.refuse();
  const bool is_normal = c.bits(0) == 32 ? std::isnormal(static_cast<float>(c.real(0))) : std::isnormal(c.real(0));
  return is_normal ? Class::Normal : Class::Subnormal;
}

void give_class(Call& c) { c.give(static_cast<std::uint64_t>(class_of(c))); }
void is_nan(Call& c) {
  c.give(numeric::unpack(c.format(0), c.float_value(0)).is_nan() ? 1 : 0);
  if (c.result.bits != 0) c.result.doubt = doubt::magnitude;
}
void is_infinite(Call& c) {
  const numeric::Unpacked parts = numeric::unpack(c.format(0), c.float_value(0));
  give_signed(c, parts.kind != numeric::FloatClass::Infinite ? 0 : parts.is_negative ? -1 : 1);
}
void is_finite(Call& c) {
  const numeric::Unpacked parts = numeric::unpack(c.format(0), c.float_value(0));
  c.give(parts.is_nan() || parts.kind == numeric::FloatClass::Infinite ? 0 : 1);
  if (c.result.bits != 0) c.result.doubt = doubt::magnitude;
}

constexpr NativeEntry number_table[] = {
    {"htonl", swap_order<4>},
    {"ntohl", swap_order<4>},
    {"htons", swap_order<2>},
    {"ntohs", swap_order<2>},
    {"div", divide},
    {"ldiv", divide},
    {"lldiv", divide},
    {"imaxdiv", divide},
    {"ffs", first_bit},
    {"ffsl", first_bit},
    {"ffsll", first_bit},
    {"difftime", difference},
    {"isascii", [](Call& c) { c.give((c.word(0) & ~std::uint64_t{0x7f} & mask_of(32)) == 0 ? 1 : 0); }},
    {"toascii", [](Call& c) { c.give(c.word(0) & 0x7f); }},
    {"iswalnum", classify_wide<std::isalnum>},
    {"iswalpha", classify_wide<std::isalpha>},
    {"iswblank", classify_wide<std::isblank>},
    {"iswcntrl", classify_wide<std::iscntrl>},
    {"iswdigit", classify_wide<std::isdigit>},
    {"iswgraph", classify_wide<std::isgraph>},
    {"iswlower", classify_wide<std::islower>},
    {"iswprint", classify_wide<std::isprint>},
    {"iswpunct", classify_wide<std::ispunct>},
    {"iswspace", classify_wide<std::isspace>},
    {"iswupper", classify_wide<std::isupper>},
    {"iswxdigit", classify_wide<std::isxdigit>},
    {"towlower", convert_wide<std::tolower>},
    {"towupper", convert_wide<std::toupper>},
    {"btowc", widen},
    {"wctob", widen},
    {"__ctype_get_mb_cur_max", [](Call& c) { c.give(1); }},
    {"rand_r", draw_from},
    {"drand48", draw_real},
    {"lrand48", draw_positive},
    {"mrand48", draw_signed},
    {"srand48", seed48},
    {"fegetround", give_nearest},
    {"__fpclassify", give_class},
    {"__fpclassifyf", give_class},
    {"__isnan", is_nan},
    {"__isnanf", is_nan},
    {"__isnanl", is_nan},
    {"isnan", is_nan},
    {"isnanf", is_nan},
    {"__isinf", is_infinite},
    {"__isinff", is_infinite},
    {"__isinfl", is_infinite},
    {"isinf", is_infinite},
    {"isinff", is_infinite},
    {"__finite", is_finite},
    {"__finitef", is_finite},
    {"finite", is_finite},
    {"finitef", is_finite},
};

}  // namespace

std::span<const NativeEntry> number_natives() { return number_table; }

}  // namespace heddle::interpret
