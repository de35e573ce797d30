// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on slots, exact to the width, with the bits that are not initialised carried along: an operation's result
// bit is undefined only if an undefined operand bit can change it (as far as the operator's kind tells).
#pragma once
#include <bit>
#include <cstdint>

#include "interpret/code/decoded.h"
#include "numeric/float_format.h"

namespace heddle::interpret {

using U128 = unsigned __int128;
using S128 = __int128;

constexpr std::uint64_t mask_of(std::uint32_t bits) { return bits >= 64 ? ~0ULL : (1ULL << bits) - 1; }
constexpr std::int64_t sign_extend(std::uint64_t value, std::uint32_t bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = 1ULL << (bits - 1);
  value &= mask_of(bits);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}
/// All bits from the lowest set one up: how far a carry can reach.
constexpr std::uint64_t carries(std::uint64_t undef) { return undef | (~undef + 1); }

inline std::uint64_t undef_and(const Slot& a, const Slot& b) {
  return (a.undef & b.undef) | (a.undef & b.bits) | (b.undef & a.bits);
}
inline std::uint64_t undef_or(const Slot& a, const Slot& b) {
  return (a.undef & b.undef) | (a.undef & ~b.bits) | (b.undef & ~a.bits);
}

/// a and b are zero-extended to 64 bits; predicate is one of the integer ones.
inline bool holds(Predicate predicate, std::uint64_t a, std::uint64_t b, std::uint32_t bits) {
  const std::int64_t x = sign_extend(a, bits), y = sign_extend(b, bits);
  switch (predicate) {
    case Predicate::Eq: return a == b;
    case Predicate::Ne: return a != b;
    case Predicate::Ugt: return a > b;
    case Predicate::Uge: return a >= b;
    case Predicate::Ult: return a < b;
    case Predicate::Ule: return a <= b;
    case Predicate::Sgt: return x > y;
    case Predicate::Sge: return x >= y;
    case Predicate::Slt: return x < y;
    default: return x <= y;
  }
}

inline Slot compare_slots(Predicate predicate, const Slot& a, const Slot& b, std::uint32_t bits) {
  Slot out{holds(predicate, a.bits, b.bits, bits) ? 1ULL : 0ULL, 0, 0, 0};
  const std::uint64_t undef = (a.undef | b.undef) & mask_of(bits);
  if (undef != 0) [[unlikely]] {
    const bool is_equality = predicate == Predicate::Eq || predicate == Predicate::Ne;
    const bool surely_differ = ((a.bits ^ b.bits) & ~undef & mask_of(bits)) != 0;
    out.undef = is_equality && surely_differ ? 0 : 1;
    if (out.undef == 0) out.bits = predicate == Predicate::Ne ? 1 : 0;
  }
  return out;
}

/// What stands in the way of an integer operation.
enum class Trouble : std::uint8_t { None, DivisionByZero, DivisionOverflow, SignedOverflow, ShiftTooFar };

/// Integer operations up to 64 bits.
inline Slot binary_slots(BinaryOp op, const Slot& a, const Slot& b, std::uint32_t bits, std::uint8_t flags,
                         Trouble& trouble) {
  const std::uint64_t mask = mask_of(bits);
  const std::uint64_t undef = a.undef | b.undef;
  Slot out;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul: {
      const std::int64_t x = sign_extend(a.bits, bits), y = sign_extend(b.bits, bits);
      std::int64_t result = 0;
      bool overflow = false;
      if (op == BinaryOp::Add) {
        out.bits = (a.bits + b.bits) & mask;
        overflow = __builtin_add_overflow(x, y, &result);
      } else if (op == BinaryOp::Sub) {
        out.bits = (a.bits - b.bits) & mask;
        overflow = __builtin_sub_overflow(x, y, &result);
      } else {
        out.bits = (a.bits * b.bits) & mask;
        overflow = __builtin_mul_overflow(x, y, &result);
      }
      if ((flags & Instruction::no_signed_wrap) != 0 && (overflow || sign_extend(out.bits, bits) != result) &&
          undef == 0)
        trouble = Trouble::SignedOverflow;
      out.undef = undef == 0 ? 0 : carries(undef) & mask;
      return out;
    }
    case BinaryOp::UDiv:
    case BinaryOp::URem:
      if (b.bits == 0) {
        trouble = Trouble::DivisionByZero;
        return out;
      }
      out.bits = op == BinaryOp::UDiv ? a.bits / b.bits : a.bits % b.bits;
      break;
    case BinaryOp::SDiv:
    case BinaryOp::SRem: {
      const std::int64_t x = sign_extend(a.bits, bits), y = sign_extend(b.bits, bits);
      if (y == 0 || (y == -1 && a.bits == 1ULL << (bits - 1))) {
        trouble = y == 0 ? Trouble::DivisionByZero : Trouble::DivisionOverflow;
        return out;
      }
      out.bits = static_cast<std::uint64_t>(op == BinaryOp::SDiv ? x / y : x % y) & mask;
      break;
    }
    case BinaryOp::Shl:
    case BinaryOp::LShr:
    case BinaryOp::AShr: {
      if (b.bits >= bits || b.undef != 0) {
        trouble = Trouble::ShiftTooFar;
        return {0, mask, 0, 0};
      }
      const auto n = static_cast<std::uint32_t>(b.bits);
      const auto shift = [&](std::uint64_t v) {
        if (op == BinaryOp::Shl) return (v << n) & mask;
        if (op == BinaryOp::LShr) return v >> n;
        return static_cast<std::uint64_t>(sign_extend(v, bits) >> n) & mask;
      };
      return {shift(a.bits), a.undef == 0 ? 0 : shift(a.undef), 0, 0};
    }
    case BinaryOp::And: return {a.bits & b.bits, undef == 0 ? 0 : undef_and(a, b) & mask, 0, 0};
    case BinaryOp::Or: return {a.bits | b.bits, undef == 0 ? 0 : undef_or(a, b) & mask, 0, 0};
    default: return {a.bits ^ b.bits, undef, 0, 0};
  }
  out.undef = undef == 0 ? 0 : mask;
  return out;
}

