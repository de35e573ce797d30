// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/text/printer.h"

#include <algorithm>
#include <ostream>

#include "program/text/opcode_text.h"
#include "program/text/type_text.h"

namespace heddle {
namespace {

constexpr std::size_t comment_column = 56;

std::string constant_text(const Program& program, const Function& function, const Constant& c) {
  switch (c.kind) {
    case Constant::Kind::Null: return "null";
    case Constant::Kind::Undef: return "undef";
    case Constant::Kind::Poison: return "poison";
    case Constant::Kind::Zero: return "zero";
    case Constant::Kind::Float: return "float bits " + std::to_string(c.bits);
    case Constant::Kind::Int: {
      const std::uint64_t width = c.type ? program.types[c.type].value_bits : 64;
      if (!c.wide.empty()) return "wide " + std::to_string(c.wide.front()) + "…";
      if (width <= 1 || width >= 64) return std::to_string(static_cast<std::int64_t>(c.bits));
      const bool negative = ((c.bits >> (width - 1)) & 1) != 0;
      return std::to_string(static_cast<std::int64_t>(negative ? c.bits | (~std::uint64_t{0} << width) : c.bits));
    }
    case Constant::Kind::Aggregate: break;
  }
  std::string out;
  for (const Operand element : c.elements) out += (out.empty() ? "" : ", ") + to_text(program, function, element);
  return "{" + out + "}";
}

std::string flags_text(const Instruction& i) {
  std::string out;
  if (i.has_flag(Instruction::is_volatile)) out += " volatile";
  if (i.has_flag(Instruction::no_unsigned_wrap)) out += " nuw";
  if (i.has_flag(Instruction::no_signed_wrap)) out += " nsw";
  if (i.has_flag(Instruction::exact)) out += " exact";
  if (i.has_flag(Instruction::in_bounds)) out += " inbounds";
  if (i.has_flag(Instruction::weak)) out += " weak";
  if (i.is_atomic()) out += " " + std::string(to_text(i.order));
  return out;
}

/// The word the line starts with: for operators their own name.
std::string mnemonic(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::Binary: return std::string(to_text(i.binary_op()));
    case Opcode::Compare: return "compare " + std::string(to_text(i.predicate()));
    case Opcode::Cast: return std::string(to_text(i.cast_op()));
    case Opcode::AtomicRmw: return "atomic_rmw " + std::string(to_text(i.rmw_op()));
    case Opcode::MemCopy: return i.detail == 1 ? "memmove" : "memcopy";
    default: return std::string(to_text(i.opcode));
  }
}

bool shows_access_type(Opcode opcode) {
  return opcode == Opcode::Alloca || opcode == Opcode::Load || opcode == Opcode::Store || opcode == Opcode::CmpXchg ||
         opcode == Opcode::AtomicRmw;
}

std::string joined(const Program& program, const Function& function, std::span<const Operand> operands) {
  std::string out;
  for (const Operand operand : operands) out += (out.empty() ? "" : ", ") + to_text(program, function, operand);
  return out;
}

std::string gep_text(const Program& program, const Function& function, const Instruction& i) {
  const std::span<const Operand> operands = function.operands_of(i);
  const GepInfo& gep = function.geps[i.extra];
  std::string out = to_text(program, function, operands[0]) + " + " + std::to_string(gep.constant_offset);
  for (std::size_t k = 0; k < gep.strides.size(); ++k)
    out += " + " + std::to_string(gep.strides[k]) + "·" + to_text(program, function, operands[k + 1]);
  return out + " (" + type_text(program, gep.source_type) + ")";
}

std::string call_text(const Program& program, const Function& function, const Instruction& i) {
  const std::span<const Operand> operands = function.operands_of(i);
  const CallInfo& call = function.calls[i.extra];
  std::string out = type_text(program, i.type) + " " + to_text(program, function, operands[0]) + "(" +
                    joined(program, function, function.arguments_of(i)) + ")";
  if (!call.asm_text.empty()) out += " asm \"" + std::string(call.asm_text) + "\"";
  for (const auto& [argument, bytes, align] : call.byval)
    if (bytes != 0) out += " byval(" + std::to_string(argument) + ", " + std::to_string(bytes) + ")";
  if (call.no_return) out += " noreturn";
  if (call.no_unwind) out += " nounwind";
  if (i.opcode == Opcode::Invoke) out += " to " + joined(program, function, operands.last(2));
  return out;
}

std::string body_text(const Program& program, const Function& function, const Instruction& i) {
  if (i.opcode == Opcode::Gep) return gep_text(program, function, i);
  if (i.is_call()) return call_text(program, function, i);
  if (i.opcode == Opcode::Unsupported) return "\"" + std::string(function.texts[i.extra]) + "\"";
  std::string out;
  if (shows_access_type(i.opcode))
    out = type_text(program, i.access_type) + ", ";
  else if (i.type && program.types[i.type].kind != TypeKind::Void)
    out = type_text(program, i.type) + " ";
  out += joined(program, function, function.operands_of(i));
  const bool indexed =
      i.opcode == Opcode::ExtractValue || i.opcode == Opcode::InsertValue || i.opcode == Opcode::ShuffleVector;
  if (indexed)
    for (const std::int32_t index : function.indices[i.extra]) out += " ." + std::to_string(index);
  if (i.opcode == Opcode::CmpXchg) out += " else " + std::string(to_text(static_cast<AtomicOrder>(i.detail)));
  return out;
}

void print_line(std::ostream& out, const Program& program, std::string line, LocationId at) {
  if (at) {
    line.resize(std::max(line.size() + 1, comment_column), ' ');
    line += "; " + program.where(at);
  }
  out << line << '\n';
}

void print_names(std::ostream& out, const Program& program, const Function& function) {
  for (const ValueName& name : function.names) {
    out << "  ; %" << name.value.index() << (name.names_memory ? " is the address of " : " is ") << name.name;
    if (name.source_type) out << ": " << type_text(program, name.source_type);
    out << '\n';
  }
}

std::string header_text(const Program& program, const Function& f) {
  std::string out = f.has_body() ? "define " : "declare ";
  out += (f.type && program.types[f.type].element ? type_text(program, program.types[f.type].element) : "void");
  out += " @" + std::string(f.name) + "(";
  for (std::size_t p = 0; p < f.parameters.size(); ++p)
    out += (p == 0 ? "" : ", ") + type_text(program, f.parameters[p]) + " %" + std::to_string(p);
  if (f.is_vararg) out += f.parameters.empty() ? "..." : ", ...";
  out += ")";
  for (const auto& [parameter, bytes, align] : f.byval)
    out += " byval(%" + std::to_string(parameter) + ", " + std::to_string(bytes) + ")";
  if (f.linkage == Linkage::Internal) out += " internal";
  if (f.no_return) out += " noreturn";
  if (!f.interrupt.empty()) out += " " + std::string(f.interrupt);
  return out;
}

void print_global(std::ostream& out, const Program& program, const Global& g) {
  std::string line = "@" + std::string(g.name) + " = " + (g.is_declaration() ? "external " : "") +
                     (g.is_thread_local ? "thread_local " : "") + (g.is_constant ? "constant " : "global ") +
                     type_text(program, g.type) + ", " + std::to_string(g.size) + " bytes";
  if (!g.section.empty()) line += " in " + std::string(g.section);
  if (g.source_type) line += " is " + std::string(g.shown_name()) + ": " + type_text(program, g.source_type);
  print_line(out, program, std::move(line), g.location);
  for (const Relocation& r : g.relocations)
    out << "  +" << r.offset << ": " << to_text(program, Function{}, r.target) << " + " << r.addend << '\n';
}

void print_annotation(std::ostream& out, const Program& program, const LockAnnotation& a) {
  out << "; " << to_text(a.kind) << ' ';
  if (a.subject.kind() != Operand::Kind::None) out << to_text(program, Function{}, a.subject);
  out << a.type << (a.field.empty() ? "" : ".") << a.field;
  if (!a.lock.empty()) out << ": " << a.lock;
  if (a.argument != LockAnnotation::none) out << " (argument " << a.argument << ')';
  if (a.succeeds_with_zero) out << " if zero";
  out << '\n';
}

}  // namespace

