// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AccessPathNamer, second part: values that come from calls, choices and integers, and the text of indices.
#include <array>

#include "program/names/access_path_namer.h"

namespace heddle {
namespace {

constexpr int deepest_integer = 6;
constexpr int deepest_index = 3;
constexpr std::size_t longest_index = 40;

std::string_view operator_text(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Sub: return "-";
    case BinaryOp::Mul: return "*";
    case BinaryOp::UDiv:
    case BinaryOp::SDiv: return "/";
    case BinaryOp::URem:
    case BinaryOp::SRem: return "%";
    case BinaryOp::Shl: return "<<";
    case BinaryOp::LShr:
    case BinaryOp::AShr: return ">>";
    case BinaryOp::And: return "&";
    case BinaryOp::Or: return "|";
    case BinaryOp::Xor: return "^";
    default: return "";
  }
}

/// `push` of std::vector<int>::push.
std::string_view own_name(std::string_view qualified) {
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < qualified.size(); ++i) {
    if (qualified.substr(i).starts_with("operator")) break;
    if (qualified[i] == '<' || qualified[i] == '(') ++depth;
    if (qualified[i] == '>' || qualified[i] == ')') --depth;
    if (depth == 0 && qualified[i] == ':' && qualified[i + 1] == ':') start = i + 2;
  }
  return qualified.substr(start);
}

/// `v` of v.operator[], `(*p)` of p->operator[].
std::optional<std::string> receiver_of(std::string_view callee, std::string_view operator_name) {
  if (!callee.ends_with(operator_name)) return std::nullopt;
  callee.remove_suffix(operator_name.size());
  if (callee.ends_with("->")) return "(*" + std::string(callee.substr(0, callee.size() - 2)) + ")";
  if (callee.ends_with(".")) return std::string(callee.substr(0, callee.size() - 1));
  return std::nullopt;
}

std::string parenthesised(const std::string& text) {
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

}  // namespace

/// Whether the first argument is `this`: a pointer to the class that the function's name is qualified with.
bool AccessPathNamer::is_method(const Function& callee) const {
  if (!callee.source_type || program_.types[callee.source_type].parameters.empty()) return false;
  const TypeId first = program_.types[callee.source_type].parameters.front();
  if (!first || program_.types[first].kind != TypeKind::Pointer || !program_.types[first].element) return false;
  const std::string_view name = program_.types[program_.types[first].element].name;
  const std::string_view qualifier =
      callee.source_name.substr(0, callee.source_name.size() - own_name(callee.source_name).size());
  return !name.empty() && plain_struct_name(qualifier) == plain_struct_name(name) + "::";
}

std::string AccessPathNamer::callee_text(std::span<const Operand> operands) {
  const Operand callee = operands[0];
  if (callee.is_value()) return table_.print_address(place_of(callee).object);
  if (!callee.is_function()) return "?";
  const Function& f = program_.functions[callee.as_function()];
  if (f.source_name.empty()) return std::string(f.name);
  if (operands.size() < 2 || !is_method(f)) return std::string(f.source_name);
  AccessPath member;
  member.step = PathStep::Field;
  member.parent = walk_.best_path(place_of(operands[1]), {});
  member.text = own_name(f.source_name);
  return table_.print(table_.intern(std::move(member)));
}

std::string AccessPathNamer::call_text(std::span<const Operand> operands) {
  const std::string name = callee_text(operands);
  const std::optional<std::string> container = receiver_of(name, "operator[]");
  if (container && operands.size() > 2) {
    const std::string index = text_of(operands[2], 1);
    return *container + "[" + (index.empty() ? "*" : index) + "]";
  }
  return name + (operands.size() == 1 ? "()" : "(…)");
}

