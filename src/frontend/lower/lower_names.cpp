// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <map>
#include <optional>

#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

struct Named {
  std::string name;
  const llvm::DIType* type = nullptr;
};

const llvm::DIDerivedType* member_at(const llvm::DICompositeType& record, std::uint64_t offset, std::uint64_t size) {
  for (const llvm::DINode* element : record.getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (member == nullptr || member->isStaticMember() || member->isVirtual()) continue;
    const std::uint64_t begin = member->getOffsetInBits();
    if (begin <= offset && offset + size <= begin + member->getSizeInBits()) return member;
  }
  return nullptr;
}

/// sroa cuts a struct into its members: the piece at `offset` is called `s.member`, if it is exactly one.
std::optional<Named> piece_of(Named whole, std::uint64_t offset, std::uint64_t size) {
  while (true) {
    const llvm::DIType* type = strip_qualifiers(whole.type);
    if (type == nullptr) return std::nullopt;
    if (offset == 0 && type->getSizeInBits() == size && !llvm::isa<llvm::DICompositeType>(type)) return whole;
    const auto* record = llvm::dyn_cast<llvm::DICompositeType>(type);
    if (record == nullptr || record->getTag() == llvm::dwarf::DW_TAG_array_type) return std::nullopt;
    if (record->getTag() == llvm::dwarf::DW_TAG_enumeration_type) return whole;
    const llvm::DIDerivedType* member = member_at(*record, offset, size);
    if (member == nullptr) return std::nullopt;
    const bool is_named = member->getTag() == llvm::dwarf::DW_TAG_member && !member->getName().empty();
    if (is_named) whole.name += "." + member->getName().str();
    whole.type = member->getBaseType();
    offset -= member->getOffsetInBits();
  }
}

/// None when the record says something other than "this value is the variable" or "... its address".
std::optional<Named> named_by(const llvm::DbgVariableRecord& record) {
  const llvm::DILocalVariable* variable = record.getVariable();
  const llvm::DIExpression* expression = record.getExpression();
  if (variable->getName().empty() || record.hasArgList() || record.isKillLocation()) return std::nullopt;
  Named whole{variable->getName().str(), variable->getType()};
  if (expression->getNumElements() == 0) return whole;
  const auto fragment = expression->getFragmentInfo();
  if (!fragment || expression->getNumElements() != 3) return std::nullopt;
  return piece_of(std::move(whole), fragment->OffsetInBits, fragment->SizeInBits);
}

}  // namespace

void lower_names(Lowering& lowering, const llvm::Function& function,
                 const llvm::DenseMap<const llvm::Value*, ValueId>& value_of, FunctionBody& out) {
  std::map<ValueId, std::vector<ValueName>> names;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      const bool names_memory = record.isDbgDeclare();
      if (!names_memory && !record.isDbgValue()) continue;
      const llvm::Value* value = record.hasArgList() ? nullptr : record.getVariableLocationOp(0);
      const auto number = value_of.find(value);
      const auto named = named_by(record);
      if (number == value_of.end() || !named) continue;
      ValueName row{named->name, number->second, lowering.source_types.of(named->type), names_memory};
      std::vector<ValueName>& known = names[number->second];
      const auto is_same = [&](const ValueName& other) {
        return other.name == row.name && other.names_memory == names_memory && other.source_type == row.source_type;
      };
      if (std::ranges::any_of(known, is_same)) continue;
      row.name = lowering.program.arena.text(row.name);
      known.push_back(row);
    }
  }
  for (const auto& [value, rows] : names) out.names.insert(out.names.end(), rows.begin(), rows.end());
}

}  // namespace heddle::frontend
