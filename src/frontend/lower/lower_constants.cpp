// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

void set_bits(const llvm::APInt& value, Constant& out, Arena& arena) {
  if (value.getBitWidth() <= 64) {
    out.bits = value.getZExtValue();
    return;
  }
  out.bits = value.getRawData()[0];
  out.wide = arena.copy(std::span(value.getRawData(), value.getNumWords()));
}

}  // namespace

Lowering::Lowering(const llvm::Module& from, Program& to)
    : module(from),
      layout(from.getDataLayout()),
      program(to),
      types(to, layout),
      source_types(to, layout.getPointerSizeInBits()),
      locations(to) {
  program.layout = {layout.getPointerSizeInBits(), layout.isLittleEndian(), from.getTargetTriple()};
}

Operand Lowering::undefined(llvm::Type* type) {
  if (type->isMetadataTy()) type = llvm::Type::getTokenTy(type->getContext());
  return operand_of(llvm::PoisonValue::get(type));
}

Operand Lowering::operand_of(const llvm::Constant* constant) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant))
    if (const auto it = globals.find(variable); it != globals.end()) return Operand::global(it->second);
  if (const auto* function = llvm::dyn_cast<llvm::Function>(constant))
    if (const auto it = functions.find(function); it != functions.end()) return Operand::function(it->second);
  if (const auto it = constants_.find(constant); it != constants_.end()) return Operand::constant(it->second);
  Constant described = describe(constant);
  const ConstantId id = program.constants.add(std::move(described));
  constants_.try_emplace(constant, id);
  return Operand::constant(id);
}

Constant Lowering::describe(const llvm::Constant* constant) {
  Constant out;
  std::vector<Operand> elements;
  out.type = types.of(constant->getType());
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    out.kind = Constant::Kind::Int;
    set_bits(integer->getValue(), out, program.arena);
  } else if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    out.kind = Constant::Kind::Float;
    set_bits(real->getValueAPF().bitcastToAPInt(), out, program.arena);
  } else if (llvm::isa<llvm::ConstantPointerNull>(constant)) {
    out.kind = Constant::Kind::Null;
  } else if (llvm::isa<llvm::PoisonValue>(constant)) {
    out.kind = Constant::Kind::Poison;
  } else if (llvm::isa<llvm::ConstantAggregateZero>(constant)) {
    out.kind = Constant::Kind::Zero;
  } else if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    out.kind = Constant::Kind::Aggregate;
    for (unsigned i = 0; i < data->getNumElements(); ++i) elements.push_back(operand_of(data->getElementAsConstant(i)));
  } else if (llvm::isa<llvm::ConstantAggregate>(constant)) {
    out.kind = Constant::Kind::Aggregate;
    for (const llvm::Use& element : constant->operands())
      elements.push_back(operand_of(llvm::cast<llvm::Constant>(element.get())));
  }  // undef, and what has no value here (tokens): Kind::Undef
  out.elements = program.arena.copy(elements);
  return out;
}

}  // namespace heddle::frontend
