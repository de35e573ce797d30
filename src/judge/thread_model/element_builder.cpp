// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element that is followed, of every row the one with the same number (rows.h): which values are its number or
// lead into it, and what is done to its fields. Where it is not known whether a pointer leads there, both are tried.
#include <algorithm>
#include <utility>

#include "judge/thread_model/thread_builder.h"
#include "program/model/accessed_bytes.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::uint32_t it_part = 8, next_it_part = 9;  // of what `local` numbers
constexpr Interval yes_or_no{0, 1};

}  // namespace

Rows::Lead ThreadBuilder::lead(const Frame& frame, Operand pointer, std::uint64_t bytes) const {
  if (shop_.rows.empty()) return {};
  if (const auto exact = memory(frame, pointer))
    return exact->is_single() ? shop_.rows.lead({{exact->object, exact->offset}}, bytes) : Rows::Lead();
  return shop_.rows.lead(targets(frame, pointer), bytes);
}

/// One if the index is the number of the element, or the pointer leads into it, else zero; none: either.
std::optional<LinearForm> ThreadBuilder::is_it(const Frame& frame, Operand operand) const {
  if (shop_.rows.empty()) return std::nullopt;
  const auto is_number = [&](std::int64_t number) { return LinearForm::variable(shop_.names.is_element(number)); };
  if (operand.is_constant()) {
    const Constant& constant = program_.constants[operand.as_constant()];
    if (constant.kind == Constant::Kind::Null) return LinearForm::number(0);
    if (constant.kind != Constant::Kind::Int || number_bits(constant.type) == 0) return std::nullopt;
    return is_number(numeric::sign_extend(constant.bits, number_bits(constant.type)));
  }
  // Of a number, what it would lead to as an address says nothing.
  const bool is_pointer = operand.is_global() || (operand.is_value() && is_pointer_value(*frame.function, operand));
  if (const auto exact = is_pointer ? memory(frame, operand) : std::nullopt; exact && exact->is_single()) {
    const auto number = shop_.rows.number_at(exact->object, exact->offset);
    return number ? is_number(*number) : LinearForm::number(0);
  }
  if (!operand.is_value()) return std::nullopt;
  const Function& f = *frame.function;
  const ValueId value = operand.as_value();
  if (f.is_parameter(value)) {
    const std::size_t k = value.index();
    if (frame.caller == nullptr) return k == 0 ? frame.argument_is_it : std::nullopt;
    return k < frame.given.size() && frame.given[k].kind() != Operand::Kind::None ? is_it(*frame.caller, frame.given[k])
                                                                                  : std::nullopt;
  }
  const auto index = static_cast<std::uint32_t>(f.definition(value));
  const Instruction& code = f.instructions[index];
  const auto operands = f.operands_of(code);
  switch (code.opcode) {
    case Opcode::Gep: return is_element_address(frame, code);
    case Opcode::Cast:
      switch (code.cast_op()) {
        case CastOp::SExt:
        case CastOp::ZExt: return bits_of(frame, operands[0]) > 1 ? is_it(frame, operands[0]) : std::nullopt;
        case CastOp::Bitcast:
        case CastOp::AddrSpaceCast: return is_it(frame, operands[0]);
        default: return std::nullopt;
      }
    case Opcode::Freeze: return is_it(frame, operands[0]);
    default: break;
  }
  return is_told(frame, index) ? std::optional(LinearForm::variable(local(frame, index, it_part))) : std::nullopt;
}

bool ThreadBuilder::is_pointer_value(const Function& f, Operand operand) const {
  const ValueId value = operand.as_value();
  const TypeId type = f.is_parameter(value) ? f.parameters[value.index()] : f.instructions[f.definition(value)].type;
  return program_.types[type].kind == TypeKind::Pointer;
}

std::optional<LinearForm> ThreadBuilder::is_element_address(const Frame& frame, const Instruction& code) const {
  const auto operands = frame.function->operands_of(code);
  const GepInfo& gep = frame.function->geps[code.extra];
  if (!code.has_flag(Instruction::in_bounds) || gep.strides.size() > 1) return std::nullopt;
  if (gep.strides.size() == 1) {
    const auto base = memory(frame, operands[0]);
    const auto row = base && base->is_single() && gep.strides[0] > 0
                         ? shop_.rows.find(base->object, base->offset + gep.constant_offset, gep.strides[0])
                         : std::nullopt;
    if (row) return is_it(frame, operands[1]);
  }
  // Further into the same element, if an index stays in the array that it is declared for.
  std::int64_t reach = gep.constant_offset;
  if (gep.strides.size() == 1) {
    const std::int64_t count = shop_.memory.points().elements(gep);
    if (count == 0) return std::nullopt;
    reach += gep.strides[0] * count - 1;
  }
  const Rows::Lead from = lead(frame, operands[0], 0);
  const bool stays =
      from.is_known() && std::ranges::all_of(from.spots, [&](const Rows::Spot& spot) {
        return spot.field + gep.constant_offset >= 0 && spot.field + reach < shop_.rows.row(spot.row).stride;
      });
  return stays ? is_it(frame, operands[0]) : std::nullopt;
}

