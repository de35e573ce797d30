// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/lower/lower_operators.h"
#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

IntrinsicRole role_of_call(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);  // an invoke is a terminator and must stay
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? IntrinsicRole::None : role_of(*callee);
}

bool is_unsupported_terminator(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::CatchSwitchInst, llvm::CatchReturnInst, llvm::CleanupReturnInst>(instruction);
}

/// How many instructions of the Program stand for this one. A device register is an operand, and no instruction.
unsigned lowered_count(const Lowering& lowering, const llvm::Instruction& instruction) {
  if (lowering.register_at(&instruction)) return 0;
  const IntrinsicRole role = role_of_call(instruction);
  if (role == IntrinsicRole::Dropped || role == IntrinsicRole::PassThrough) return 0;
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
    return fence->getSyncScopeID() == llvm::SyncScope::SingleThread ? 0 : 1;  // orders nothing between threads
  if (llvm::isa<llvm::CallBrInst>(instruction) || is_unsupported_terminator(instruction)) return 2;
  return 1;
}

class BodyLowering {
 public:
  BodyLowering(Lowering& lowering, const llvm::Function& function) : lowering_(lowering), function_(function) {}

  FunctionBody run() {
    number_values();
    for (const llvm::BasicBlock& block : function_) {
      Block row;
      row.name = arena().text(block.getName());
      row.first = static_cast<std::uint32_t>(out_.instructions.size());
      for (const llvm::Instruction& instruction : block)
        if (lowered_count(lowering_, instruction) > 0) lower(instruction);
      row.count = static_cast<std::uint32_t>(out_.instructions.size()) - row.first;
      out_.blocks.push_back(row);
    }
    lower_names(lowering_, function_, values_, out_);
    return std::move(out_);
  }

  std::vector<llvm::Instruction*> take_origins() { return std::move(origins_); }

 private:
  Arena& arena() { return lowering_.program.arena; }

  void number_values() {
    std::size_t next = 0;
    for (const llvm::Argument& parameter : function_.args()) values_.try_emplace(&parameter, ValueId(next++));
    std::size_t blocks = 0;
    for (const llvm::BasicBlock& block : function_) {
      blocks_.try_emplace(&block, BlockId(blocks++));
      for (const llvm::Instruction& instruction : block) {
        const unsigned count = lowered_count(lowering_, instruction);
        if (count > 0) values_.try_emplace(&instruction, ValueId(next));
        next += count;
      }
    }
  }

  Operand operand(const llvm::Value* value) {
    if (const auto it = values_.find(value); it != values_.end()) return Operand::value(it->second);
    if (const GlobalId device = lowering_.register_at(value)) return Operand::global(device);
    if (const auto* block = llvm::dyn_cast<llvm::BasicBlock>(value)) return Operand::block(blocks_.at(block));
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return lowering_.operand_of(constant);
    if (llvm::isa<llvm::InlineAsm>(value)) return Operand::inline_asm();
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      if (role_of_call(*instruction) == IntrinsicRole::PassThrough) return operand(instruction->getOperand(0));
    return lowering_.undefined(value->getType());  // metadata, and results of calls that mean nothing here
  }

  Instruction& add(Opcode opcode, const llvm::Instruction& from) {
    Instruction row;
    row.opcode = opcode;
    row.flags = flags_of(from);
    row.type = lowering_.types.of(from.getType());
    row.first_operand = static_cast<std::uint32_t>(out_.operands.size());
    row.location = lowering_.locations.of(from.getDebugLoc().get());
    out_.instructions.push_back(row);
    origins_.push_back(const_cast<llvm::Instruction*>(&from));  // for who owns the module
    return out_.instructions.back();
  }

  void push(Operand operand) {
    out_.operands.push_back(operand);
    ++out_.instructions.back().operand_count;
  }
  void push(const llvm::Value* value) { push(operand(value)); }

  Instruction& add_simple(Opcode opcode, const llvm::Instruction& from) {
    Instruction& row = add(opcode, from);
    for (const llvm::Use& use : from.operands()) push(use.get());
    return row;
  }