Place AccessPathNamer::from_call(ValueId value, const Instruction& call) {
  const std::span<const Operand> operands = function_->operands_of(call);
  const Operand callee = operands[0];
  TypeId signature;
  if (callee.is_function()) {
    const Function& f = program_.functions[callee.as_function()];
    // llvm.threadlocal.address, launder.invariant.group and their like give back what they got.
    if (f.is_intrinsic) return operands.size() > 1 ? place_of(operands[1]) : unknown(value);
    signature = f.source_type;
  } else if (callee.is_value()) {
    signature = place_of(callee).type;
  }
  const bool is_signature = signature && program_.types[signature].kind == TypeKind::Function;
  const TypeId result = is_signature ? program_.types[signature].element : TypeId();
  // Smart pointers and iterators read as pointers: *it, it->x.
  const std::string name = callee_text(operands);
  for (const std::string_view operator_name : {"operator->", "operator*"})
    if (const auto pointer = receiver_of(name, operator_name)) {
      const AccessPathId it = root(PathStep::CallResult, value, *pointer, {}).object;
      return {pointee(it, {}).object, target_of(result), 0};
    }
  return pointee(root(PathStep::CallResult, value, call_text(operands), {}).object, result);
}

/// Only values defined before a phi are looked at, so loops end; null says nothing.
bool AccessPathNamer::is_phi_input_ready(ValueId phi, Operand input) const {
  if (input.kind() == Operand::Kind::Global) return true;
  return input.is_value() && input.as_value() < phi;
}

Place AccessPathNamer::from_choice(ValueId value, std::span<const Operand> candidates) {
  std::optional<Place> best;
  for (const Operand candidate : candidates) {
    const bool is_pointer_value = !candidate.is_value() || is_pointer(candidate.as_value());
    if (!is_phi_input_ready(value, candidate) || !is_pointer_value) continue;
    const Place place = place_of(candidate);
    if (!table_.is_complete(place.object)) continue;
    if (!best || (!best->type && place.type)) best = place;
  }
  if (!best) return unknown(value);
  AccessPath path;
  path.step = PathStep::Choice;
  path.parent = best->object;
  path.function = current_;
  path.index = value.index();
  return {table_.intern(std::move(path)), best->type, best->offset};
}

Place AccessPathNamer::from_extract(ValueId value, const Instruction& extract) {
  const Operand aggregate = function_->operands_of(extract)[0];
  const std::span<const std::int32_t> indices = function_->indices[extract.extra];
  if (!aggregate.is_value() || function_->is_parameter(aggregate.as_value()) || indices.size() != 1)
    return unknown(value);
  const Instruction& from = function_->instructions[function_->definition(aggregate.as_value())];
  if (from.opcode == Opcode::CmpXchg) return from_load(from, function_->operands_of(from)[0]);
  if (!from.is_call() || !function_->operands_of(from)[0].is_function()) return unknown(value);
  const Function& callee = program_.functions[function_->operands_of(from)[0].as_function()];
  const Type& machine = program_.types[from.type];
  const auto field = static_cast<std::size_t>(indices[0]);
  if (!callee.source_type || field >= machine.fields.size()) return unknown(value);
  Place result = root(PathStep::CallResult, aggregate.as_value(), call_text(function_->operands_of(from)),
                      program_.types[callee.source_type].element);
  result.offset = static_cast<std::int64_t>(machine.fields[field].offset_bits / 8);
  const Place stored = walk_.leaves(result, {.size = pointer_bytes(), .kind = TypeKind::Pointer}).front();
  return pointee(walk_.path_to(stored), stored.offset == 0 ? stored.type : TypeId());
}

