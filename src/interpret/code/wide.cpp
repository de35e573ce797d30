// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstring>

#include "interpret/code/values.h"

namespace heddle::interpret {
namespace {

U128 wide_mask(std::uint32_t bits) { return bits >= 128 ? ~U128{0} : (U128{1} << bits) - 1; }
S128 wide_signed(U128 value, std::uint32_t bits) {
  if (bits >= 128) return static_cast<S128>(value);
  const U128 sign = U128{1} << (bits - 1);
  return static_cast<S128>(((value & wide_mask(bits)) ^ sign) - sign);
}

void split(U128 value, std::uint32_t bits, Slot* to) {
  value &= wide_mask(bits);
  to[0] = {static_cast<std::uint64_t>(value), 0, 0, 0};
  if (bits > 64) to[1] = {static_cast<std::uint64_t>(value >> 64), 0, 0, 0};
}

void make_undef(std::uint32_t bits, Slot* to) {
  to[0].undef = mask_of(bits);
  if (bits > 64) to[1].undef = mask_of(bits - 64);
}

bool any_undef(const Slot* value, std::uint32_t bits) {
  return value[0].undef != 0 || (bits > 64 && value[1].undef != 0);
}

U128 join_undef(const Slot* slots) { return (static_cast<U128>(slots[1].undef) << 64) | slots[0].undef; }

U128 integer_of(const Slot* slots, std::uint32_t bits) { return bits > 64 ? join(slots) : slots[0].bits; }

#if !defined(__x86_64__) && !defined(__i386__)
long double unpack_fp80(std::uint64_t mantissa, std::uint64_t high) {
  const int exponent = static_cast<int>(high & 0x7fff);
  long double value = 0;
  if (exponent == 0x7fff)
    value = (mantissa << 1) == 0 ? HUGE_VALL : std::nanl("");
  else
    value = std::ldexp(static_cast<long double>(mantissa), exponent - 16383 - 63);
  return (high & 0x8000) != 0 ? -value : value;
}

void pack_fp80(long double value, Slot* to) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  to[0] = to[1] = {};
  if (std::isnan(value) || std::isinf(value)) {
    to[0].bits = std::isnan(value) ? 0xc000000000000000ULL : 0x8000000000000000ULL;
    to[1].bits = sign | 0x7fff;
    return;
  }
  int exponent = 0;
  const long double fraction = std::frexp(value, &exponent);
  to[0].bits = static_cast<std::uint64_t>(std::ldexp(fraction, 64));
  to[1].bits = sign | (value == 0 ? 0 : static_cast<std::uint64_t>(exponent + 16382));
}
#endif

template <class T>
T float_operation(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::FAdd: return a + b;
    case BinaryOp::FSub: return a - b;
    case BinaryOp::FMul: return a * b;
    case BinaryOp::FDiv: return a / b;
    default: return std::fmod(a, b);
  }
}

bool order_holds(Predicate predicate, bool less, bool equal, bool greater) {
  const bool unordered = !less && !equal && !greater;
  switch (predicate) {
    case Predicate::FFalse: return false;
    case Predicate::FOeq: return equal;
    case Predicate::FOgt: return greater;
    case Predicate::FOge: return greater || equal;
    case Predicate::FOlt: return less;
    case Predicate::FOle: return less || equal;
    case Predicate::FOne: return less || greater;
    case Predicate::FOrd: return !unordered;
    case Predicate::FUno: return unordered;
    case Predicate::FUeq: return unordered || equal;
    case Predicate::FUgt: return unordered || greater;
    case Predicate::FUge: return unordered || greater || equal;
    case Predicate::FUlt: return unordered || less;
    case Predicate::FUle: return unordered || less || equal;
    case Predicate::FUne: return unordered || less || greater;
    default: return true;
  }
}

