// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/values.h"

namespace heddle::interpret {
namespace {

U128 join_undef(const Slot* slots) { return (static_cast<U128>(slots[1].undef) << 64) | slots[0].undef; }

}  // namespace

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

void cast_number(const NumberCast& cast, const Slot* from, Slot* to, const numeric::FloatRules& rules) {
  const std::uint32_t from_bits = cast.from.bits, to_bits = cast.to.bits;
  switch (cast.op) {
    case CastOp::FpTrunc:
    case CastOp::FpExt:
    case CastOp::FpToUi:
    case CastOp::FpToSi:
    case CastOp::UiToFp:
    case CastOp::SiToFp: cast_float(cast, from, to, rules); return;
    case CastOp::SExt: {
      const bool undef = any_undef(from, from_bits);
      split(static_cast<U128>(wide_signed(integer_of(from, from_bits), from_bits)), to_bits, to);
      if (undef) make_undef(to_bits, to);
      return;
    }
    default: {  // Trunc, ZExt, and pointers to wide integers and back
      const Slot copy[2] = {from[0], from_bits > 64 ? from[1] : Slot{}};
      split(integer_of(from, from_bits), to_bits, to);
      to[0].undef = copy[0].undef & mask_of(to_bits);
      if (to_bits > 64) to[1].undef = copy[1].undef;
    }
  }
}

}  // namespace heddle::interpret
