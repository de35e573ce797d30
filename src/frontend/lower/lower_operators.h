// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Instructions.h>

#include "program/model/instruction.h"

namespace heddle::frontend {

BinaryOp binary_op_of(llvm::Instruction::BinaryOps op);
CastOp cast_op_of(llvm::Instruction::CastOps op);
Predicate predicate_of(llvm::CmpInst::Predicate predicate);
RmwOp rmw_op_of(llvm::AtomicRMWInst::BinOp op);
AtomicOrder order_of(llvm::AtomicOrdering order);
/// Wrap, exact, inbounds and volatile flags.
std::uint8_t flags_of(const llvm::Instruction& instruction);

}  // namespace heddle::frontend
