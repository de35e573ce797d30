// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each instruction unifies; what a library call does, by its actions, is in unifier_actions.cpp.
#include <algorithm>

#include "alias/unifier.h"

namespace heddle::alias {
namespace {

/// Those behind the bar, at their commas.
std::vector<std::string_view> split_constraints(std::string_view text) {
  text.remove_prefix(std::min(text.find('|'), text.size() - 1) + 1);
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    out.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

}  // namespace

void Unifier::walk(FunctionId id, const Function& function) {
  for (std::size_t i = 0; i < function.instructions.size(); ++i) visit(id, function, i);
}

/// An integer that is an address, or one moved by some distance.
bool Unifier::is_pointer_sum(const Function& function, Operand operand, int depth) const {
  if (!operand.is_value() || function.is_parameter(operand.as_value()) || depth == 0) return false;
  const Instruction& source = function.instructions[function.definition(operand.as_value())];
  if (source.opcode == Opcode::Cast) return source.cast_op() == CastOp::PtrToInt;
  if (source.opcode != Opcode::Binary) return false;
  return std::ranges::any_of(function.operands_of(source),
                             [&](Operand part) { return is_pointer_sum(function, part, depth - 1); });
}

void Unifier::visit(FunctionId id, const Function& function, std::size_t number) {
  const Instruction& instruction = function.instructions[number];
  const auto operands = function.operands_of(instruction);
  switch (instruction.opcode) {
    case Opcode::Load:
      if (carries(instruction.type)) copy_content(place(id, operands[0]), instruction.type, result(id, number));
      return;
    case Opcode::Store:
      if (carries(instruction.access_type))
        copy_content(place(id, operands[1]), instruction.access_type, place(id, operands[0]));
      return;
    case Opcode::AtomicRmw:
      if (!carries(instruction.type)) return;
      unify(content(place(id, operands[0])), place(id, operands[1]));
      return unify(content(place(id, operands[0])), result(id, number));
    case Opcode::CmpXchg:
      if (!carries(program_.types[instruction.type].fields.empty() ? instruction.access_type
                                                                   : program_.types[instruction.type].fields[0].type))
        return;
      unify(content(place(id, operands[0])), place(id, operands[2]));
      return unify(content(place(id, operands[0])), result(id, number));
    case Opcode::MemCopy: return copy(place(id, operands[0]), place(id, operands[1]));
    case Opcode::Gep: return visit_gep(id, function, number);
    case Opcode::Phi:
    case Opcode::Select:
    case Opcode::Freeze:
    case Opcode::ExtractValue:
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector:
      for (const Operand operand : operands)
        if (!operand.is_block() && carries(instruction.type)) unify(place(id, operand), result(id, number));
      return;
    case Opcode::Cast:
      if (carries(instruction.type) && instruction.cast_op() >= CastOp::PtrToInt)
        unify(place(id, operands[0]), result(id, number));
      return;
    case Opcode::Binary:
      if (!carries(instruction.type)) return;
      for (const Operand operand : operands)
        if (options_.arithmetic_leaves_arrays || is_pointer_sum(function, operand, 8)) {
          facts_.classes_.repeat(place(id, operand), 1);
          settle();
          unify(place(id, operand), result(id, number));
        }
      return;
    case Opcode::VaArg:
      // The list lies behind the address; what it holds came from any call of this function.
      return unify(content(place(id, operands[0])), result(id, number));
    case Opcode::LandingPad: return unify(exceptions_, result(id, number));
    case Opcode::Resume: return unify(exceptions_, place(id, operands[0]));
    case Opcode::Call:
    case Opcode::Invoke: return visit_call(id, function, number);
    case Opcode::Return:
      if (operands.empty() ||
          !carries(instruction.access_type.valid() ? instruction.access_type : program_.types[function.type].element))
        return;
      if (!returns_[id.index()].valid()) returns_[id.index()] = fresh();
      return unify(returns_[id.index()], place(id, operands[0]));
    default: return;
  }
}

/// The content of memory at `address`, seen as `type`, and `value` are one; an aggregate's pointers are one place.
void Unifier::copy_content(Place address, TypeId id, Place value) {
  if (!address.valid() || !value.valid()) return;
  const Type& type = program_.types[id];
  if (type.kind == TypeKind::Struct) {
    for (const Field& field : type.fields)
      if (carries(field.type))
        copy_content(facts_.classes_.at(address, static_cast<std::int64_t>(field.offset_bits / 8)), field.type, value);
    return;
  }
  if (type.kind == TypeKind::Array || type.kind == TypeKind::Vector) return copy_content(address, type.element, value);
  unify(content(address), value);
}

void Unifier::visit_gep(FunctionId id, const Function& function, std::size_t number) {
  const Instruction& gep = function.instructions[number];
  const auto operands = function.operands_of(gep);
  const Place base = place(id, operands[0]);
  const GepInfo& info = function.geps[gep.extra];
  // Elements smaller than a pointer hold none: such a walk stays in its buffer. Others say how the object repeats.
  const bool is_moved = std::ranges::any_of(info.strides, [](std::int64_t stride) { return stride != 0; });
  if (options_.arithmetic_leaves_arrays && is_moved) {
    facts_.classes_.repeat(base, 1);
    settle();
  }
  for (const std::int64_t stride : info.strides)
    if (stride != 0 && static_cast<std::uint64_t>(std::abs(stride)) * 8 >= program_.layout.pointer_bits) {
      facts_.classes_.repeat(base, static_cast<std::uint64_t>(std::abs(stride)));
      settle();
    }
  unify(result(id, number), facts_.classes_.at(base, info.constant_offset));
}

void Unifier::visit_call(FunctionId id, const Function& function, std::size_t number) {
  const Instruction& call = function.instructions[number];
  const auto operands = function.operands_of(call);
  if (operands.empty()) return;
  if (operands[0].kind() == Operand::Kind::Asm) return visit_assembly(id, function, number);
  Callback callback;
  callback.site = {id, static_cast<std::uint32_t>(number)};
  callback.is_exact = true;
  for (const Operand operand : function.arguments_of(call)) callback.arguments.push_back(place(id, operand));
  callback.result = carries(call.type) ? result(id, number) : Place{};
  if (!operands[0].is_function()) return call_through(place(id, operands[0]), std::move(callback));
  const Function& callee = program_.functions[operands[0].as_function()];
  if (callee.has_body()) return connect(callback, operands[0].as_function());
  // In a function with variable arguments, an intrinsic of one pointer begins a list of them, or ends it.
  if (function.is_vararg && callee.is_intrinsic && callback.arguments.size() == 1)
    begin_list(id, callback.arguments[0]);
  if (const api::Model* model = model_of_[operands[0].index()])
    return apply_model(callback.site, *model, callback.arguments, callback.result);
  if (!options_.externals_keep_pointers || callee.is_intrinsic) return;
  for (const Place argument : callback.arguments) unify(argument, outside_);
  unify(callback.result, outside_);
  unify_reachable(outside_);
}

/// Somewhere in the list lie pointers to where the arguments lie; how, only the target's convention tells.
void Unifier::begin_list(FunctionId id, Place list) {
  if (!list.valid()) return;
  Place& rest = variadic_[id.index()];
  if (!rest.valid()) rest = fresh();
  facts_.classes_.repeat(list, 1);
  settle();
  const Place area = content(list);
  facts_.classes_.repeat(area, 1);
  settle();
  unify(content(area), rest);
}

/// What goes in by a register or lies in an operand's memory may come out by any other.
void Unifier::visit_assembly(FunctionId id, const Function& function, std::size_t number) {
  const Instruction& call = function.instructions[number];
  const std::string_view text = function.calls[call.extra].asm_text;
  const auto arguments = function.arguments_of(call);
  Place all = carries(call.type) ? result(id, number) : Place{};
  const auto moves = [&](Place one) {
    if (all.valid() && one.valid()) unify(all, one);
    if (!all.valid()) all = one;
  };
  std::size_t next = 0;
  for (const std::string_view constraint : split_constraints(text)) {
    const bool is_memory = constraint.contains('*');
    if (constraint.starts_with('~') || (constraint.starts_with('=') && !is_memory)) continue;
    if (next == arguments.size()) break;
    const Place given = place(id, arguments[next++]);
    if (!is_memory) moves(given);
    if (is_memory || options_.assembly_follows_pointers) moves(content(given));
  }
}

/// Everything that can be reached from here becomes one class.
void Unifier::unify_reachable(Place place) {
  if (!place.valid()) return;
  facts_.classes_.repeat(place, 1);
  settle();
  unify(content(place), place);
}

}  // namespace heddle::alias
