// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/text/opcode_text.h"

#include "base/check.h"

namespace heddle {

std::string_view to_text(Opcode opcode) {
  switch (opcode) {
    case Opcode::Alloca: return "alloca";
    case Opcode::Load: return "load";
    case Opcode::Store: return "store";
    case Opcode::Gep: return "gep";
    case Opcode::MemCopy: return "memcopy";
    case Opcode::MemSet: return "memset";
    case Opcode::CmpXchg: return "cmpxchg";
    case Opcode::AtomicRmw: return "atomic_rmw";
    case Opcode::Fence: return "fence";
    case Opcode::Phi: return "phi";
    case Opcode::Select: return "select";
    case Opcode::Binary: return "binary";
    case Opcode::FNeg: return "fneg";
    case Opcode::Compare: return "compare";
    case Opcode::Cast: return "cast";
    case Opcode::Freeze: return "freeze";
    case Opcode::ExtractValue: return "extract_value";
    case Opcode::InsertValue: return "insert_value";
    case Opcode::ExtractElement: return "extract_element";
    case Opcode::InsertElement: return "insert_element";
    case Opcode::ShuffleVector: return "shuffle_vector";
    case Opcode::VaArg: return "va_arg";
    case Opcode::LandingPad: return "landingpad";
    case Opcode::Call: return "call";
    case Opcode::Invoke: return "invoke";
    case Opcode::Return: return "return";
    case Opcode::Branch: return "branch";
    case Opcode::CondBranch: return "cond_branch";
    case Opcode::Switch: return "switch";
    case Opcode::IndirectBranch: return "indirect_branch";
    case Opcode::Resume: return "resume";
    case Opcode::Unreachable: return "unreachable";
    case Opcode::Unsupported: return "unsupported";
  }
  fail_check("opcode", "no such Opcode");
}

std::string_view to_text(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "add";
    case BinaryOp::Sub: return "sub";
    case BinaryOp::Mul: return "mul";
    case BinaryOp::UDiv: return "udiv";
    case BinaryOp::SDiv: return "sdiv";
    case BinaryOp::URem: return "urem";
    case BinaryOp::SRem: return "srem";
    case BinaryOp::Shl: return "shl";
    case BinaryOp::LShr: return "lshr";
    case BinaryOp::AShr: return "ashr";
    case BinaryOp::And: return "and";
    case BinaryOp::Or: return "or";
    case BinaryOp::Xor: return "xor";
    case BinaryOp::FAdd: return "fadd";
    case BinaryOp::FSub: return "fsub";
    case BinaryOp::FMul: return "fmul";
    case BinaryOp::FDiv: return "fdiv";
    case BinaryOp::FRem: return "frem";
  }
  fail_check("op", "no such BinaryOp");
}

std::string_view to_text(Predicate predicate) {
  switch (predicate) {
    case Predicate::Eq: return "eq";
    case Predicate::Ne: return "ne";
    case Predicate::Ugt: return "ugt";
    case Predicate::Uge: return "uge";
    case Predicate::Ult: return "ult";
    case Predicate::Ule: return "ule";
    case Predicate::Sgt: return "sgt";
    case Predicate::Sge: return "sge";
    case Predicate::Slt: return "slt";
    case Predicate::Sle: return "sle";
    case Predicate::FFalse: return "ffalse";
    case Predicate::FOeq: return "foeq";
    case Predicate::FOgt: return "fogt";
    case Predicate::FOge: return "foge";
    case Predicate::FOlt: return "folt";
    case Predicate::FOle: return "fole";
    case Predicate::FOne: return "fone";
    case Predicate::FOrd: return "ford";
    case Predicate::FUno: return "funo";
    case Predicate::FUeq: return "fueq";
    case Predicate::FUgt: return "fugt";
    case Predicate::FUge: return "fuge";
    case Predicate::FUlt: return "fult";
    case Predicate::FUle: return "fule";
    case Predicate::FUne: return "fune";
    case Predicate::FTrue: return "ftrue";
  }
  fail_check("predicate", "no such Predicate");
}

std::string_view to_text(CastOp op) {
  switch (op) {
    case CastOp::Trunc: return "trunc";
    case CastOp::ZExt: return "zext";
    case CastOp::SExt: return "sext";
    case CastOp::FpTrunc: return "fptrunc";
    case CastOp::FpExt: return "fpext";
    case CastOp::FpToUi: return "fptoui";
    case CastOp::FpToSi: return "fptosi";
    case CastOp::UiToFp: return "uitofp";
    case CastOp::SiToFp: return "sitofp";
    case CastOp::PtrToInt: return "ptrtoint";
    case CastOp::IntToPtr: return "inttoptr";
    case CastOp::Bitcast: return "bitcast";
    case CastOp::AddrSpaceCast: return "addrspacecast";
  }
  fail_check("op", "no such CastOp");
}

std::string_view to_text(RmwOp op) {
  switch (op) {
    case RmwOp::Xchg: return "xchg";
    case RmwOp::Add: return "add";
    case RmwOp::Sub: return "sub";
    case RmwOp::And: return "and";
    case RmwOp::Nand: return "nand";
    case RmwOp::Or: return "or";
    case RmwOp::Xor: return "xor";
    case RmwOp::Max: return "max";
    case RmwOp::Min: return "min";
    case RmwOp::UMax: return "umax";
    case RmwOp::UMin: return "umin";
    case RmwOp::FAdd: return "fadd";
    case RmwOp::FSub: return "fsub";
    case RmwOp::FMax: return "fmax";
    case RmwOp::FMin: return "fmin";
    case RmwOp::Other: return "other";
  }
  fail_check("op", "no such RmwOp");
}

std::string_view to_text(AtomicOrder order) {
  switch (order) {
    case AtomicOrder::NotAtomic: return "";
    case AtomicOrder::Unordered: return "unordered";
    case AtomicOrder::Monotonic: return "monotonic";
    case AtomicOrder::Acquire: return "acquire";
    case AtomicOrder::Release: return "release";
    case AtomicOrder::AcqRel: return "acq_rel";
    case AtomicOrder::SeqCst: return "seq_cst";
  }
  fail_check("order", "no such AtomicOrder");
}

}  // namespace heddle
