// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/text/type_text.h"

namespace heddle {
namespace {

// Source types may be cyclic through function types, so the text ends somewhere.
constexpr int deepest = 8;

std::string text(const Program& program, TypeId id, int depth);

std::string list(const Program& program, std::span<const TypeId> types, bool vararg, int depth) {
  std::string out;
  for (const TypeId type : types) out += (out.empty() ? "" : ", ") + text(program, type, depth);
  if (vararg) out += out.empty() ? "..." : ", ...";
  return out;
}

std::string machine_text(const Program& program, const Type& t, int depth) {
  const std::string element = t.element ? text(program, t.element, depth) : "";
  switch (t.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Int: return "i" + std::to_string(t.value_bits);
    case TypeKind::Float: return t.name.empty() ? "f" + std::to_string(t.value_bits) : std::string(t.name);
    case TypeKind::Pointer: return "ptr";
    case TypeKind::Array: return "[" + std::to_string(t.count) + " x " + element + "]";
    case TypeKind::Vector: return "<" + std::to_string(t.count) + " x " + element + ">";
    case TypeKind::Function: return element + " (" + list(program, t.parameters, t.is_vararg, depth) + ")";
    case TypeKind::Other: return std::string(t.name.empty() ? "other" : t.name);
    case TypeKind::Struct:
    case TypeKind::Union: break;
  }
  if (!t.name.empty()) return "%" + std::string(t.name);
  std::string out;
  for (const Field& field : t.fields) out += (out.empty() ? "" : ", ") + text(program, field.type, depth);
  return "{" + out + "}";
}

std::string pointer_text(const Program& program, const Type& t, int depth) {
  const std::string star = t.is_reference ? "&" : "*";
  if (!t.element) return "void " + star;
  const Type& to = program.types[t.element];
  if (to.kind == TypeKind::Function)
    return (to.element ? text(program, to.element, depth) : "void") + " (" + star + ")(" +
           list(program, to.parameters, to.is_vararg, depth) + ")";
  const std::string inner = text(program, t.element, depth);
  return inner.ends_with('*') ? inner + star : inner + " " + star;
}

std::string source_text(const Program& program, const Type& t, int depth) {
  switch (t.kind) {
    case TypeKind::Struct:
    case TypeKind::Union: return tag_text(t);
    case TypeKind::Pointer: return pointer_text(program, t, depth);
    case TypeKind::Array:
    case TypeKind::Vector:
      return text(program, t.element, depth) + "[" + (t.count == 0 ? "" : std::to_string(t.count)) + "]";
    case TypeKind::Function:
      return (t.element ? text(program, t.element, depth) : "void") + " (" +
             list(program, t.parameters, t.is_vararg, depth) + ")";
    default: return t.name.empty() ? machine_text(program, t, depth) : std::string(t.name);
  }
}

std::string text(const Program& program, TypeId id, int depth) {
  if (!id) return "<none>";
  if (depth == deepest) return "…";
  const Type& t = program.types[id];
  return t.is_source ? source_text(program, t, depth + 1) : machine_text(program, t, depth + 1);
}

}  // namespace

std::string tag_text(const Type& type) {
  const std::string keyword = type.kind == TypeKind::Union ? "union" : "struct";
  if (type.name.empty()) return keyword + " {…}";
  const bool is_cpp = type.name.find_first_of(":<") != std::string::npos;
  return is_cpp ? std::string(type.name) : keyword + " " + std::string(type.name);
}

std::string type_text(const Program& program, TypeId type) { return text(program, type, 0); }

}  // namespace heddle
