// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/valid_body.h"

#include <algorithm>

#include "program/unit/valid_uses.h"

namespace heddle {
namespace {

/// As a power of two; LLVM's own limit.
constexpr std::uint8_t largest_alignment = 32;

class BodyCheck {
 public:
  explicit BodyCheck(const Program& program) : p_(program), types_(program.types.begin(), program.types.end()) {}

  [[nodiscard]] bool run(const Function& function) {
    f_ = &function;
    if (!find_types()) return false;
    std::size_t next = 0;
    for (const Block& block : f_->blocks) {
      if (block.first != next || block.count == 0 || block.count > f_->instructions.size() - next) return false;
      next += block.count;
      for (std::uint32_t k = 0; k < block.count; ++k) {
        const Instruction& i = f_->instructions[block.first + k];
        if (i.is_terminator() != (k + 1 == block.count) || !is_valid(i)) return false;
      }
    }
    if (next != f_->instructions.size()) return false;
    return std::ranges::is_sorted(f_->names, {}, &ValueName::value) &&
           std::ranges::all_of(f_->names, [&](const ValueName& name) {
             return name.value.index() < f_->value_count() && exists_or_none(name.source_type);
           });
  }

 private:
  using Operands = std::span<const Operand>;

  /// Of all values, before anything is looked at that may use a later one.
  bool find_types() {
    values_.clear();
    for (const TypeId id : f_->parameters) values_.push_back(&type(id));
    for (const Instruction& i : f_->instructions) {
      if (!exists(i.type)) return false;
      values_.push_back(&type(i.type));
    }
    return true;
  }

  [[nodiscard]] const Type& type(TypeId id) const { return types_[id.index()]; }

  [[nodiscard]] bool exists(TypeId id) const { return id.index() < p_.types.size() && !type(id).is_source; }
  [[nodiscard]] bool exists_or_none(TypeId id) const { return !id.valid() || id.index() < p_.types.size(); }

  [[nodiscard]] bool is_valid(const Instruction& i) const {
    if (!exists_or_none(i.access_type)) return false;
    if (i.location.valid() && i.location.index() >= p_.locations.size()) return false;
    if (std::uint64_t{i.first_operand} + i.operand_count > f_->operands.size()) return false;
    if (i.order > AtomicOrder::SeqCst || !has_valid_detail(i)) return false;
    const Operands operands = f_->operands_of(i);
    return std::ranges::all_of(operands, [&](Operand o) { return exists(o); }) && has_its_operands(i, operands);
  }

  [[nodiscard]] bool exists(Operand o) const {
    switch (o.kind()) {
      case Operand::Kind::Value: return o.index() < f_->value_count();
      case Operand::Kind::Constant: return o.index() < p_.constants.size();
      case Operand::Kind::Global:
      case Operand::Kind::Function: return is_address(p_, o);
      case Operand::Kind::Block: return o.index() < f_->blocks.size();
      case Operand::Kind::Asm: return true;
      case Operand::Kind::None: return false;
    }
    return false;
  }

  [[nodiscard]] static bool has_valid_detail(const Instruction& i) {
    const auto up_to = [&](auto last) { return i.detail <= static_cast<std::uint8_t>(last); };
    switch (i.opcode) {
      case Opcode::Binary: return up_to(BinaryOp::FRem);
      case Opcode::Compare: return up_to(Predicate::FTrue);
      case Opcode::Cast: return up_to(CastOp::AddrSpaceCast);
      case Opcode::AtomicRmw: return up_to(RmwOp::Other);
      case Opcode::CmpXchg: return up_to(AtomicOrder::SeqCst);
      case Opcode::Alloca: return i.detail <= largest_alignment;
      default: return i.detail <= 1;
    }
  }

  /// None for blocks and assembly; addresses have any pointer type.
  [[nodiscard]] const Type* type_of(Operand o) const {
    static const Type pointer = [] {
      Type t;
      t.kind = TypeKind::Pointer;
      return t;
    }();
    switch (o.kind()) {
      case Operand::Kind::Value: return values_[o.index()];
      case Operand::Kind::Constant: return &type(p_.constants[o.as_constant()].type);
      case Operand::Kind::Global:
      case Operand::Kind::Function: return &pointer;
      default: return nullptr;
    }
  }

  /// Types are unique in a Program, but for pointers into other address spaces; labels and tokens fit anything.
  [[nodiscard]] static bool fit(const Type* a, const Type* b) {
    if (a == nullptr || b == nullptr) return false;
    if (a == b || a->kind == TypeKind::Other || b->kind == TypeKind::Other) return true;
    return a->kind == TypeKind::Pointer && b->kind == TypeKind::Pointer;
  }
  [[nodiscard]] bool has_type(Operand o, TypeId id) const { return fit(type_of(o), &type(id)); }
  [[nodiscard]] bool are_alike(Operand a, Operand b) const { return fit(type_of(a), type_of(b)); }
  [[nodiscard]] bool is_pointer(Operand o) const {
    const Type* t = type_of(o);
    return t != nullptr && (t->kind == TypeKind::Pointer || t->kind == TypeKind::Other);
  }
  [[nodiscard]] bool is_value(Operand o) const { return type_of(o) != nullptr; }
  [[nodiscard]] bool are_values(Operands o) const {
    return std::ranges::all_of(o, [&](Operand v) { return is_value(v); });
  }
  [[nodiscard]] static bool are_blocks(Operands o) {
    return std::ranges::all_of(o, [](Operand v) { return v.is_block(); });
  }

