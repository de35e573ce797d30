// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lower/lower_types.h"

#include <llvm/IR/DerivedTypes.h>

namespace heddle::frontend {

TypeId MachineTypes::of(llvm::Type* type) {
  if (const auto it = known_.find(type); it != known_.end()) return it->second;
  Type described = describe(type);
  const TypeId id = program_.types.add(described);
  known_.try_emplace(type, id);
  return id;
}

void MachineTypes::describe_struct(llvm::StructType* type, Type& out) {
  out.kind = TypeKind::Struct;
  if (!type->isLiteral()) out.name = program_.arena.text(type->getName());
  const llvm::StructLayout* offsets = layout_.getStructLayout(type);
  std::vector<Field> fields;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Field field;
    field.type = of(type->getElementType(i));
    field.offset_bits = offsets->getElementOffsetInBits(i).getFixedValue();
    field.size_bits = layout_.getTypeSizeInBits(type->getElementType(i)).getFixedValue();
    fields.push_back(field);
  }
  out.fields = program_.arena.copy(fields);
}

Type MachineTypes::describe(llvm::Type* type) {
  Type out;
  if (type->isSized() && !type->isScalableTy()) {
    out.size_bits = layout_.getTypeAllocSize(type).getFixedValue() * 8;
    out.align_bits = layout_.getABITypeAlign(type).value() * 8;
  }
  if (type->isVoidTy()) {
    out.kind = TypeKind::Void;
  } else if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    out.kind = TypeKind::Int;
    out.value_bits = integer->getBitWidth();
  } else if (type->isFloatingPointTy()) {
    out.kind = TypeKind::Float;
    out.value_bits = type->getPrimitiveSizeInBits().getFixedValue();
    // Two formats have the width of another one.
    if (type->isBFloatTy()) out.name = "bfloat";
    if (type->isPPC_FP128Ty()) out.name = "ppc_fp128";
  } else if (type->isPointerTy()) {
    out.kind = TypeKind::Pointer;
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    out.kind = TypeKind::Array;
    out.element = of(array->getElementType());
    out.count = array->getNumElements();
  } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    out.kind = TypeKind::Vector;
    out.element = of(vector->getElementType());
    out.count = vector->getNumElements();
  } else if (auto* record = llvm::dyn_cast<llvm::StructType>(type); record != nullptr && !record->isOpaque()) {
    describe_struct(record, out);
  } else if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    out.kind = TypeKind::Function;
    out.element = of(function->getReturnType());
    out.is_vararg = function->isVarArg();
    std::vector<TypeId> parameters;
    for (llvm::Type* parameter : function->params()) parameters.push_back(of(parameter));
    out.parameters = program_.arena.copy(parameters);
  } else {
    out.kind = TypeKind::Other;
  }
  return out;
}

}  // namespace heddle::frontend
