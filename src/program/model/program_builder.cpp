// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/program_builder.h"

#include <algorithm>

namespace heddle {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return to == 0 ? value : (value + to - 1) / to * to; }

bool is_tagged(const Type& t) { return t.is_source && (t.kind == TypeKind::Struct || t.kind == TypeKind::Union); }

bool same_field(const Field& a, const Field& b) {
  return a.name == b.name && a.type == b.type && a.offset_bits == b.offset_bits && a.size_bits == b.size_bits;
}

// Source structs are equal only to themselves: they may get their members later.
bool same_type(const Type& a, const Type& b) {
  return !is_tagged(a) && !is_tagged(b) && a.kind == b.kind && a.is_source == b.is_source &&
         a.is_signed == b.is_signed && a.is_reference == b.is_reference && a.is_vararg == b.is_vararg &&
         a.name == b.name && a.size_bits == b.size_bits && a.value_bits == b.value_bits && a.element == b.element &&
         a.count == b.count && std::ranges::equal(a.parameters, b.parameters) &&
         std::ranges::equal(a.fields, b.fields, same_field);
}

Type scalar(TypeKind kind, std::uint64_t bits) {
  std::uint64_t storage = 8;
  while (storage < bits) storage *= 2;
  Type t;
  t.kind = kind;
  t.value_bits = bits;
  t.size_bits = t.align_bits = storage;
  return t;
}

// The layout rules of the System V ABI: natural alignment; a bitfield never straddles a unit of its own type.
void lay_out(Type& type, Program& program, const std::vector<FieldSpec>& specs) {
  std::uint64_t end = 0;
  std::uint64_t widest = 0;
  std::uint64_t align = 8;
  std::vector<Field> fields;
  for (const FieldSpec& spec : specs) {
    const Type& member = program.types[spec.type];
    const std::uint64_t size = spec.bits != 0 ? spec.bits : member.size_bits;
    std::uint64_t at = type.kind == TypeKind::Union ? 0 : end;
    const bool fits = spec.bits != 0 && at / member.size_bits == (at + size - 1) / member.size_bits;
    if (!fits) at = round_up(at, std::max<std::uint64_t>(member.align_bits, 8));
    fields.push_back({program.arena.text(spec.name), spec.type, at, size, spec.bits != 0, spec.is_base});
    end = at + size;
    widest = std::max(widest, end);
    align = std::max(align, member.align_bits);
  }
  type.fields = program.arena.copy(fields);
  type.align_bits = align;
  type.size_bits = round_up(widest, align);
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::uint32_t pointer_bits) { program_.layout.pointer_bits = pointer_bits; }

TypeId ProgramBuilder::intern(Type type) {
  for (std::size_t i = 0; i < program_.types.size(); ++i)
    if (same_type(program_.types[TypeId(i)], type)) return TypeId(i);
  return program_.types.add(std::move(type));
}

TypeId ProgramBuilder::void_type() { return intern(Type{}); }
TypeId ProgramBuilder::int_type(std::uint64_t bits) { return intern(scalar(TypeKind::Int, bits)); }
TypeId ProgramBuilder::float_type(std::uint64_t bits) { return intern(scalar(TypeKind::Float, bits)); }

TypeId ProgramBuilder::ptr_type() {
  Type t = scalar(TypeKind::Pointer, program_.layout.pointer_bits);
  t.value_bits = 0;
  return intern(std::move(t));
}

TypeId ProgramBuilder::array_type(TypeId element, std::uint64_t count) {
  Type t;
  t.kind = TypeKind::Array;
  t.element = element;
  t.count = count;
  t.size_bits = program_.types[element].size_bits * count;
  t.align_bits = program_.types[element].align_bits;
  return intern(std::move(t));
}

TypeId ProgramBuilder::struct_type(const std::vector<TypeId>& members, std::string name) {
  std::vector<FieldSpec> specs;
  for (const TypeId member : members) specs.push_back({.name = "", .type = member});
  Type t;
  t.kind = TypeKind::Struct;
  t.name = program_.arena.text(name);
  lay_out(t, program_, specs);
  return intern(std::move(t));
}

