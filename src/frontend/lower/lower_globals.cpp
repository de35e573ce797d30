// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <algorithm>
#include <map>

#include "frontend/lower/linkage.h"
#include "frontend/lower/lowering.h"
#include "program/model/library_globals.h"

namespace heddle::frontend {
namespace {

/// Writes the initial image of one global: bytes, and relocations where an address stands.
class ImageWriter {
 public:
  explicit ImageWriter(Lowering& lowering) : lowering_(lowering) {}

  bool write(const llvm::Constant* constant, std::uint64_t offset) {
    if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return true;  // the rest is zero
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant))
      return write_int(integer->getValue(), constant, offset);
    if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(constant))
      return write_int(real->getValueAPF().bitcastToAPInt(), constant, offset);
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) return write_data(*data, offset);
    if (const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(constant))
      return write_parts(*aggregate, offset);
    return write_address(constant, offset);
  }

  void freeze(Global& out) const {
    out.bytes = lowering_.program.arena.copy(bytes_);
    out.relocations = lowering_.program.arena.copy(relocations_);
  }

 private:
  std::uint8_t* bytes_at(std::uint64_t offset, std::uint64_t count) {
    if (bytes_.size() < offset + count) bytes_.resize(offset + count);
    return bytes_.data() + offset;
  }

  bool write_int(const llvm::APInt& value, const llvm::Constant* constant, std::uint64_t offset) {
    const std::uint64_t count = lowering_.layout.getTypeStoreSize(constant->getType()).getFixedValue();
    std::uint8_t* to = bytes_at(offset, count);
    const llvm::APInt wide = value.zext(std::max<unsigned>(value.getBitWidth(), static_cast<unsigned>(count * 8)));
    for (unsigned i = 0; i < count; ++i) {
      const std::uint64_t at = lowering_.layout.isLittleEndian() ? i : count - 1 - i;
      to[at] = static_cast<std::uint8_t>(wide.extractBitsAsZExtValue(8, i * 8));
    }
    return true;
  }

  bool write_data(const llvm::ConstantDataSequential& data, std::uint64_t offset) {
    if (data.getElementByteSize() == 1) {
      std::ranges::copy(data.getRawDataValues(), bytes_at(offset, data.getNumElements()));
      return true;
    }
    for (unsigned i = 0; i < data.getNumElements(); ++i)
      write(data.getElementAsConstant(i), offset + i * data.getElementByteSize());
    return true;
  }

  bool write_parts(const llvm::ConstantAggregate& aggregate, std::uint64_t offset) {
    auto* record = llvm::dyn_cast<llvm::StructType>(aggregate.getType());
    const llvm::StructLayout* offsets = record == nullptr ? nullptr : lowering_.layout.getStructLayout(record);
    const std::uint64_t stride =
        record != nullptr ? 0 : lowering_.layout.getTypeAllocSize(aggregate.getOperand(0)->getType()).getFixedValue();
    for (unsigned i = 0; i < aggregate.getNumOperands(); ++i) {
      const std::uint64_t at = offsets == nullptr ? i * stride : offsets->getElementOffset(i).getFixedValue();
      if (!write(aggregate.getOperand(i), offset + at)) return false;
    }
    return true;
  }

  bool write_address(const llvm::Constant* constant, std::uint64_t offset) {
    // A function in a table of data, where code has an address space of its own (AVR).
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
        cast != nullptr && cast->getOpcode() == llvm::Instruction::AddrSpaceCast)
      return write(cast->getOperand(0), offset);
    llvm::GlobalValue* base = nullptr;
    auto* expression = const_cast<llvm::Constant*>(constant);  // LLVM's folder takes no const
    llvm::APInt addend(lowering_.layout.getPointerSizeInBits(), 0);
    if (llvm::IsConstantOffsetFromGlobal(expression, base, addend, lowering_.layout)) {
      const Operand target = lowering_.operand_of(base);
      if (target.is_constant()) return false;
      const auto size =
          static_cast<std::uint32_t>(lowering_.layout.getTypeStoreSize(constant->getType()).getFixedValue());
      bytes_at(offset, size);
      relocations_.push_back({offset, size, target, addend.getSExtValue()});
      return true;
    }
    if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(constant);
        cast != nullptr && cast->getOpcode() == llvm::Instruction::IntToPtr &&
        llvm::isa<llvm::ConstantInt>(cast->getOperand(0))) {
      if (const GlobalId device = lowering_.register_at(cast)) {
        const auto size = static_cast<std::uint32_t>(lowering_.layout.getPointerSize());
        bytes_at(offset, size);
        relocations_.push_back({offset, size, Operand::global(device), 0});
        return true;
      }
      const auto width = lowering_.layout.getPointerSizeInBits();
      return write_int(llvm::cast<llvm::ConstantInt>(cast->getOperand(0))->getValue().zextOrTrunc(width), constant,
                       offset);
    }
    llvm::Constant* folded = llvm::ConstantFoldConstant(expression, lowering_.layout);
    return folded != nullptr && folded != constant && write(folded, offset);
  }

  Lowering& lowering_;
  std::vector<std::uint8_t> bytes_;
  std::vector<Relocation> relocations_;
};