  Instruction& add_access(Opcode opcode, const llvm::Instruction& from, llvm::Type* type, llvm::AtomicOrdering order) {
    Instruction& row = add_simple(opcode, from);
    row.access_type = lowering_.types.of(type);
    row.order = order_of(order);
    return row;
  }

  void add_indexed(Opcode opcode, const llvm::Instruction& from, unsigned operands,
                   const std::vector<std::int32_t>& indices) {
    Instruction& row = add(opcode, from);
    row.extra = static_cast<std::uint32_t>(out_.indices.size());
    out_.indices.push_back(arena().copy(indices));
    for (unsigned i = 0; i < operands; ++i) push(from.getOperand(i));
  }

  void add_unsupported(const llvm::Instruction& from) {
    Instruction& row = add(Opcode::Unsupported, from);
    row.extra = static_cast<std::uint32_t>(out_.texts.size());
    std::string text;
    llvm::raw_string_ostream(text) << from;
    out_.texts.push_back(arena().text(text));
    for (const llvm::Use& use : from.operands())
      if (!llvm::isa<llvm::BasicBlock>(use.get())) push(use.get());
  }

  void lower(const llvm::Instruction& instruction);
  void lower_alloca(const llvm::AllocaInst& alloca);
  void lower_gep(const llvm::GetElementPtrInst& gep);
  void lower_phi(const llvm::PHINode& phi);
  void lower_branch(const llvm::BranchInst& branch);
  void lower_switch(const llvm::SwitchInst& choice);
  void lower_call(const llvm::CallBase& call);
  void lower_copy(const llvm::CallBase& call, IntrinsicRole role);
  void lower_asm_goto(const llvm::CallBrInst& call);
  void lower_landing_pad(const llvm::LandingPadInst& pad);

  Lowering& lowering_;
  const llvm::Function& function_;
  FunctionBody out_;
  std::vector<llvm::Instruction*> origins_;
  llvm::DenseMap<const llvm::Value*, ValueId> values_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockId> blocks_;
};

std::vector<std::int32_t> signed_indices(llvm::ArrayRef<unsigned> from) {
  std::vector<std::int32_t> out;
  for (const unsigned index : from) out.push_back(static_cast<std::int32_t>(index));
  return out;
}

void BodyLowering::lower_alloca(const llvm::AllocaInst& alloca) {
  Instruction& row = add_access(Opcode::Alloca, alloca, alloca.getAllocatedType(), llvm::AtomicOrdering::NotAtomic);
  row.detail = static_cast<std::uint8_t>(llvm::Log2(alloca.getAlign()));
}

void BodyLowering::lower_gep(const llvm::GetElementPtrInst& gep) {
  const unsigned width = lowering_.layout.getIndexTypeSizeInBits(gep.getType());
  llvm::APInt constant(width, 0);
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  if (gep.getType()->isVectorTy() ||
      !llvm::cast<llvm::GEPOperator>(gep).collectOffset(lowering_.layout, width, variable, constant)) {
    add_unsupported(gep);
    return;
  }
  GepInfo info;
  info.source_type = lowering_.types.of(gep.getSourceElementType());
  info.constant_offset = constant.getSExtValue();
  Instruction& row = add(Opcode::Gep, gep);
  row.extra = static_cast<std::uint32_t>(out_.geps.size());
  push(gep.getPointerOperand());
  std::vector<std::int64_t> strides;
  for (const auto& [index, stride] : variable) {
    push(index);
    strides.push_back(stride.getSExtValue());
  }
  info.strides = arena().copy(strides);
  out_.geps.push_back(info);
}

void BodyLowering::lower_phi(const llvm::PHINode& phi) {
  add(Opcode::Phi, phi);
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    push(phi.getIncomingValue(i));
    push(Operand::block(blocks_.at(phi.getIncomingBlock(i))));
  }
}

void BodyLowering::lower_branch(const llvm::BranchInst& branch) {
  add(branch.isConditional() ? Opcode::CondBranch : Opcode::Branch, branch);
  if (branch.isConditional()) push(branch.getCondition());
  // By number: BranchInst::successors() walks the operands, where the false side comes first.
  for (unsigned i = 0; i < branch.getNumSuccessors(); ++i) push(Operand::block(blocks_.at(branch.getSuccessor(i))));
}