  [[nodiscard]] bool has_its_operands(const Instruction& i, Operands o) const {
    const auto count = [&](std::size_t n) { return o.size() == n; };
    switch (i.opcode) {
      case Opcode::Alloca: return count(1) && is_value(o[0]) && exists(i.access_type) && is_pointer_type(i.type);
      case Opcode::Load: return count(1) && is_pointer(o[0]) && i.access_type == i.type;
      case Opcode::VaArg: return count(1) && is_pointer(o[0]) && i.access_type == i.type;
      case Opcode::Store: return count(2) && is_pointer(o[1]) && exists(i.access_type) && has_type(o[0], i.access_type);
      case Opcode::Gep: return is_gep(i, o);
      case Opcode::MemCopy: return count(3) && is_pointer(o[0]) && is_pointer(o[1]) && is_value(o[2]);
      case Opcode::MemSet: return count(3) && is_pointer(o[0]) && are_values(o);
      case Opcode::CmpXchg:
        return count(3) && is_pointer(o[0]) && exists(i.access_type) && has_type(o[1], i.access_type) &&
               has_type(o[2], i.access_type) && is_pair_with_flag(i);
      case Opcode::AtomicRmw: return count(2) && is_pointer(o[0]) && i.access_type == i.type && has_type(o[1], i.type);
      case Opcode::Fence:
      case Opcode::Unreachable: return count(0);
      case Opcode::Phi: return is_phi(i, o);
      case Opcode::Select: return count(3) && is_value(o[0]) && has_type(o[1], i.type) && has_type(o[2], i.type);
      case Opcode::Binary: return count(2) && has_type(o[0], i.type) && has_type(o[1], i.type);
      case Opcode::FNeg:
      case Opcode::Freeze: return count(1) && has_type(o[0], i.type);
      case Opcode::Compare: return count(2) && are_alike(o[0], o[1]);
      case Opcode::Cast:
      case Opcode::Resume: return count(1) && is_value(o[0]);
      case Opcode::ExtractValue: return count(1) && is_value(o[0]) && is_member(i, o[0], &type(i.type));
      case Opcode::InsertValue: return count(2) && has_type(o[0], i.type) && is_member(i, o[0], type_of(o[1]));
      case Opcode::ExtractElement: return count(2) && are_values(o) && is_element(o[0], &type(i.type));
      case Opcode::InsertElement:
        return count(3) && has_type(o[0], i.type) && is_element(o[0], type_of(o[1])) && is_value(o[2]);
      case Opcode::ShuffleVector: return is_shuffle(i, o);
      case Opcode::LandingPad: return are_values(o);
      case Opcode::Unsupported: return i.extra < f_->texts.size() && std::ranges::none_of(o, &Operand::is_block);
      case Opcode::Call: return is_call(i, o);
      case Opcode::Invoke: return o.size() >= 3 && are_blocks(o.last(2)) && is_call(i, o.first(o.size() - 2));
      case Opcode::Return: return returns_its_type(o);
      case Opcode::Branch: return count(1) && are_blocks(o);
      case Opcode::CondBranch: return count(3) && is_value(o[0]) && are_blocks(o.subspan(1));
      case Opcode::Switch: return is_switch(o);
      case Opcode::IndirectBranch: return !o.empty() && is_value(o[0]) && are_blocks(o.subspan(1));
    }
    return false;
  }

  [[nodiscard]] bool is_pointer_type(TypeId id) const { return type(id).kind == TypeKind::Pointer; }

  [[nodiscard]] bool is_gep(const Instruction& i, Operands o) const {
    return !o.empty() && is_pointer(o[0]) && are_values(o) && is_pointer_type(i.type) && i.extra < f_->geps.size() &&
           f_->geps[i.extra].strides.size() == o.size() - 1 && exists(f_->geps[i.extra].source_type);
  }

  [[nodiscard]] bool is_pair_with_flag(const Instruction& i) const {
    const Type& pair = type(i.type);
    return pair.kind == TypeKind::Struct && pair.fields.size() == 2 && pair.fields[0].type == i.access_type &&
           type(pair.fields[1].type).kind == TypeKind::Int;
  }

  [[nodiscard]] bool is_phi(const Instruction& i, Operands o) const {
    if (o.size() % 2 != 0) return false;
    for (std::size_t k = 0; k < o.size(); k += 2)
      if (!has_type(o[k], i.type) || !o[k + 1].is_block()) return false;
    return true;
  }