std::string to_text(const Program& program, const Function& function, Operand operand) {
  switch (operand.kind()) {
    case Operand::Kind::None: return "<none>";
    case Operand::Kind::Value: return "%" + std::to_string(operand.index());
    case Operand::Kind::Constant: return constant_text(program, function, program.constants[operand.as_constant()]);
    case Operand::Kind::Global: return "@" + std::string(program.globals[operand.as_global()].name);
    case Operand::Kind::Function: return "@" + std::string(program.functions[operand.as_function()].name);
    case Operand::Kind::Asm: return "asm";
    case Operand::Kind::Block: break;
  }
  const std::string_view name = function.blocks[operand.index()].name;
  return name.empty() ? "b" + std::to_string(operand.index()) : std::string(name);
}

std::string to_text(const Program& program, const Function& function, const Instruction& instruction) {
  std::string out;
  const bool in_function = !function.instructions.empty() && &instruction >= &function.instructions.front() &&
                           &instruction <= &function.instructions.back();
  const bool has_result = instruction.type && program.types[instruction.type].kind != TypeKind::Void;
  if (in_function && has_result)
    out = "%" +
          std::to_string(
              function.result_of(static_cast<std::size_t>(&instruction - function.instructions.data())).index()) +
          " = ";
  out += mnemonic(instruction) + flags_text(instruction);
  const std::string body = body_text(program, function, instruction);
  return body.empty() ? out : out + " " + body;
}

void print_function(std::ostream& out, const Program& program, const Function& f) {
  print_line(out, program, header_text(program, f) + (f.has_body() ? " {" : ""), f.location);
  if (!f.has_body()) return;
  print_names(out, program, f);
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    out << to_text(program, f, Operand::block(BlockId(b))) << ":\n";
    for (const Instruction& i : f.instructions_of(f.blocks[b]))
      print_line(out, program, "  " + to_text(program, f, i), i.location);
  }
  out << "}\n";
}

void print_program(std::ostream& out, const Program& program) {
  for (const std::string& unit : program.units) out << "; unit " << unit << '\n';
  for (const LockAnnotation& a : program.annotations) print_annotation(out, program, a);
  for (const Global& g : program.globals) print_global(out, program, g);
  for (const Function& f : program.functions) {
    out << '\n';
    print_function(out, program, f);
  }
}

}  // namespace heddle