/// Its definition says whether it is.
bool ThreadBuilder::is_told(const Frame& frame, std::uint32_t index) const {
  const Function& f = *frame.function;
  switch (f.instructions[index].opcode) {
    case Opcode::Gep:
    case Opcode::Cast:
    case Opcode::Freeze:
    case Opcode::Alloca: return false;
    default: return !shop_.rows.empty() && shop_.rows.is_followed(frame.id, f.result_of(index));
  }
}

void ThreadBuilder::tell(const Frame& frame, std::uint32_t index, const std::optional<LinearForm>& form) {
  if (is_told(frame, index)) add(becomes(local(frame, index, it_part), form, yes_or_no));
}

/// A phi, on the edge from where the operand comes: what it becomes, and the move that makes it so. Where a loop begins
/// to count, its number is as good as any later one: else its first round would be another one than the rest.
std::optional<Act> ThreadBuilder::tell_phi(const Frame& frame, std::uint32_t index, Operand operand,
                                           std::vector<Act>& acts) const {
  if (!is_told(frame, index)) return std::nullopt;
  const VariableIndex next = local(frame, index, next_it_part);
  const bool is_pointer = is_pointer_value(*frame.function, Operand::value(frame.function->result_of(index)));
  acts.push_back(becomes(next, operand.is_constant() && !is_pointer ? std::nullopt : is_it(frame, operand), yes_or_no));
  return Assign{local(frame, index, it_part), LinearForm::variable(next), yes_or_no, false};
}

std::optional<VariableIndex> ThreadBuilder::told_result(const Frame& frame, std::uint32_t index) const {
  return is_told(frame, index) ? std::optional(local(frame, index, it_part)) : std::nullopt;
}

/// What is in the cells now is what was stored.
void ThreadBuilder::tell_written(const Frame& frame, const Instruction& store, const Written& way) {
  const Operand stored = frame.function->operands_of(store)[0];
  const auto form = is_it(frame, stored);
  if (!form) return;
  const bool is_pointer = program_.types[store.access_type].kind == TypeKind::Pointer;
  for (const auto& cell : {way.own, way.element})
    if (const auto whether = cell ? shop_.names.whether_it_is_known(*cell, is_pointer) : std::nullopt)
      add(Assign{*whether, *form, yes_or_no, false});
}

/// What was read from the cell.
void ThreadBuilder::tell_read(const Frame& frame, std::uint32_t index, std::optional<VariableIndex> cell) {
  if (!is_told(frame, index)) return;
  const bool is_pointer = is_pointer_value(*frame.function, Operand::value(frame.function->result_of(index)));
  const auto known = cell ? shop_.names.whether_it(*cell, is_pointer) : std::nullopt;
  tell(frame, index, known ? std::optional(LinearForm::variable(*known)) : std::nullopt);
}

std::vector<Act> ThreadBuilder::if_it(const std::optional<LinearForm>& form, bool is) {
  if (!form) return {};
  return {Guard{Predicate::Eq, *form, LinearForm::number(is ? 1 : 0)}};
}

/// Each way of an access once more for the element that is followed.
std::vector<ThreadBuilder::Written> ThreadBuilder::with_element(const Frame& frame, const Instruction& code,
                                                                Operand pointer, std::vector<Written> ways) {
  const TypeId type = code.access_type;
  const std::uint64_t bytes = accessed_bytes(program_.types[type]);
  const Rows::Lead to = lead(frame, pointer, bytes);
  if (to.rows.empty()) return ways;
  const auto only = to.only();
  std::optional<VariableIndex> field;
  if (only && number_bits(type) != 0) field = shop_.names.field(*only, bytes, number_bits(type), number_range(type));
  std::vector<VariableIndex> others = shop_.names.fields_in(to, bytes);
  if (field) std::erase(others, *field);
  if (!field && others.empty()) return ways;
  if (ways.empty()) ways.emplace_back();
  const auto form = only ? is_it(frame, pointer) : std::nullopt;
  std::vector<Written> out;
  for (Written& way : ways) {
    for (const bool is : {true, false}) {
      Written& one = out.emplace_back(way);
      const std::vector<Act> guards = if_it(form, is);
      one.if_there.insert(one.if_there.end(), guards.begin(), guards.end());
      if (!is) continue;
      one.element = field;
      one.others.insert(one.others.end(), others.begin(), others.end());
    }
  }
  return out;
}

/// The visit of a place where the pointer leads to some element and nowhere else: of the one that is followed.
void ThreadBuilder::visit_element(const Frame& frame, Operand pointer, Visit visit) {
  const Rows::Lead to = visit.bytes == 0 ? Rows::Lead() : lead(frame, pointer, visit.bytes);
  const auto form = to.is_known() && to.is_inside ? is_it(frame, pointer) : std::nullopt;
  if (!form) return add(std::move(visit));
  shop_.of_elements.insert(visit.place);
  const PointIndex from = at_, there = point(), behind = point();
  connect(from, there, if_it(form, true));
  connect(from, behind, if_it(form, false));
  connect(there, behind, {std::move(visit)});
  at_ = behind;
}

}  // namespace heddle::judge::transaction