void lower_debug_info(Lowering& lowering, const llvm::GlobalVariable& variable, Global& out) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> entries;
  variable.getDebugInfo(entries);
  if (entries.empty()) return;
  const llvm::DIGlobalVariable* info = entries.front()->getVariable();
  std::string name = info->getName().empty() ? std::string(out.source_name) : info->getName().str();
  const auto* scope = info->getScope();
  const bool is_local = llvm::isa_and_nonnull<llvm::DILocalScope>(scope);
  const std::string prefix = is_local ? "" : qualified_name(scope);
  if (!prefix.empty() && !name.empty()) name = prefix + "::" + name;
  out.source_name = lowering.program.arena.text(name);
  out.source_type = lowering.source_types.of(info->getType());
  out.location = lowering.locations.of(info->getFile(), info->getLine());
}

/// Its symbol, or the first name of a variable of the C library that has several.
llvm::StringRef name_of(const llvm::GlobalVariable& variable) {
  if (!variable.isDeclaration()) return variable.getName();
  const llvm::StringRef name = first_name(variable.getName());
  const llvm::GlobalVariable* other = variable.getParent()->getGlobalVariable(name, true);
  return other == nullptr || other->isDeclaration() ? name : variable.getName();
}

}  // namespace

Linkage linkage_of(const llvm::GlobalValue& value) {
  return value.isDeclaration() ? Linkage::Declaration : linkage_of(value.getLinkage());
}

Linkage linkage_of(llvm::GlobalValue::LinkageTypes linkage) {
  if (llvm::GlobalValue::isLocalLinkage(linkage)) return Linkage::Internal;
  if (llvm::GlobalValue::isCommonLinkage(linkage)) return Linkage::Common;
  if (llvm::GlobalValue::isWeakLinkage(linkage)) return Linkage::Weak;
  if (llvm::GlobalValue::isLinkOnceLinkage(linkage)) return Linkage::LinkOnce;
  return Linkage::External;
}

void declare_globals(Lowering& lowering) {
  std::size_t unnamed = 0;
  std::map<std::string, GlobalId> declared;
  for (const llvm::GlobalVariable& variable : lowering.module.globals()) {
    if (variable.getName().starts_with("llvm.")) continue;  // lists for the linker, not memory
    if (variable.isDeclaration() && variable.use_empty()) continue;
    Global global;
    const std::string name =
        variable.hasName() ? name_of(variable).str() : "<unnamed." + std::to_string(unnamed++) + ">";
    if (const auto known = declared.find(name); known != declared.end()) {
      lowering.globals.try_emplace(&variable, known->second);
      continue;
    }
    global.name = lowering.program.arena.text(name);
    if (!variable.hasPrivateLinkage()) global.source_name = global.name;  // literals have no name in the source
    global.type = lowering.types.of(variable.getValueType());
    if (variable.getValueType()->isSized()) {
      global.size = lowering.layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
      global.align = variable.getAlign().value_or(lowering.layout.getABITypeAlign(variable.getValueType())).value();
    }
    global.linkage = linkage_of(variable);
    global.may_be_missing = variable.hasExternalWeakLinkage();
    global.is_constant = variable.isConstant();
    global.is_thread_local = variable.isThreadLocal();
    global.section = lowering.program.arena.text(variable.getSection());
    lower_debug_info(lowering, variable, global);
    const GlobalId id = lowering.program.globals.add(std::move(global));
    lowering.globals.try_emplace(&variable, id);
    if (variable.isDeclaration()) declared.emplace(name, id);
  }
}

Result<void> lower_initialisers(Lowering& lowering) {
  for (const llvm::GlobalVariable& variable : lowering.module.globals()) {
    const auto it = lowering.globals.find(&variable);
    if (it == lowering.globals.end() || !variable.hasInitializer()) continue;
    Global& global = lowering.program.globals[it->second];
    ImageWriter image(lowering);
    if (image.write(variable.getInitializer(), 0)) {
      image.freeze(global);
      continue;
    }
    const std::string where = lowering.program.where(global.location);
    return error(where + ": error: the initial value of '" + std::string(global.source_name) +
                 "' is no number and no address plus a number");
  }
  return {};
}

}  // namespace heddle::frontend
