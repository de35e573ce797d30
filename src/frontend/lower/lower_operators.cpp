// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lower/lower_operators.h"

#include <llvm/IR/Operator.h>

#include "base/check.h"

namespace heddle::frontend {

BinaryOp binary_op_of(llvm::Instruction::BinaryOps op) {
  switch (op) {
    case llvm::Instruction::Add: return BinaryOp::Add;
    case llvm::Instruction::Sub: return BinaryOp::Sub;
    case llvm::Instruction::Mul: return BinaryOp::Mul;
    case llvm::Instruction::UDiv: return BinaryOp::UDiv;
    case llvm::Instruction::SDiv: return BinaryOp::SDiv;
    case llvm::Instruction::URem: return BinaryOp::URem;
    case llvm::Instruction::SRem: return BinaryOp::SRem;
    case llvm::Instruction::Shl: return BinaryOp::Shl;
    case llvm::Instruction::LShr: return BinaryOp::LShr;
    case llvm::Instruction::AShr: return BinaryOp::AShr;
    case llvm::Instruction::And: return BinaryOp::And;
    case llvm::Instruction::Or: return BinaryOp::Or;
    case llvm::Instruction::Xor: return BinaryOp::Xor;
    case llvm::Instruction::FAdd: return BinaryOp::FAdd;
    case llvm::Instruction::FSub: return BinaryOp::FSub;
    case llvm::Instruction::FMul: return BinaryOp::FMul;
    case llvm::Instruction::FDiv: return BinaryOp::FDiv;
    case llvm::Instruction::FRem: return BinaryOp::FRem;
    default: HEDDLE_CHECK(false, "a binary operator LLVM 19 does not have"); return BinaryOp::Add;
  }
}

CastOp cast_op_of(llvm::Instruction::CastOps op) {
  switch (op) {
    case llvm::Instruction::Trunc: return CastOp::Trunc;
    case llvm::Instruction::ZExt: return CastOp::ZExt;
    case llvm::Instruction::SExt: return CastOp::SExt;
    case llvm::Instruction::FPTrunc: return CastOp::FpTrunc;
    case llvm::Instruction::FPExt: return CastOp::FpExt;
    case llvm::Instruction::FPToUI: return CastOp::FpToUi;
    case llvm::Instruction::FPToSI: return CastOp::FpToSi;
    case llvm::Instruction::UIToFP: return CastOp::UiToFp;
    case llvm::Instruction::SIToFP: return CastOp::SiToFp;
    case llvm::Instruction::PtrToInt: return CastOp::PtrToInt;
    case llvm::Instruction::IntToPtr: return CastOp::IntToPtr;
    case llvm::Instruction::BitCast: return CastOp::Bitcast;
    case llvm::Instruction::AddrSpaceCast: return CastOp::AddrSpaceCast;
    default: HEDDLE_CHECK(false, "a cast LLVM 19 does not have"); return CastOp::Bitcast;
  }
}

Predicate predicate_of(llvm::CmpInst::Predicate predicate) {
  // Both sides list the predicates in the same order.
  static_assert(llvm::CmpInst::ICMP_SLE - llvm::CmpInst::ICMP_EQ == static_cast<int>(Predicate::Sle));
  static_assert(llvm::CmpInst::FCMP_TRUE - llvm::CmpInst::FCMP_FALSE ==
                static_cast<int>(Predicate::FTrue) - static_cast<int>(Predicate::FFalse));
  if (llvm::CmpInst::isIntPredicate(predicate)) return static_cast<Predicate>(predicate - llvm::CmpInst::ICMP_EQ);
  return static_cast<Predicate>(predicate - llvm::CmpInst::FCMP_FALSE + static_cast<unsigned>(Predicate::FFalse));
}

RmwOp rmw_op_of(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
    case llvm::AtomicRMWInst::Xchg: return RmwOp::Xchg;
    case llvm::AtomicRMWInst::Add: return RmwOp::Add;
    case llvm::AtomicRMWInst::Sub: return RmwOp::Sub;
    case llvm::AtomicRMWInst::And: return RmwOp::And;
    case llvm::AtomicRMWInst::Nand: return RmwOp::Nand;
    case llvm::AtomicRMWInst::Or: return RmwOp::Or;
    case llvm::AtomicRMWInst::Xor: return RmwOp::Xor;
    case llvm::AtomicRMWInst::Max: return RmwOp::Max;
    case llvm::AtomicRMWInst::Min: return RmwOp::Min;
    case llvm::AtomicRMWInst::UMax: return RmwOp::UMax;
    case llvm::AtomicRMWInst::UMin: return RmwOp::UMin;
    case llvm::AtomicRMWInst::FAdd: return RmwOp::FAdd;
    case llvm::AtomicRMWInst::FSub: return RmwOp::FSub;
    case llvm::AtomicRMWInst::FMax: return RmwOp::FMax;
    case llvm::AtomicRMWInst::FMin: return RmwOp::FMin;
    default: return RmwOp::Other;
  }
}

AtomicOrder order_of(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::NotAtomic: return AtomicOrder::NotAtomic;
    case llvm::AtomicOrdering::Unordered: return AtomicOrder::Unordered;
    case llvm::AtomicOrdering::Monotonic: return AtomicOrder::Monotonic;
    case llvm::AtomicOrdering::Acquire: return AtomicOrder::Acquire;
    case llvm::AtomicOrdering::Release: return AtomicOrder::Release;
    case llvm::AtomicOrdering::AcquireRelease: return AtomicOrder::AcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent: return AtomicOrder::SeqCst;
  }
  return AtomicOrder::SeqCst;
}

std::uint8_t flags_of(const llvm::Instruction& instruction) {
  unsigned flags = 0;
  if (instruction.isVolatile()) flags |= Instruction::is_volatile;
  if (const auto* wrapping = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
    if (wrapping->hasNoUnsignedWrap()) flags |= Instruction::no_unsigned_wrap;
    if (wrapping->hasNoSignedWrap()) flags |= Instruction::no_signed_wrap;
  }
  if (const auto* dividing = llvm::dyn_cast<llvm::PossiblyExactOperator>(&instruction);
      dividing != nullptr && dividing->isExact())
    flags |= Instruction::exact;
  if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction); gep != nullptr && gep->isInBounds())
    flags |= Instruction::in_bounds;
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      exchange != nullptr && exchange->isWeak())
    flags |= Instruction::weak;
  return static_cast<std::uint8_t>(flags);
}

}  // namespace heddle::frontend