void BodyLowering::lower_switch(const llvm::SwitchInst& choice) {
  add(Opcode::Switch, choice);
  push(choice.getCondition());
  push(Operand::block(blocks_.at(choice.getDefaultDest())));
  for (const auto& entry : choice.cases()) {
    push(entry.getCaseValue());
    push(Operand::block(blocks_.at(entry.getCaseSuccessor())));
  }
}

void BodyLowering::lower_copy(const llvm::CallBase& call, IntrinsicRole role) {
  Instruction& row = add(role == IntrinsicRole::Copy ? Opcode::MemCopy : Opcode::MemSet, call);
  if (llvm::isa<llvm::MemMoveInst>(call)) row.detail = 1;
  if (llvm::cast<llvm::MemIntrinsic>(call).isVolatile()) row.flags |= Instruction::is_volatile;
  for (unsigned i = 0; i < 3; ++i) push(call.getArgOperand(i));
}

void BodyLowering::lower_call(const llvm::CallBase& call) {
  CallInfo info;
  info.function_type = lowering_.types.of(call.getFunctionType());
  info.no_return = call.doesNotReturn();
  info.no_unwind = call.doesNotThrow();
  if (const auto* code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    info.asm_text = arena().text(std::string(code->getAsmString()) + "|" + std::string(code->getConstraintString()));
  std::vector<ByValue> byval;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i))
      byval.push_back({i, lowering_.layout.getTypeAllocSize(call.getParamByValType(i)).getFixedValue(),
                       call.getParamAlign(i).valueOrOne().value()});
    else if (i >= call.getFunctionType()->getNumParams())
      if (const llvm::MaybeAlign align = call.getParamStackAlign(i)) byval.push_back({i, 0, align->value()});
  info.byval = arena().copy(byval);
  Instruction& row = add(llvm::isa<llvm::InvokeInst>(call) ? Opcode::Invoke : Opcode::Call, call);
  row.extra = static_cast<std::uint32_t>(out_.calls.size());
  out_.calls.push_back(info);
  push(call.getCalledOperand());
  for (const llvm::Use& argument : call.args()) push(argument.get());
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    push(Operand::block(blocks_.at(invoke->getNormalDest())));
    push(Operand::block(blocks_.at(invoke->getUnwindDest())));
  }
}

/// `asm goto` is the asm, then a choice that nothing here decides.
void BodyLowering::lower_asm_goto(const llvm::CallBrInst& call) {
  lower_call(call);
  auto* choice = llvm::Type::getInt32Ty(call.getContext());
  Instruction& row = add(Opcode::Switch, call);
  row.type = lowering_.types.of(llvm::Type::getVoidTy(call.getContext()));
  push(lowering_.operand_of(llvm::UndefValue::get(choice)));
  push(Operand::block(blocks_.at(call.getDefaultDest())));
  for (unsigned i = 0; i < call.getNumIndirectDests(); ++i) {
    push(lowering_.operand_of(llvm::ConstantInt::get(choice, i + 1)));
    push(Operand::block(blocks_.at(call.getIndirectDest(i))));
  }
}

void BodyLowering::lower_landing_pad(const llvm::LandingPadInst& pad) {
  Instruction& row = add_simple(Opcode::LandingPad, pad);
  row.detail = pad.isCleanup() ? 1 : 0;
}

