// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cmath>

#include "interpret/code/values.h"
#include "interpret/library/natives.h"

namespace heddle::interpret {
namespace {

using Call = NativeCall;

void need_word(Call& c) {
  if (c.bits(0) > 64 || c.bits(0) == 0) c.core.account.unsupported(c.name());
}

/// llvm.*.with.overflow and the saturating forms: computed in 128 bits.
template <bool is_signed>
S128 operand(Call& c, std::size_t i) {
  if constexpr (is_signed) return sign_extend(c.slot(i).bits, c.bits(i));
  return static_cast<S128>(c.slot(i).bits);
}

template <bool is_signed>
bool fits(S128 value, std::uint32_t bits) {
  const S128 top = is_signed ? static_cast<S128>(mask_of(bits - 1)) : static_cast<S128>(mask_of(bits));
  return value <= top && value >= (is_signed ? -top - 1 : S128{0});
}

template <bool is_signed, char op>
S128 exact(Call& c) {
  const S128 a = operand<is_signed>(c, 0), b = operand<is_signed>(c, 1);
  // The product of two unsigned 64 bit numbers needs all 128 bits: anything beyond 64 is an overflow all the same.
  if constexpr (op == '*' && !is_signed) {
    const U128 product = static_cast<U128>(a) * static_cast<U128>(b);
    return (product >> 127) != 0 ? static_cast<S128>(product & ~(U128{1} << 127)) | (S128{1} << 100)
                                 : static_cast<S128>(product);
  }
  return op == '+' ? a + b : op == '-' ? a - b : a * b;
}

template <bool is_signed, char op>
void with_overflow(Call& c) {
  need_word(c);
  const S128 value = exact<is_signed, op>(c);
  const std::uint64_t undef = (c.slot(0).undef | c.slot(1).undef) != 0 ? ~0ULL : 0;
  c.result = {static_cast<std::uint64_t>(value) & mask_of(c.bits(0)), undef & mask_of(c.bits(0)), 0, 0};
  c.second = {fits<is_signed>(value, c.bits(0)) ? 0ULL : 1ULL, undef & 1, 0, 0};
}

template <bool is_signed, char op>
void saturating(Call& c) {
  need_word(c);
  const S128 value = exact<is_signed, op>(c);
  const std::uint32_t bits = c.bits(0);
  const S128 top = is_signed ? static_cast<S128>(mask_of(bits - 1)) : static_cast<S128>(mask_of(bits));
  const S128 bottom = is_signed ? -top - 1 : 0;
  c.give(static_cast<std::uint64_t>(std::clamp(value, bottom, top)));
}

template <Predicate keep>
void extremum(Call& c) {
  need_word(c);
  c.result = holds(keep, c.slot(0).bits, c.slot(1).bits, c.bits(0)) ? c.slot(0) : c.slot(1);
}

void count_leading(Call& c) {
  need_word(c);
  c.give(static_cast<std::uint64_t>(std::countl_zero(c.word(0))) - (64 - c.bits(0)));
}
void count_trailing(Call& c) {
  need_word(c);
  c.give(std::min<std::uint64_t>(static_cast<std::uint64_t>(std::countr_zero(c.word(0))), c.bits(0)));
}
void swap_bytes(Call& c) {
  need_word(c);
  c.give(std::byteswap(c.word(0)) >> (64 - c.bits(0)));
}
void reverse_bits(Call& c) {
  need_word(c);
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < c.bits(0); ++i) out |= ((c.word(0) >> i) & 1) << (c.bits(0) - 1 - i);
  c.give(out);
}
template <bool left>
void funnel(Call& c) {
  need_word(c);
  const std::uint32_t bits = c.bits(0);
  const std::uint64_t n = c.word(2) % bits, a = c.word(0), b = c.word(1);
  if (n == 0)
    c.give(left ? a : b);
  else
    c.give(left ? (a << n) | (b >> (bits - n)) : (a << (bits - n)) | (b >> n));
}

void absolute_of_width(Call& c) {
  need_word(c);
  const std::int64_t value = sign_extend(c.word(0), c.bits(0));
  c.give(value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value));
}