TypeId ProgramBuilder::function_type(TypeId result, std::vector<TypeId> parameters, bool vararg) {
  Type t;
  t.kind = TypeKind::Function;
  t.element = result;
  t.parameters = program_.arena.copy(parameters);
  t.is_vararg = vararg;
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_void() {
  Type t;
  t.is_source = true;
  t.name = "void";
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_int(std::string name, std::uint64_t bits, bool is_signed) {
  Type t = scalar(TypeKind::Int, bits);
  t.is_source = true;
  t.is_signed = is_signed;
  t.name = program_.arena.text(name);
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_pointer(TypeId pointee) {
  Type t = scalar(TypeKind::Pointer, program_.layout.pointer_bits);
  t.value_bits = 0;
  t.is_source = true;
  t.element = pointee;
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_reference(TypeId referee) {
  Type t = program_.types[source_pointer(referee)];
  t.is_reference = true;
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_array(TypeId element, std::uint64_t count) {
  Type t = program_.types[array_type(element, count)];
  t.is_source = true;
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_function(TypeId result, std::vector<TypeId> parameters) {
  Type t = program_.types[function_type(result, std::move(parameters))];
  t.is_source = true;
  return intern(std::move(t));
}

TypeId ProgramBuilder::source_struct(std::string name, const std::vector<FieldSpec>& fields) {
  Type t;
  t.kind = TypeKind::Struct;
  t.is_source = true;
  t.name = program_.arena.text(name);
  lay_out(t, program_, fields);
  return program_.types.add(std::move(t));
}

TypeId ProgramBuilder::source_union(std::string name, const std::vector<FieldSpec>& fields) {
  const TypeId id = source_struct(std::move(name));
  program_.types[id].kind = TypeKind::Union;
  set_fields(id, fields);
  return id;
}

void ProgramBuilder::set_fields(TypeId type, const std::vector<FieldSpec>& fields) {
  Type laid_out = program_.types[type];
  lay_out(laid_out, program_, fields);
  program_.types[type] = std::move(laid_out);
}

Operand ProgramBuilder::intern(Constant constant) {
  for (std::size_t i = 0; i < program_.constants.size(); ++i) {
    const Constant& c = program_.constants[ConstantId(i)];
    if (c.kind == constant.kind && c.type == constant.type && c.bits == constant.bits)
      return Operand::constant(ConstantId(i));
  }
  return Operand::constant(program_.constants.add(std::move(constant)));
}

Operand ProgramBuilder::int_constant(TypeId type, std::uint64_t value) {
  const std::uint64_t bits = program_.types[type].value_bits;
  Constant c;
  c.kind = Constant::Kind::Int;
  c.type = type;
  c.bits = bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  return intern(std::move(c));
}

Operand ProgramBuilder::null() {
  Constant c;
  c.kind = Constant::Kind::Null;
  c.type = ptr_type();
  return intern(std::move(c));
}

Operand ProgramBuilder::undef(TypeId type) {
  Constant c;
  c.type = type;
  return intern(std::move(c));
}

Operand ProgramBuilder::global(std::string name, TypeId type, TypeId source_type) {
  Global g;
  g.name = g.source_name = program_.arena.text(name);
  g.type = type;
  g.source_type = source_type;
  g.size = program_.types[type].size_bytes();
  g.align = std::max<std::uint64_t>(program_.types[type].align_bits / 8, 1);
  return Operand::global(program_.globals.add(std::move(g)));
}

void ProgramBuilder::set_bytes(Operand global, std::string_view bytes) {
  const std::vector<std::uint8_t> image(bytes.begin(), bytes.end());
  edit(global).bytes = program_.arena.copy(image);
}

FunctionId ProgramBuilder::declare(std::string name, TypeId result, std::vector<TypeId> parameters, bool vararg) {
  Function f;
  f.name = f.source_name = program_.arena.text(name);
  f.is_intrinsic = f.name.starts_with("llvm.");
  f.is_vararg = vararg;
  f.linkage = Linkage::Declaration;
  f.parameters = program_.arena.copy(parameters);
  f.type = function_type(result, std::move(parameters), vararg);
  return program_.functions.add(std::move(f));
}

FunctionBuilder& ProgramBuilder::function(std::string name, TypeId result, std::vector<TypeId> parameters) {
  return define(declare(std::move(name), result, std::move(parameters)));
}

FunctionBuilder& ProgramBuilder::define(FunctionId function) {
  program_.functions[function].linkage = Linkage::External;
  return bodies_.emplace_back(*this, function);
}

LocationId ProgramBuilder::location(std::string_view file, std::uint32_t line, std::uint32_t column) {
  FileId file_id;
  for (std::size_t i = 0; i < program_.files.size() && !file_id; ++i)
    if (program_.files[FileId(i)].path == file) file_id = FileId(i);
  if (!file_id) file_id = program_.files.add({program_.arena.text(file)});
  return program_.locations.add({.file = file_id, .line = line, .column = column, .inlined_at = {}});
}

Program ProgramBuilder::take() {
  for (FunctionBuilder& body : bodies_) body.finish();
  bodies_.clear();
  program_.index_names();
  return std::exchange(program_, Program{});
}

}  // namespace heddle
