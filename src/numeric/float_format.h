// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as bits. A format says how many bits the significand and the exponent have; `FloatBits` is what lies in
// memory, as one little-endian number. Nothing here asks what `long double` is on the machine heddle runs on.
//
//   format     bits  precision  where it is met
//   Half         16         11  _Float16, __fp16
//   Bfloat       16          8  __bf16
//   Single       32         24  float
//   Double       64         53  double
//   Extended     80         64  long double of x86; its leading bit is stored, so some bit patterns are no number
//   Quad        128        113  long double of aarch64, __float128
#pragma once
#include <cstdint>

namespace heddle::numeric {

using Bits128 = unsigned __int128;

enum class FloatFormat : std::uint8_t { Half, Bfloat, Single, Double, Extended, Quad };

struct FloatTraits {
  std::uint32_t bits = 0;
  std::uint32_t precision = 0;   ///< of the significand, with its leading bit
  std::int32_t bias = 0;         ///< of the exponent; also the largest exponent of a finite number
  bool has_leading_bit = false;  ///< the leading bit is stored
  [[nodiscard]] constexpr std::uint32_t fraction_bits() const { return has_leading_bit ? precision : precision - 1; }
  [[nodiscard]] constexpr std::int32_t least_exponent() const { return 1 - bias; }  ///< of a normal number
  [[nodiscard]] constexpr std::int32_t all_ones() const { return 2 * bias + 1; }    ///< exponent of infinities and NaNs
};

constexpr FloatTraits traits_of(FloatFormat format) {
  switch (format) {
    case FloatFormat::Half: return {16, 11, 15, false};
    case FloatFormat::Bfloat: return {16, 8, 127, false};
    case FloatFormat::Single: return {32, 24, 127, false};
    case FloatFormat::Double: return {64, 53, 1023, false};
    case FloatFormat::Extended: return {80, 64, 16383, true};
    case FloatFormat::Quad: break;
  }
  return {128, 113, 16383, false};
}

struct FloatBits {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  [[nodiscard]] constexpr Bits128 joined() const { return (static_cast<Bits128>(high) << 64) | low; }
  static constexpr FloatBits of(Bits128 value) {
    return {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
  }
  friend constexpr bool operator==(const FloatBits&, const FloatBits&) = default;
};

/// What IEEE 754 leaves to the machine: the NaN of an invalid operation, which of two NaNs survives, when a number that
/// is too small counts as such.
struct FloatRules {
  bool default_nan_is_negative = true;
  enum class Survivor : std::uint8_t {
    First,                       ///< SSE: the first operand that is one
    Signalling,                  ///< Arm: a signalling one before a quiet one, then the first
  } survivor = Survivor::First;  ///< the Extended format has rules of its own
  bool tiny_before_rounding = false;
  /// gcc's library computes Quad where the processor does not, and fills the default NaN with ones.
  bool quad_nan_has_all_bits = false;
};

enum class FloatClass : std::uint8_t {
  Zero,
  Subnormal,
  Normal,
  Infinite,
  QuietNan,
  SignallingNan,
  NoNumber,  ///< Extended: the leading bit contradicts the exponent; an operation answers with the default NaN
};

/// The value is significand · 2^exponent, negated if `is_negative`; both are zero unless the number is finite.
struct Unpacked {
  FloatClass kind = FloatClass::Zero;
  bool is_negative = false;
  std::int32_t exponent = 0;
  Bits128 significand = 0;
  [[nodiscard]] bool is_nan() const { return kind >= FloatClass::QuietNan; }
};

Unpacked unpack(FloatFormat format, FloatBits value);

}  // namespace heddle::numeric
