// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include "frontend/firmware/module_notes.h"
#include "frontend/lower/lowering.h"
#include "program/model/device_register.h"

namespace heddle::frontend {
namespace {

/// How the module uses a constant address.
struct AddressUse {
  llvm::Type* type = nullptr;  ///< the largest thing that is looked for there
  bool is_volatile = false;    ///< by some access
};

/// A constant that is made an address, as an instruction or in an initialiser. Zero is no address.
std::optional<std::uint64_t> constant_address(const llvm::Value* value, const llvm::DataLayout& layout) {
  const auto* cast = llvm::dyn_cast_or_null<llvm::Operator>(value);
  if (cast == nullptr || cast->getOpcode() != llvm::Instruction::IntToPtr) return std::nullopt;
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
  if (number == nullptr || !cast->getType()->isPointerTy() || cast->getType()->getPointerAddressSpace() != 0)
    return std::nullopt;
  const std::uint64_t address = number->getValue().zextOrTrunc(layout.getPointerSizeInBits()).getZExtValue();
  return address == 0 ? std::nullopt : std::optional(address);
}

class AddressUses {
 public:
  explicit AddressUses(const llvm::DataLayout& layout) : layout_(layout) {}

  void look_at(const llvm::Instruction& instruction) {
    if (const auto address = constant_address(&instruction, layout_)) follow(instruction, found[*address], true);
  }

  void look_at(const llvm::Constant& initialiser) {
    if (const auto address = constant_address(&initialiser, layout_)) found.try_emplace(*address);
    if (llvm::isa<llvm::ConstantExpr, llvm::ConstantAggregate>(initialiser))
      for (const llvm::Use& part : initialiser.operands())
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(part.get());
            constant != nullptr && !llvm::isa<llvm::GlobalValue>(constant))
          look_at(*constant);
  }

  std::map<std::uint64_t, AddressUse> found;

 private:
  void follow(const llvm::Value& pointer, AddressUse& use, bool is_begin) {
    for (const llvm::User* user : pointer.users()) {
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        accessed(use, load->getType(), load->isVolatile(), is_begin);
      } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getPointerOperand() == &pointer)
          accessed(use, store->getValueOperand()->getType(), store->isVolatile(), is_begin);
      } else if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (is_begin) widen(use, gep->getSourceElementType());
        follow(*gep, use, false);
      }
    }
  }

  void accessed(AddressUse& use, llvm::Type* type, bool is_volatile, bool is_begin) {
    use.is_volatile |= is_volatile;
    if (is_begin) widen(use, type);
  }

  void widen(AddressUse& use, llvm::Type* type) {
    if (!type->isSized() || type->isScalableTy()) return;
    if (use.type == nullptr || size_of(type) > size_of(use.type)) use.type = type;
  }

  std::uint64_t size_of(llvm::Type* type) { return layout_.getTypeAllocSize(type).getFixedValue(); }

  const llvm::DataLayout& layout_;
};

Global register_of(Lowering& lowering, std::uint64_t address, const AddressUse& use, const std::string& source_name) {
  Global out;
  out.name = lowering.program.arena.text(device_register_name(address));
  out.source_name = source_name.empty() ? out.name : lowering.program.arena.text(source_name);
  out.linkage = Linkage::Declaration;
  llvm::Type* type = use.type == nullptr ? llvm::Type::getInt8Ty(lowering.module.getContext()) : use.type;
  out.type = lowering.types.of(type);
  out.size = lowering.layout.getTypeAllocSize(type).getFixedValue();
  out.align = lowering.layout.getABITypeAlign(type).value();
  return out;
}

}  // namespace

GlobalId Lowering::register_at(const llvm::Value* value) const {
  if (registers.empty()) return {};
  const auto address = constant_address(value, layout);
  const auto found = address ? registers.find(*address) : registers.end();
  return found == registers.end() ? GlobalId() : found->second;
}

void declare_registers(Lowering& lowering) {
  AddressUses uses(lowering.layout);
  for (const llvm::GlobalVariable& variable : lowering.module.globals())
    if (variable.hasInitializer()) uses.look_at(*variable.getInitializer());
  for (const llvm::Function& function : lowering.module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) uses.look_at(instruction);
  const RegisterNames names = noted_registers(lowering.module);
  for (const auto& [address, use] : uses.found) {
    const auto name = names.find(address);
    if (name == names.end() && !use.is_volatile) continue;
    Global global = register_of(lowering, address, use, name == names.end() ? "" : name->second);
    lowering.registers.emplace(address, lowering.program.globals.add(std::move(global)));
  }
}

}  // namespace heddle::frontend