template <class Integer>
void integer_to_real(Integer value, std::uint32_t bits, Slot* to) {
  if (bits == 32)
    to[0] = {std::bit_cast<std::uint32_t>(static_cast<float>(value)), 0, 0, 0};
  else if (bits == 64)
    to[0] = {std::bit_cast<std::uint64_t>(static_cast<double>(value)), 0, 0, 0};
  else
    from_real(static_cast<long double>(value), bits, to);
}

void real_to_integer(CastOp op, long double value, Slot* to, std::uint32_t bits) {
  const long double whole = std::trunc(value);
  const bool is_signed = op == CastOp::FpToSi;
  const long double limit = std::ldexp(1.0L, static_cast<int>(is_signed ? bits - 1 : bits));
  const bool fits = is_signed ? whole >= -limit && whole < limit : whole >= 0 && whole < limit;
  if (!fits) {
    split(U128{1} << (bits - 1), bits, to);
    if (!(whole == 0)) make_undef(bits, to);
    return;
  }
  split(is_signed ? static_cast<U128>(static_cast<S128>(whole)) : static_cast<U128>(whole), bits, to);
}

}  // namespace

long double to_real(const Slot* slots, std::uint32_t bits) {
  if (bits == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(slots[0].bits));
  if (bits == 64) return std::bit_cast<double>(slots[0].bits);
#if defined(__x86_64__) || defined(__i386__)
  long double value = 0;
  std::memcpy(&value, &slots[0].bits, 8);
  std::memcpy(reinterpret_cast<char*>(&value) + 8, &slots[1].bits, 2);
  return value;
#else
  return unpack_fp80(slots[0].bits, slots[1].bits);
#endif
}

void from_real(long double value, std::uint32_t bits, Slot* to) {
  if (bits == 32) {
    to[0] = {std::bit_cast<std::uint32_t>(static_cast<float>(value)), 0, 0, 0};
  } else if (bits == 64) {
    to[0] = {std::bit_cast<std::uint64_t>(static_cast<double>(value)), 0, 0, 0};
  } else {
#if defined(__x86_64__) || defined(__i386__)
    to[0] = to[1] = {};
    std::memcpy(&to[0].bits, &value, 8);
    std::memcpy(&to[1].bits, reinterpret_cast<const char*>(&value) + 8, 2);
#else
    pack_fp80(value, to);
#endif
  }
}

void float_binary(BinaryOp op, const Slot* a, const Slot* b, std::uint32_t bits, Slot* to) {
  const bool undef = any_undef(a, bits) || any_undef(b, bits);
  if (bits == 32) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(a[0].bits));
    const float y = std::bit_cast<float>(static_cast<std::uint32_t>(b[0].bits));
    to[0] = {std::bit_cast<std::uint32_t>(float_operation(op, x, y)), 0, 0, 0};
  } else if (bits == 64) {
    to[0] = {std::bit_cast<std::uint64_t>(
                 float_operation(op, std::bit_cast<double>(a[0].bits), std::bit_cast<double>(b[0].bits))),
             0, 0, 0};
  } else {
    from_real(float_operation(op, to_real(a, bits), to_real(b, bits)), bits, to);
  }
  if (undef) make_undef(bits, to);
}

bool float_holds(Predicate predicate, const Slot* a, const Slot* b, std::uint32_t bits) {
  const long double x = to_real(a, bits), y = to_real(b, bits);
  return order_holds(predicate, x < y, x == y, x > y);
}

