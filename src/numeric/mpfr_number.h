// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPFR's numbers as soft_float.h and its neighbours use them; no other folder sees mpfr.h. A number lives on the stack
// (at most 128 bits of significand), so an operation allocates nothing.
//
// How one rounding is kept one: an operation is computed with the precision of its format and more exponents than any
// format has; MPFR says in which direction it rounded, and with that mpfr_check_range and mpfr_subnormalize give what a
// single rounding into the format would have given, overflow and subnormal numbers included.
#pragma once
#include <mpfr.h>
#include <bit>

#include "numeric/float_format.h"

namespace heddle::numeric {

class MpfrNumber {
 public:
  /// Zero; for results.
  explicit MpfrNumber(std::uint32_t precision) {
    mpfr_custom_init_set(value_, MPFR_ZERO_KIND, 0, static_cast<mpfr_prec_t>(precision), limbs_);
  }
  /// Exactly this value, which is no NaN.
  explicit MpfrNumber(const Unpacked& from) { set(from); }
  MpfrNumber(FloatFormat format, FloatBits value) { set(unpack(format, value)); }
  MpfrNumber(const MpfrNumber&) = delete;
  MpfrNumber& operator=(const MpfrNumber&) = delete;

  [[nodiscard]] mpfr_ptr get() { return value_; }
  [[nodiscard]] mpfr_srcptr get() const { return value_; }

 private:
  void set(const Unpacked& from) {
    const int sign = from.is_negative ? -1 : 1;
    int kind = from.kind == FloatClass::Infinite ? MPFR_INF_KIND : MPFR_ZERO_KIND;
    mpfr_exp_t exponent = 0;
    if (from.significand != 0) {
      const auto high = static_cast<std::uint64_t>(from.significand >> 64);
      const auto low = static_cast<std::uint64_t>(from.significand);
      const int zeros = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
      const Bits128 shifted = from.significand << zeros;
      limbs_[0] = static_cast<mp_limb_t>(shifted);
      limbs_[1] = static_cast<mp_limb_t>(shifted >> 64);
      kind = MPFR_REGULAR_KIND;
      exponent = from.exponent + 128 - zeros;
    }
    mpfr_custom_init_set(value_, kind * sign, exponent, 128, limbs_);
  }

  mpfr_t value_;
  mp_limb_t limbs_[2] = {};
};

/// While it lives, results may have any exponent that a format has, and more.
class WideExponents {
 public:
  WideExponents() : least_(mpfr_get_emin()), largest_(mpfr_get_emax()) {
    mpfr_set_emin(-wide);
    mpfr_set_emax(wide);
  }
  ~WideExponents() {
    mpfr_set_emin(least_);
    mpfr_set_emax(largest_);
  }
  WideExponents(const WideExponents&) = delete;
  WideExponents& operator=(const WideExponents&) = delete;

 private:
  static constexpr mpfr_exp_t wide = 100'000;
  mpfr_exp_t least_, largest_;
};

/// What rounding into a format did.
struct Rounding {
  bool is_inexact = false;
  bool has_overflowed = false;
  bool is_tiny = false;  ///< and inexact
};

/// `number` has the precision of the format and was rounded as `direction` says (MPFR's ternary value). Call it while
/// WideExponents lives. A NaN becomes the default one.
FloatBits rounded_into(FloatFormat format, mpfr_ptr number, int direction, const FloatRules& rules,
                       Rounding* rounding = nullptr);

}  // namespace heddle::numeric