/// Two slots as one number, for i65 to i128.
inline U128 join(const Slot* slots) { return (static_cast<U128>(slots[1].bits) << 64) | slots[0].bits; }

inline U128 wide_mask(std::uint32_t bits) { return bits >= 128 ? ~U128{0} : (U128{1} << bits) - 1; }
inline S128 wide_signed(U128 value, std::uint32_t bits) {
  if (bits >= 128) return static_cast<S128>(value);
  const U128 sign = U128{1} << (bits - 1);
  return static_cast<S128>(((value & wide_mask(bits)) ^ sign) - sign);
}
inline U128 integer_of(const Slot* slots, std::uint32_t bits) { return bits > 64 ? join(slots) : slots[0].bits; }

inline void split(U128 value, std::uint32_t bits, Slot* to) {
  value &= wide_mask(bits);
  to[0] = {static_cast<std::uint64_t>(value), 0, 0, 0};
  if (bits > 64) to[1] = {static_cast<std::uint64_t>(value >> 64), 0, 0, 0};
}
inline void make_undef(std::uint32_t bits, Slot* to) {
  to[0].undef = mask_of(bits);
  if (bits > 64) to[1].undef = mask_of(bits - 64);
}
inline bool any_undef(const Slot* value, std::uint32_t bits) {
  return value[0].undef != 0 || (bits > 64 && value[1].undef != 0);
}

// float_numbers.cpp
numeric::FloatBits float_bits(const Slot* slots, std::uint32_t bits);
void put_float(numeric::FloatBits value, std::uint32_t bits, Slot* to);
void float_binary(BinaryOp op, const Slot* a, const Slot* b, FloatFormat format, Slot* to,
                  const numeric::FloatRules& rules);
bool float_holds(Predicate predicate, const Slot* a, const Slot* b, FloatFormat format);

/// A cast of numbers; formats count where a side is a floating point number.
struct NumberCast {
  CastOp op;
  NumberType from, to;
};
void cast_float(const NumberCast& cast, const Slot* from, Slot* to, const numeric::FloatRules& rules);

// wide_numbers.cpp
void wide_binary(BinaryOp op, const Slot* a, const Slot* b, std::uint32_t bits, Slot* to, Trouble& trouble);
bool wide_holds(Predicate predicate, const Slot* a, const Slot* b, std::uint32_t bits);
/// Any cast between numbers; slots beyond the value's are left alone.
void cast_number(const NumberCast& cast, const Slot* from, Slot* to, const numeric::FloatRules& rules);

}  // namespace heddle::interpret