/// Pointers kept in integers: tags are masked off, distances added.
Place AccessPathNamer::from_integer(Operand integer, int depth) {
  if (!integer.is_value() || depth == deepest_integer) return place_of(integer.is_value() ? Operand() : integer);
  const ValueId value = integer.as_value();
  const ValueName* name = best_name(value, false);
  const Place named = name != nullptr ? from_name(*name) : unknown(value);
  if (function_->is_parameter(value)) return named;
  const Instruction& i = function_->instructions[function_->definition(value)];
  const std::span<const Operand> operands = function_->operands_of(i);
  Place found = named;
  if (i.opcode == Opcode::Cast && i.cast_op() == CastOp::PtrToInt) {
    found = place_of(operands[0]);
  } else if (name == nullptr && (i.opcode == Opcode::Cast || i.opcode == Opcode::Freeze)) {
    found = from_integer(operands[0], depth + 1);
  } else if (name == nullptr && i.opcode == Opcode::Load) {
    found = from_load(i, operands[0]);
  } else if (name == nullptr && i.opcode == Opcode::Binary) {
    const std::array<Operand, 1> left{operands[0]};
    found = from_integer(left[0], depth + 1);
    const std::string constant = operands[1].is_constant() ? text_of_constant(operands[1]) : "";
    const bool is_distance = i.binary_op() == BinaryOp::Add || i.binary_op() == BinaryOp::Sub;
    if (is_distance && !constant.empty()) {
      const std::int64_t bytes = std::stoll(constant);
      found.offset += i.binary_op() == BinaryOp::Add ? bytes : -bytes;
    } else if (is_distance) {
      const std::string text = text_of(operands[1], 0);
      found = walk_.index(found, i.binary_op() == BinaryOp::Add ? 1 : -1,
                          {current_, value.index(), text.empty() ? "*" : text});
    }
  }
  return found;
}

std::string AccessPathNamer::text_of_constant(Operand constant) const {
  const Constant& c = program_.constants[constant.as_constant()];
  if (c.kind == Constant::Kind::Null) return "NULL";
  if (c.kind != Constant::Kind::Int || !c.wide.empty()) return "";
  const std::uint64_t width = program_.types[c.type].value_bits;
  const bool is_negative = width > 1 && width <= 64 && ((c.bits >> (width - 1)) & 1) != 0;
  const std::uint64_t extended = is_negative && width < 64 ? c.bits | (~std::uint64_t{0} << width) : c.bits;
  return std::to_string(static_cast<std::int64_t>(extended));
}

std::string AccessPathNamer::text_of_binary(const Instruction& binary, int depth) {
  const std::span<const Operand> operands = function_->operands_of(binary);
  const std::string left = text_of(operands[0], depth + 1);
  const std::string right = text_of(operands[1], depth + 1);
  const std::string_view op = operator_text(binary.binary_op());
  if (left.empty() || right.empty() || op.empty()) return "";
  const bool adds_negative = op == "+" && right.starts_with('-');
  if (adds_negative) return parenthesised(left) + " - " + right.substr(1);
  return parenthesised(left) + " " + std::string(op) + " " + parenthesised(right);
}

/// An integer as the source would write it, empty if that is not known or too long to help.
std::string AccessPathNamer::text_of(Operand value, int depth) {
  if (value.is_constant()) return text_of_constant(value);
  if (!value.is_value() || depth > deepest_index) return "";
  if (const ValueName* name = best_name(value.as_value(), false)) return std::string(name->name);
  if (function_->is_parameter(value.as_value())) return "";
  const Instruction& i = function_->instructions[function_->definition(value.as_value())];
  const std::span<const Operand> operands = function_->operands_of(i);
  std::string text;
  switch (i.opcode) {
    case Opcode::Cast:
    case Opcode::Freeze: text = text_of(operands[0], depth); break;
    case Opcode::Binary: text = text_of_binary(i, depth); break;
    case Opcode::Call: text = call_text(operands); break;
    case Opcode::Load: {
      const Wanted w{.size = program_.types[i.access_type].size_bytes(), .kind = program_.types[i.access_type].kind};
      const AccessPathId path = walk_.best_path(place_of(operands[0]), w);
      if (table_.is_complete(path)) text = table_.print(path);
      break;
    }
    default: break;
  }
  return text.size() > longest_index ? "" : text;
}

}  // namespace heddle
