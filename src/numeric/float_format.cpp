// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numeric/float_format.h"

namespace heddle::numeric {
namespace {

FloatClass special_kind(const FloatTraits& traits, Bits128 fraction) {
  const Bits128 leading = Bits128{1} << (traits.precision - 1);
  if (traits.has_leading_bit && (fraction & leading) == 0) return FloatClass::NoNumber;
  fraction &= leading - 1;
  if (fraction == 0) return FloatClass::Infinite;
  return (fraction & (leading >> 1)) != 0 ? FloatClass::QuietNan : FloatClass::SignallingNan;
}

}  // namespace

Unpacked unpack(FloatFormat format, FloatBits value) {
  const FloatTraits traits = traits_of(format);
  const Bits128 all = value.joined();
  const Bits128 leading = Bits128{1} << (traits.precision - 1);
  const Bits128 fraction = all & ((Bits128{1} << traits.fraction_bits()) - 1);
  const auto biased =
      static_cast<std::int32_t>((all >> traits.fraction_bits()) & static_cast<Bits128>(traits.all_ones()));
  Unpacked out;
  out.is_negative = ((all >> (traits.bits - 1)) & 1) != 0;
  if (biased == traits.all_ones()) {
    out.kind = special_kind(traits, fraction);
    return out;
  }
  if (biased != 0 && traits.has_leading_bit && (fraction & leading) == 0) {
    out.kind = FloatClass::NoNumber;
    return out;
  }
  if (biased == 0 && fraction == 0) return out;
  // With a stored leading bit, exponent 0 may still hold a normal number: the processor reads it as exponent 1.
  out.kind = biased != 0 || (fraction & leading) != 0 ? FloatClass::Normal : FloatClass::Subnormal;
  out.significand = biased != 0 ? fraction | leading : fraction;
  out.exponent = (biased != 0 ? biased : 1) - traits.bias - static_cast<std::int32_t>(traits.precision - 1);
  return out;
}

}  // namespace heddle::numeric