/// Classes in the order of the bits: signalling and quiet NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal,
/// +inf.
void float_class(Call& c) {
  const numeric::Unpacked x = numeric::unpack(c.format(0), c.float_value(0));
  std::uint64_t bit = 1 << 0;
  switch (x.kind) {
    case numeric::FloatClass::SignallingNan:
    case numeric::FloatClass::NoNumber: break;
    case numeric::FloatClass::QuietNan: bit = 1 << 1; break;
    case numeric::FloatClass::Infinite: bit = x.is_negative ? 1 << 2 : 1 << 9; break;
    case numeric::FloatClass::Normal: bit = x.is_negative ? 1 << 3 : 1 << 8; break;
    case numeric::FloatClass::Subnormal: bit = x.is_negative ? 1 << 4 : 1 << 7; break;
    case numeric::FloatClass::Zero: bit = x.is_negative ? 1 << 5 : 1 << 6; break;
  }
  c.give((c.word(1) & bit) != 0 ? 1 : 0);
}

void first(Call& c) { c.result = c.slot(0); }

constexpr NativeEntry intrinsic_table[] = {
    {"llvm.sadd.with.overflow.*", with_overflow<true, '+'>},
    {"llvm.uadd.with.overflow.*", with_overflow<false, '+'>},
    {"llvm.ssub.with.overflow.*", with_overflow<true, '-'>},
    {"llvm.usub.with.overflow.*", with_overflow<false, '-'>},
    {"llvm.smul.with.overflow.*", with_overflow<true, '*'>},
    {"llvm.umul.with.overflow.*", with_overflow<false, '*'>},
    {"llvm.sadd.sat.*", saturating<true, '+'>},
    {"llvm.uadd.sat.*", saturating<false, '+'>},
    {"llvm.ssub.sat.*", saturating<true, '-'>},
    {"llvm.usub.sat.*", saturating<false, '-'>},
    {"llvm.smax.*", extremum<Predicate::Sgt>},
    {"llvm.smin.*", extremum<Predicate::Slt>},
    {"llvm.umax.*", extremum<Predicate::Ugt>},
    {"llvm.umin.*", extremum<Predicate::Ult>},
    {"llvm.abs.*", absolute_of_width},
    {"llvm.bswap.*", swap_bytes},
    {"llvm.bitreverse.*", reverse_bits},
    {"llvm.ctlz.*", count_leading},
    {"llvm.cttz.*", count_trailing},
    {"llvm.ctpop.*",
     [](Call& c) {
       need_word(c);
       c.give(static_cast<std::uint64_t>(std::popcount(c.word(0))));
     }},
    {"llvm.fshl.*", funnel<true>},
    {"llvm.fshr.*", funnel<false>},
    {"llvm.is.fpclass.*", float_class},
    {"llvm.va_start*", [](Call& c) { va_lists(c).start(c.thread, c.slot(0)); }},
    {"llvm.va_end*", no_effect},
    {"llvm.va_copy*", [](Call& c) { c.core.space.copy_bytes(c.slot(0), c.slot(1), va_lists(c).size()); }},
    {"llvm.x86.sse2.pause", no_effect},
    {"llvm.aarch64.hint", no_effect},
    {"llvm.lifetime.start*", no_effect},
    {"llvm.dbg.*", no_effect},
    {"llvm.assume", no_effect},
    {"llvm.prefetch*", no_effect},
    {"llvm.stackrestore*", no_effect},
    {"llvm.stacksave*", [](Call& c) { c.give(0); }},
    {"llvm.is.constant.*", [](Call& c) { c.give(0); }},
    {"llvm.objectsize.*", [](Call& c) { c.give(~0ULL); }},
    {"llvm.expect.*", first},
    {"llvm.annotation.*", first},
    {"llvm.ptr.annotation.*", first},
    {"llvm.ssa.copy.*", first},
    {"llvm.launder.invariant.group*", first},
    {"llvm.strip.invariant.group*", first},
    {"llvm.threadlocal.address*", first},
    {"llvm.arithmetic.fence.*", first},
    {"llvm.eh.typeid.for*", [](Call& c) { c.give(c.slot(0).bits == 0 ? 1 : c.slot(0).bits & 0x7fffffffU); }},
    {"llvm.ptrmask.*", [](Call& c) { c.result = {c.word(0) & c.word(1), 0, c.slot(0).object, 0}; }},
};

}  // namespace

std::span<const NativeEntry> intrinsic_natives() { return intrinsic_table; }

}  // namespace heddle::interpret
