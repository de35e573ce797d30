// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lower/source_types.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

namespace heddle::frontend {
namespace {

namespace dwarf = llvm::dwarf;

bool is_float(unsigned encoding) { return encoding == dwarf::DW_ATE_float; }

bool is_integer(unsigned encoding) {
  switch (encoding) {
    case dwarf::DW_ATE_signed:
    case dwarf::DW_ATE_signed_char:
    case dwarf::DW_ATE_unsigned:
    case dwarf::DW_ATE_unsigned_char:
    case dwarf::DW_ATE_boolean:
    case dwarf::DW_ATE_UTF: return true;
    default: return false;
  }
}

void describe_basic(const llvm::DIBasicType& type, Type& out) {
  const unsigned encoding = type.getEncoding();
  out.kind = is_integer(encoding) ? TypeKind::Int : is_float(encoding) ? TypeKind::Float : TypeKind::Other;
  out.value_bits = encoding == dwarf::DW_ATE_boolean ? 1 : type.getSizeInBits();
  out.is_signed = encoding == dwarf::DW_ATE_signed || encoding == dwarf::DW_ATE_signed_char;
}

/// Elements of one dimension; 0 when the debug information does not know (flexible members, variable lengths).
std::uint64_t count_of(const llvm::DINode* dimension) {
  const auto* range = llvm::dyn_cast<llvm::DISubrange>(dimension);
  if (range == nullptr) return 0;
  if (const auto* count = llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()))
    return count->getSExtValue() > 0 ? static_cast<std::uint64_t>(count->getSExtValue()) : 0;
  return 0;
}

}  // namespace

std::string qualified_name(const llvm::DIScope* scope) {
  std::string out;
  for (; scope != nullptr; scope = scope->getScope()) {
    if (llvm::isa<llvm::DIFile>(scope) || llvm::isa<llvm::DICompileUnit>(scope) ||
        llvm::isa<llvm::DILexicalBlockBase>(scope))
      continue;
    const auto* space = llvm::dyn_cast<llvm::DINamespace>(scope);
    if (space != nullptr && space->getExportSymbols() && !space->getName().empty()) continue;  // inline namespaces
    const std::string name = scope->getName().empty() ? "(anonymous)" : scope->getName().str();
    out = out.empty() ? name : name + "::" + out;
  }
  return out;
}

const llvm::DIType* strip_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type:
      case dwarf::DW_TAG_template_alias: type = derived->getBaseType(); break;
      default: return type;
    }
  }
  return type;
}

TypeId SourceTypes::of(const llvm::DIType* type) {
  type = strip_qualifiers(type);
  if (type == nullptr) return {};
  if (const auto it = known_.find(type); it != known_.end()) return it->second;
  Type row;
  row.is_source = true;
  row.kind = TypeKind::Other;
  const TypeId id = table_.add(row);
  known_.try_emplace(type, id);  // before its parts: types are recursive
  describe(type, id);
  return id;
}

TypeId SourceTypes::of_function(const llvm::DISubroutineType* type) { return type == nullptr ? TypeId() : of(type); }

TypeId SourceTypes::void_type() {
  if (!void_.valid()) {
    Type row;
    row.is_source = true;
    row.name = "void";
    void_ = table_.add(row);
  }
  return void_;
}

void SourceTypes::describe(const llvm::DIType* type, TypeId id) {
  table_[id].size_bits = type->getSizeInBits();
  table_[id].align_bits = type->getAlignInBits();
  table_[id].name = program_.arena.text(type->getName());
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) describe_basic(*basic, table_[id]);
  if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) describe_derived(*derived, id);
  if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type)) describe_composite(*composite, id);
  if (const auto* function = llvm::dyn_cast<llvm::DISubroutineType>(type)) describe_function(*function, id);
}

void SourceTypes::describe_derived(const llvm::DIDerivedType& type, TypeId id) {
  switch (type.getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type: {
      const TypeId element = of(type.getBaseType());
      Type& row = table_[id];
      row.kind = TypeKind::Pointer;
      row.is_reference = type.getTag() != dwarf::DW_TAG_pointer_type;
      row.element = element;
      if (row.size_bits == 0) row.size_bits = pointer_bits_;
      return;
    }
    default: return;  // pointers to members and the like stay Other
  }
}