void BodyLowering::lower(const llvm::Instruction& i) {
  const auto no_order = llvm::AtomicOrdering::NotAtomic;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) {
    const IntrinsicRole role = role_of_call(i);
    if (role == IntrinsicRole::Copy || role == IntrinsicRole::Set) return lower_copy(*call, role);
    if (const auto* jump = llvm::dyn_cast<llvm::CallBrInst>(call)) return lower_asm_goto(*jump);
    return lower_call(*call);
  }
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&i)) {
    add_simple(Opcode::Binary, i).detail = static_cast<std::uint8_t>(binary_op_of(binary->getOpcode()));
    return;
  }
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&i)) {
    add_simple(Opcode::Compare, i).detail = static_cast<std::uint8_t>(predicate_of(compare->getPredicate()));
    return;
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) {
    add_simple(Opcode::Cast, i).detail = static_cast<std::uint8_t>(cast_op_of(cast->getOpcode()));
    return;
  }
  switch (i.getOpcode()) {
    case llvm::Instruction::Alloca: return lower_alloca(llvm::cast<llvm::AllocaInst>(i));
    case llvm::Instruction::Load: {
      add_access(Opcode::Load, i, i.getType(), llvm::cast<llvm::LoadInst>(i).getOrdering());
      return;
    }
    case llvm::Instruction::Store: {
      const auto& store = llvm::cast<llvm::StoreInst>(i);
      add_access(Opcode::Store, i, store.getValueOperand()->getType(), store.getOrdering());
      return;
    }
    case llvm::Instruction::AtomicCmpXchg: {
      const auto& exchange = llvm::cast<llvm::AtomicCmpXchgInst>(i);
      Instruction& row =
          add_access(Opcode::CmpXchg, i, exchange.getCompareOperand()->getType(), exchange.getSuccessOrdering());
      row.detail = static_cast<std::uint8_t>(order_of(exchange.getFailureOrdering()));
      return;
    }
    case llvm::Instruction::AtomicRMW: {
      const auto& update = llvm::cast<llvm::AtomicRMWInst>(i);
      Instruction& row = add_access(Opcode::AtomicRmw, i, update.getValOperand()->getType(), update.getOrdering());
      row.detail = static_cast<std::uint8_t>(rmw_op_of(update.getOperation()));
      return;
    }
    case llvm::Instruction::Fence:
      add(Opcode::Fence, i).order = order_of(llvm::cast<llvm::FenceInst>(i).getOrdering());
      return;
    case llvm::Instruction::GetElementPtr: return lower_gep(llvm::cast<llvm::GetElementPtrInst>(i));
    case llvm::Instruction::PHI: return lower_phi(llvm::cast<llvm::PHINode>(i));
    case llvm::Instruction::Select: add_simple(Opcode::Select, i); return;
    case llvm::Instruction::FNeg: add_simple(Opcode::FNeg, i); return;
    case llvm::Instruction::Freeze: add_simple(Opcode::Freeze, i); return;
    case llvm::Instruction::ExtractElement: add_simple(Opcode::ExtractElement, i); return;
    case llvm::Instruction::InsertElement: add_simple(Opcode::InsertElement, i); return;
    case llvm::Instruction::VAArg: add_access(Opcode::VaArg, i, i.getType(), no_order); return;
    case llvm::Instruction::Ret: add_simple(Opcode::Return, i); return;
    case llvm::Instruction::Resume: add_simple(Opcode::Resume, i); return;
    case llvm::Instruction::Unreachable: add(Opcode::Unreachable, i); return;
    case llvm::Instruction::IndirectBr: add_simple(Opcode::IndirectBranch, i); return;
    case llvm::Instruction::Br: return lower_branch(llvm::cast<llvm::BranchInst>(i));
    case llvm::Instruction::Switch: return lower_switch(llvm::cast<llvm::SwitchInst>(i));
    case llvm::Instruction::LandingPad: return lower_landing_pad(llvm::cast<llvm::LandingPadInst>(i));
    case llvm::Instruction::ExtractValue:
      return add_indexed(Opcode::ExtractValue, i, 1,
                         signed_indices(llvm::cast<llvm::ExtractValueInst>(i).getIndices()));
    case llvm::Instruction::InsertValue:
      return add_indexed(Opcode::InsertValue, i, 2, signed_indices(llvm::cast<llvm::InsertValueInst>(i).getIndices()));
    case llvm::Instruction::ShuffleVector: {
      const llvm::ArrayRef<int> mask = llvm::cast<llvm::ShuffleVectorInst>(i).getShuffleMask();
      return add_indexed(Opcode::ShuffleVector, i, 2, {mask.begin(), mask.end()});
    }
    default:
      add_unsupported(i);
      if (is_unsupported_terminator(i)) add(Opcode::Unreachable, i);
  }
}

}  // namespace

void lower_function(Lowering& lowering, const llvm::Function& function, Function& out) {
  BodyLowering body(lowering, function);
  body.run().freeze(lowering.program.arena, out);
  if (lowering.origins != nullptr)
    lowering.origins->instructions[lowering.functions.at(&function).index()] = body.take_origins();
}

}  // namespace heddle::frontend