  [[nodiscard]] bool is_member(const Instruction& i, Operand aggregate, const Type* member) const {
    if (i.extra >= f_->indices.size()) return false;
    const Type* t = type_of(aggregate);
    for (const std::int32_t index : f_->indices[i.extra]) {
      const auto at = static_cast<std::uint32_t>(index);
      if (t->kind == TypeKind::Struct && at < t->fields.size())
        t = &type(t->fields[at].type);
      else if (t->kind == TypeKind::Array && at < t->count)
        t = &type(t->element);
      else
        return false;
    }
    return fit(t, member);
  }

  [[nodiscard]] bool is_element(Operand vector, const Type* element) const {
    const Type* t = type_of(vector);
    return t != nullptr && t->kind == TypeKind::Vector && fit(&type(t->element), element);
  }

  [[nodiscard]] bool is_shuffle(const Instruction& i, Operands o) const {
    if (o.size() != 2 || i.extra >= f_->indices.size() || !are_alike(o[0], o[1])) return false;
    const Type& from = *type_of(o[0]);
    const Type& to = type(i.type);
    if (from.kind != TypeKind::Vector || to.kind != TypeKind::Vector || from.element != to.element) return false;
    const std::span<const std::int32_t> mask = f_->indices[i.extra];
    const auto in_range = [&](std::int32_t lane) {
      return lane >= -1 && lane < static_cast<std::int64_t>(2 * std::min(from.count, std::uint64_t{1} << 30));
    };
    return mask.size() == to.count && std::ranges::all_of(mask, in_range);
  }

  [[nodiscard]] bool is_call(const Instruction& i, Operands o) const {
    if (o.empty() || i.extra >= f_->calls.size()) return false;
    const CallInfo& call = f_->calls[i.extra];
    if (!exists(call.function_type) || type(call.function_type).kind != TypeKind::Function) return false;
    const Type& signature = type(call.function_type);
    const Operands arguments = o.subspan(1);
    if (o[0].kind() != Operand::Kind::Asm && !is_pointer(o[0])) return false;
    if (!are_values(arguments) || arguments.size() < signature.parameters.size() || i.type != signature.element)
      return false;
    for (std::size_t k = 0; k < signature.parameters.size(); ++k)
      if (!has_type(arguments[k], signature.parameters[k])) return false;
    return std::ranges::all_of(call.byval, [&](const ByValue& copy) { return copy.index < arguments.size(); });
  }

  [[nodiscard]] bool returns_its_type(Operands o) const {
    const TypeId result = type(f_->type).element;
    if (type(result).kind == TypeKind::Void) return o.empty();
    return o.size() == 1 && has_type(o[0], result);
  }

  [[nodiscard]] bool is_switch(Operands o) const {
    if (o.size() < 2 || o.size() % 2 != 0 || !is_value(o[0]) || !o[1].is_block()) return false;
    for (std::size_t k = 2; k < o.size(); k += 2)
      if (!o[k].is_constant() || !are_alike(o[0], o[k]) || !o[k + 1].is_block()) return false;
    return true;
  }

  const Program& p_;
  std::span<const Type> types_;
  const Function* f_ = nullptr;
  std::vector<const Type*> values_;
};

}  // namespace

bool is_address(const Program& program, Operand operand) {
  if (operand.kind() == Operand::Kind::Global) return operand.index() < program.globals.size();
  return operand.is_function() && operand.index() < program.functions.size();
}

bool is_constant_of_its_type(const Program& program, const Constant& c) {
  const Type& t = program.types[c.type];
  switch (c.kind) {
    case Constant::Kind::Int:
    case Constant::Kind::Float: {
      if (t.kind != (c.kind == Constant::Kind::Int ? TypeKind::Int : TypeKind::Float)) return false;
      return t.value_bits <= 64 ? c.wide.empty() : c.wide.size() == (t.value_bits + 63) / 64;
    }
    case Constant::Kind::Null: return t.kind == TypeKind::Pointer;
    case Constant::Kind::Aggregate: {
      const bool is_struct = t.kind == TypeKind::Struct;
      if (!is_struct && t.kind != TypeKind::Array && t.kind != TypeKind::Vector) return false;
      if (c.elements.size() != (is_struct ? t.fields.size() : t.count)) return false;
      for (std::size_t i = 0; i < c.elements.size(); ++i) {
        const TypeId wanted = is_struct ? t.fields[i].type : t.element;
        const bool is_pointer = program.types[wanted].kind == TypeKind::Pointer;
        if (!c.elements[i].is_constant() && !is_pointer) return false;
        const TypeId found = c.elements[i].is_constant() ? program.constants[c.elements[i].as_constant()].type : wanted;
        if (found != wanted && !(is_pointer && program.types[found].kind == TypeKind::Pointer)) return false;
      }
      return true;
    }
    default: return c.elements.empty() && c.wide.empty();
  }
}

const Function* find_malformed_body(const Program& program) {
  BodyCheck check(program);
  UseCheck uses;
  for (const Function& f : program.functions)
    if (!check.run(f) || !uses.run(f)) return &f;
  return nullptr;
}

}  // namespace heddle
