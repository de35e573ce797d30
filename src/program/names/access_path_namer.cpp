// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_path_namer.h"

#include <algorithm>

#include "program/text/type_text.h"

namespace heddle {
namespace {

// A chain of unrolled p->next->next… has no useful name, and printing it costs.
constexpr std::size_t longest_path = 48;

}  // namespace

AccessPathNamer::AccessPathNamer(const Program& program, AccessPathTable& table)
    : program_(program), table_(table), walk_(program, table), structs_(program) {}

AccessPathId AccessPathNamer::path_of_access(FunctionId function, std::size_t instruction) {
  const std::vector<AccessSite> sites = access_sites(program_, program_.functions[function], instruction);
  HEDDLE_CHECK(!sites.empty(), "the instruction is no access");
  return path_of_site(function, sites.front());
}

AccessPathId AccessPathNamer::path_of_site(FunctionId function, const AccessSite& site) {
  enter(function);
  const Instruction& i = function_->instructions[site.instruction];
  const Operand address = function_->operands_of(i)[site.address_operand];
  return walk_.overlap_path(fitted(place_of(address), address, i.access_type), wanted(i, site));
}

AccessPathId AccessPathNamer::path_of_value(FunctionId function, Operand pointer) {
  enter(function);
  return walk_.best_path(place_of(pointer), {});
}

AccessPathId AccessPathNamer::path_of_object(FunctionId function, Operand pointer, TypeId type) {
  enter(function);
  const Place at = place_of(pointer);
  const auto found = walk_.find(at, [&](TypeId source) { return source == type; });
  return found ? walk_.path_to(*found) : walk_.best_path(at, {});
}

Wanted AccessPathNamer::wanted(const Instruction& i, const AccessSite& site) const {
  Wanted w;
  w.size = site.size;
  if (i.access_type) w.kind = program_.types[i.access_type].kind;
  return w;
}

// In order of definition, so that long chains of values do not become deep recursions.
void AccessPathNamer::enter(FunctionId function) {
  if (current_ == function) return;
  current_ = function;
  function_ = &program_.functions[function];
  places_.assign(function_->value_count(), Place{});
  states_.assign(function_->value_count(), State::Unseen);
  for (std::size_t v = 0; v < places_.size(); ++v)
    if (is_pointer(ValueId(v))) place_of_value(ValueId(v));
}

bool AccessPathNamer::is_pointer(ValueId value) const {
  const TypeId type = function_->is_parameter(value) ? function_->parameters[value.index()]
                                                     : function_->instructions[function_->definition(value)].type;
  return type && program_.types[type].kind == TypeKind::Pointer;
}

Place AccessPathNamer::place_of(Operand pointer) {
  switch (pointer.kind()) {
    case Operand::Kind::Value: return place_of_value(pointer.as_value());
    case Operand::Kind::Global:
    case Operand::Kind::Function: return global(pointer);
    default:
      return root(PathStep::Unknown, ValueId(), pointer.is_constant() ? "*" + text_of_constant(pointer) : "?", {});
  }
}

Place AccessPathNamer::place_of_value(ValueId value) {
  const std::size_t v = value.index();
  if (states_[v] == State::Open) return unknown(value);
  if (states_[v] == State::Unseen) {
    states_[v] = State::Open;
    places_[v] = compute(value);
    if (table_.depth(places_[v].object) > longest_path) places_[v] = unknown(value);
    states_[v] = State::Done;
  }
  return places_[v];
}

const ValueName* AccessPathNamer::best_name(ValueId value, bool names_memory) const {
  const auto range = std::ranges::equal_range(function_->names, value, {}, &ValueName::value);
  const ValueName* best = nullptr;
  int best_rank = -1;
  for (const ValueName& name : range) {
    if (name.names_memory != names_memory) continue;
    const Type* type = name.source_type ? &program_.types[name.source_type] : nullptr;
    const Type* to =
        type != nullptr && type->kind == TypeKind::Pointer && type->element ? &program_.types[type->element] : nullptr;
    const int rank = to != nullptr ? (is_record(*to) && !to->fields.empty() ? 3 : 2) : type != nullptr ? 1 : 0;
    if (rank > best_rank) best = &name;
    best_rank = std::max(best_rank, rank);
  }
  return best;
}

Place AccessPathNamer::compute(ValueId value) {
  if (const ValueName* variable = best_name(value, true))
    return root(function_->is_parameter(value) ? PathStep::Parameter : PathStep::Local, value,
                std::string(variable->name), variable->source_type);
  const ValueName* name = best_name(value, false);
  if (name == nullptr) return from_definition(value);
  const Place named = from_name(*name);
  if (named.type) return named;
  // A void * or an integer: the definition may know what it points to.
  const Place defined = from_definition(value);
  return defined.type && table_.is_complete(defined.object) ? defined : named;
}

Place AccessPathNamer::from_name(const ValueName& name) {
  const PathStep step = function_->is_parameter(name.value) ? PathStep::Parameter : PathStep::Local;
  return pointee(root(step, name.value, std::string(name.name), {}).object, name.source_type);
}

Place AccessPathNamer::root(PathStep step, ValueId value, std::string text, TypeId type) {
  AccessPath path;
  path.step = step;
  path.function = current_;
  path.index = value.index();
  path.text = std::move(text);
  return {table_.intern(std::move(path)), type, 0};
}

TypeId AccessPathNamer::target_of(TypeId pointer_type) const {
  if (!pointer_type || program_.types[pointer_type].kind != TypeKind::Pointer) return {};
  const TypeId to = program_.types[pointer_type].element;
  return to && program_.types[to].kind != TypeKind::Void ? to : TypeId();
}

Place AccessPathNamer::pointee(AccessPathId pointer, TypeId pointer_type) {
  AccessPath path;
  path.step = PathStep::Dereference;
  path.parent = pointer;
  path.is_reference = pointer_type && program_.types[pointer_type].is_reference;
  return {table_.intern(std::move(path)), target_of(pointer_type), 0};
}

Place AccessPathNamer::global(Operand operand) {
  AccessPath path;
  path.step = PathStep::Global;
  path.index = operand.index();
  TypeId type;
  if (operand.kind() == Operand::Kind::Function) {
    const Function& f = program_.functions[operand.as_function()];
    path.text = f.shown_name();
    path.number = 1;  // functions and globals are numbered apart
    type = f.source_type;
  } else {
    const Global& g = program_.globals[operand.as_global()];
    path.text = global_text(g);
    // A global that is defined elsewhere has no debug information here.
    type = g.source_type || !g.type ? g.source_type : structs_.source_of(g.type);
  }
  return {table_.intern(std::move(path)), type, 0};
}

/// String literals as literals; what else has no source name keeps its symbol.
std::string AccessPathNamer::global_text(const Global& g) const {
  if (!g.source_name.empty()) return std::string(g.source_name);
  const bool is_array = g.type && program_.types[g.type].kind == TypeKind::Array;
  if (!g.is_constant || !is_array || !g.relocations.empty()) return std::string(g.name);
  std::string text;
  for (const std::uint8_t byte : g.bytes) {
    if (byte == 0) break;
    if (byte < 0x20 || byte > 0x7e || byte == '"' || byte == '\\') return std::string(g.name);
    if (text.size() == 16) return "\"" + text + "…\"";
    text += static_cast<char>(byte);
  }
  return "\"" + text + "\"";
}

Place AccessPathNamer::from_definition(ValueId value) {
  if (function_->is_parameter(value)) return unknown(value);
  const Instruction& i = function_->instructions[function_->definition(value)];
  const std::span<const Operand> operands = function_->operands_of(i);
  switch (i.opcode) {
    case Opcode::Alloca: return root(PathStep::Allocation, value, "<temporary>", structs_.source_of(i.access_type));
    case Opcode::Gep: return from_gep(value, i);
    case Opcode::Load:
    case Opcode::AtomicRmw: return from_load(i, operands[0]);
    case Opcode::ExtractValue: return from_extract(value, i);
    case Opcode::Freeze: return place_of(operands[0]);
    case Opcode::Cast: return i.cast_op() == CastOp::IntToPtr ? from_integer(operands[0], 0) : place_of(operands[0]);
    case Opcode::Phi:
    case Opcode::Select: return from_choice(value, operands);
    case Opcode::Call:
    case Opcode::Invoke: return from_call(value, i);
    case Opcode::VaArg: return root(PathStep::CallResult, value, "va_arg(…)", {});
    default: return unknown(value);
  }
}

Place AccessPathNamer::from_load(const Instruction& load, Operand address) {
  Wanted pointer;
  pointer.size = program_.types[load.access_type].size_bytes();
  pointer.kind = TypeKind::Pointer;
  const Place stored = walk_.leaves(place_of(address), pointer).front();
  return pointee(walk_.path_to(stored), stored.offset == 0 ? stored.type : TypeId());
}

Place AccessPathNamer::from_gep(ValueId value, const Instruction& gep) {
  const std::span<const Operand> operands = function_->operands_of(gep);
  const GepInfo& info = function_->geps[gep.extra];
  const bool names_struct = info.source_type && program_.types[info.source_type].kind == TypeKind::Struct;
  Place at = place_of(operands[0]);
  at = names_struct ? view_as(at, info.source_type, operands[0]) : fitted(at, operands[0], info.source_type);
  at.offset += info.constant_offset;
  for (std::size_t k = 0; k < info.strides.size(); ++k) {
    std::string text = text_of(operands[k + 1], 0);
    if (text.empty()) text = "*";
    at = walk_.index(at, info.strides[k], {current_, value.index(), std::move(text)});
  }
  const auto size = static_cast<std::int64_t>(names_struct ? program_.types[info.source_type].size_bytes() : 0);
  const bool is_member = at.offset >= 0 && at.offset < size && (info.strides.empty() || at.offset > 0);
  return is_member ? walk_.member(at) : at;
}

/// The base of an address computation in a struct, seen as that struct.
Place AccessPathNamer::view_as(Place base, TypeId machine, Operand pointer) {
  const TypeId record = structs_.source_of(machine);
  if (base.offset < 0 && record)
    if (const auto outer = container(base, record)) return *outer;
  const auto matches = [&](TypeId source) { return structs_.matches(source, machine); };
  const bool is_exact = base.offset == 0 && base.type && matches(base.type);
  if (is_exact) return base;
  if (const auto other = other_name(pointer, machine)) return *other;
  if (const auto found = walk_.find(base, matches)) return *found;
  if (base.outer && base.offset == 0)
    if (const auto found = walk_.find({base.outer, base.outer_type, 0}, matches)) return *found;
  if (const auto other = other_union_member(pointer, machine)) return *other;
  if (!record) return base;
  const bool is_untyped_result =
      !base.type && base.offset == 0 && table_[table_.root(base.object)].step == PathStep::CallResult;
  if (is_untyped_result) return {base.object, record, 0};
  return walk_.cast(base, tag_text(program_.types[record]), record);
}

/// base + offset with a negative offset, then a member of `record`: base is a member of it.
std::optional<Place> AccessPathNamer::container(const Place& base, TypeId record) {
  const Type& type = program_.types[record];
  const std::int64_t inside = -base.offset;
  const Field* member = nullptr;
  for (const Field& f : type.fields) {
    const auto start = static_cast<std::int64_t>(f.offset_bits / 8);
    const auto size = static_cast<std::int64_t>(f.size_bits / 8);
    if (start == inside || (start < inside && inside < start + size)) member = &f;
  }
  if (member == nullptr) return std::nullopt;
  AccessPath path;
  path.step = PathStep::Container;
  path.parent = base.object;
  path.number = inside;
  path.text = tag_text(type) + ", " + std::string(member->name);
  return Place{table_.intern(std::move(path)), record, 0};
}

/// After `struct dev *d = v;` both names stand for one value, and only one of them has the members.
std::optional<Place> AccessPathNamer::other_name(Operand pointer, TypeId machine) {
  if (!pointer.is_value()) return std::nullopt;
  for (const ValueName& name : std::ranges::equal_range(function_->names, pointer.as_value(), {}, &ValueName::value)) {
    const TypeId target = name.names_memory ? TypeId() : target_of(name.source_type);
    if (target && structs_.matches(target, machine)) return from_name(name);
  }
  return std::nullopt;
}

/// The pointer came out of a union: perhaps another of its members points to the struct in question.
std::optional<Place> AccessPathNamer::other_union_member(Operand pointer, TypeId machine) {
  if (!pointer.is_value() || function_->is_parameter(pointer.as_value())) return std::nullopt;
  const Instruction& load = function_->instructions[function_->definition(pointer.as_value())];
  if (load.opcode != Opcode::Load) return std::nullopt;
  const Wanted any{.size = pointer_bytes(), .kind = TypeKind::Pointer};
  for (const Place& leaf : walk_.leaves(place_of(function_->operands_of(load)[0]), any)) {
    if (!leaf.type || leaf.offset != 0 || program_.types[leaf.type].kind != TypeKind::Pointer) continue;
    const Place target = pointee(leaf.object, leaf.type);
    if (target.type && fits(target.type, machine)) return target;
  }
  return std::nullopt;
}

bool AccessPathNamer::fits(TypeId source, TypeId machine) {
  const Type& m = program_.types[machine];
  if (m.kind == TypeKind::Struct) return structs_.matches(source, machine);
  return program_.types[source].kind == m.kind && program_.types[source].size_bits == m.size_bits;
}

/// Scalars behind a pointer out of a union: another member may fit how it is used.
Place AccessPathNamer::fitted(Place at, Operand pointer, TypeId machine) {
  if (!machine || !at.type || at.offset != 0 || fits(at.type, machine)) return at;
  const TypeKind kind = program_.types[machine].kind;
  const bool is_scalar = kind == TypeKind::Int || kind == TypeKind::Float || kind == TypeKind::Pointer;
  if (!is_scalar) return at;
  const auto other = other_union_member(pointer, machine);
  return other ? *other : at;
}

}  // namespace heddle