void SourceTypes::describe_composite(const llvm::DICompositeType& type, TypeId id) {
  switch (type.getTag()) {
    case dwarf::DW_TAG_array_type: describe_array(type, id); return;
    case dwarf::DW_TAG_enumeration_type: {
      const auto* underlying = llvm::dyn_cast_or_null<llvm::DIBasicType>(strip_qualifiers(type.getBaseType()));
      Type& row = table_[id];
      row.kind = TypeKind::Int;
      row.value_bits = row.size_bits;
      row.is_signed = underlying != nullptr && underlying->getEncoding() == dwarf::DW_ATE_signed;
      row.name = type.getName().empty() ? "" : program_.arena.text(qualified_name(&type));
      return;
    }
    case dwarf::DW_TAG_structure_type:
    case dwarf::DW_TAG_class_type:
    case dwarf::DW_TAG_union_type: describe_record(type, id); return;
    default: return;
  }
}

void SourceTypes::describe_array(const llvm::DICompositeType& type, TypeId id) {
  const llvm::DINodeArray dimensions = type.getElements();
  const TypeId scalar = of(type.getBaseType());
  if (type.isVector()) {
    Type& row = table_[id];
    row.kind = TypeKind::Vector;
    row.element = scalar;
    row.count = dimensions.size() > 0 ? count_of(dimensions[0]) : 0;
    return;
  }
  TypeId element = scalar;
  for (unsigned i = dimensions.size(); i-- > 1;) {
    Type inner;
    inner.is_source = true;
    inner.kind = TypeKind::Array;
    inner.element = element;
    inner.count = count_of(dimensions[i]);
    inner.size_bits = element.valid() ? table_[element].size_bits * inner.count : 0;
    element = table_.add(inner);
  }
  Type& row = table_[id];
  row.kind = TypeKind::Array;
  row.element = element;
  row.count = dimensions.size() > 0 ? count_of(dimensions[0]) : 0;
}

void SourceTypes::describe_record(const llvm::DICompositeType& type, TypeId id) {
  table_[id].kind = type.getTag() == dwarf::DW_TAG_union_type ? TypeKind::Union : TypeKind::Struct;
  if (!type.getName().empty()) table_[id].name = program_.arena.text(qualified_name(&type));
  std::vector<Field> fields;
  for (const llvm::DINode* element : type.getElements()) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (member == nullptr || member->isStaticMember()) continue;
    const bool is_base = member->getTag() == dwarf::DW_TAG_inheritance;
    if (!is_base && member->getTag() != dwarf::DW_TAG_member) continue;
    if (is_base && member->isVirtual()) continue;  // its place is known at run time only
    Field field;
    if (!is_base) field.name = program_.arena.text(member->getName());
    field.type = of(member->getBaseType());
    field.offset_bits = member->getOffsetInBits();
    field.size_bits = member->getSizeInBits();
    if (field.size_bits == 0 && field.type.valid()) field.size_bits = table_[field.type].size_bits;
    field.is_bitfield = member->isBitField();
    field.is_base = is_base;
    fields.push_back(field);
  }
  table_[id].fields = program_.arena.copy(fields);
}

void SourceTypes::describe_function(const llvm::DISubroutineType& type, TypeId id) {
  const llvm::DITypeRefArray parts = type.getTypeArray();
  TypeId result = void_type();
  std::vector<TypeId> parameters;
  bool is_vararg = false;
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (i == 0) {
      if (parts[0] != nullptr) result = of(parts[0]);
      if (!result.valid()) result = void_type();
    } else if (parts[i] == nullptr) {
      is_vararg = true;
    } else {
      parameters.push_back(of(parts[i]));
    }
  }
  Type& row = table_[id];
  row.kind = TypeKind::Function;
  row.element = result;
  row.parameters = program_.arena.copy(parameters);
  row.is_vararg = is_vararg;
}

}  // namespace heddle::frontend