void wide_binary(BinaryOp op, const Slot* a, const Slot* b, std::uint32_t bits, Slot* to, Trouble& trouble) {
  const U128 x = join(a), y = join(b);
  const S128 sx = wide_signed(x, bits), sy = wide_signed(y, bits);
  const U128 ux = join_undef(a), uy = join_undef(b);
  U128 out = 0;
  U128 undef = (ux | uy) == 0 ? 0 : wide_mask(bits);
  switch (op) {
    case BinaryOp::Add: out = x + y; break;
    case BinaryOp::Sub: out = x - y; break;
    case BinaryOp::Mul: out = x * y; break;
    case BinaryOp::And:
      out = x & y;
      undef = (ux & uy) | (ux & y) | (uy & x);
      break;
    case BinaryOp::Or:
      out = x | y;
      undef = (ux & uy) | (ux & ~y) | (uy & ~x);
      break;
    case BinaryOp::Xor:
      out = x ^ y;
      undef = ux | uy;
      break;
    case BinaryOp::Shl:
    case BinaryOp::LShr:
    case BinaryOp::AShr:
      if (uy == 0 && y < bits)
        undef = op == BinaryOp::Shl    ? ux << y
                : op == BinaryOp::LShr ? ux >> y
                                       : static_cast<U128>(wide_signed(ux, bits) >> y);
      if (y >= bits) {
        split(0, bits, to);
        make_undef(bits, to);
        return;
      }
      out = op == BinaryOp::Shl ? x << y : op == BinaryOp::LShr ? x >> y : static_cast<U128>(sx >> y);
      break;
    default:
      if (y == 0 || (sy == -1 && x == U128{1} << (bits - 1) && (op == BinaryOp::SDiv || op == BinaryOp::SRem))) {
        trouble = y == 0 ? Trouble::DivisionByZero : Trouble::DivisionOverflow;
        return;
      }
      if (op == BinaryOp::UDiv) out = x / y;
      if (op == BinaryOp::URem) out = x % y;
      if (op == BinaryOp::SDiv) out = static_cast<U128>(sx / sy);
      if (op == BinaryOp::SRem) out = static_cast<U128>(sx % sy);
  }
  split(out, bits, to);
  undef &= wide_mask(bits);
  to[0].undef = static_cast<std::uint64_t>(undef);
  to[1].undef = static_cast<std::uint64_t>(undef >> 64);
}

bool wide_holds(Predicate predicate, const Slot* a, const Slot* b, std::uint32_t bits) {
  const U128 x = join(a), y = join(b);
  const S128 sx = wide_signed(x, bits), sy = wide_signed(y, bits);
  switch (predicate) {
    case Predicate::Eq: return x == y;
    case Predicate::Ne: return x != y;
    case Predicate::Ugt: return x > y;
    case Predicate::Uge: return x >= y;
    case Predicate::Ult: return x < y;
    case Predicate::Ule: return x <= y;
    case Predicate::Sgt: return sx > sy;
    case Predicate::Sge: return sx >= sy;
    case Predicate::Slt: return sx < sy;
    default: return sx <= sy;
  }
}

void cast_number(CastOp op, const Slot* from, std::uint32_t from_bits, Slot* to, std::uint32_t to_bits) {
  const bool undef = any_undef(from, from_bits);
  switch (op) {
    case CastOp::FpTrunc:
    case CastOp::FpExt: from_real(to_real(from, from_bits), to_bits, to); break;
    case CastOp::FpToUi:
    case CastOp::FpToSi: real_to_integer(op, to_real(from, from_bits), to, to_bits); break;
    case CastOp::UiToFp: integer_to_real(integer_of(from, from_bits), to_bits, to); break;
    case CastOp::SiToFp: integer_to_real(wide_signed(integer_of(from, from_bits), from_bits), to_bits, to); break;
    case CastOp::SExt:
      split(static_cast<U128>(wide_signed(integer_of(from, from_bits), from_bits)), to_bits, to);
      break;
    default: {  // Trunc, ZExt, and pointers to wide integers and back
      const Slot copy[2] = {from[0], from_bits > 64 ? from[1] : Slot{}};
      split(integer_of(from, from_bits), to_bits, to);
      to[0].undef = copy[0].undef & mask_of(to_bits);
      if (to_bits > 64) to[1].undef = copy[1].undef;
      return;
    }
  }
  if (undef) make_undef(to_bits, to);
}

}  // namespace heddle::interpret
