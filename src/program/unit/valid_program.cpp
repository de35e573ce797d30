// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/valid_program.h"

#include <algorithm>

#include "program/unit/valid_body.h"

namespace heddle {
namespace {

/// Beyond what a compiler accepts; stages walk types recursively.
constexpr std::uint32_t deepest_type = 4096;
/// Elements of a constant with those of its elements.
constexpr std::uint64_t largest_constant = std::uint64_t{1} << 24;

template <class T>
bool exists(Id<T> id, const Table<T>& table) {
  return id.index() < table.size();
}
template <class T>
bool exists_or_none(Id<T> id, const Table<T>& table) {
  return !id.valid() || id.index() < table.size();
}

class TypeCheck {
 public:
  explicit TypeCheck(const Program& program) : program_(program), depth_(program.types.size(), 0) {}

  bool run() {
    for (const Type& t : program_.types) {
      const auto is_fine = [&](TypeId part) {
        return t.is_source ? exists_or_none(part, program_.types) : exists(part, program_.types);
      };
      const bool needs_element =
          t.kind == TypeKind::Array || t.kind == TypeKind::Vector || t.kind == TypeKind::Function;
      if (!(needs_element ? is_fine(t.element) : exists_or_none(t.element, program_.types))) return false;
      if (!std::ranges::all_of(t.parameters, is_fine)) return false;
      if (!std::ranges::all_of(t.fields, is_fine, &Field::type)) return false;
    }
    for (std::size_t i = 0; i < program_.types.size(); ++i)
      if (depth_[i] == 0 && !is_finite(TypeId(i))) return false;
    return true;
  }

 private:
  struct Visit {
    TypeId type;
    std::size_t next = 0;  ///< part to look at
    std::uint32_t depth = 1;
  };
  static constexpr std::uint32_t open = ~std::uint32_t{0};

  /// What lies inside a value of the type, or is walked with it.
  [[nodiscard]] TypeId part(const Type& t, std::size_t at) const {
    if (at == 0) return t.kind == TypeKind::Pointer ? TypeId() : t.element;
    if (at <= t.fields.size()) return t.fields[at - 1].type;
    return t.parameters[at - 1 - t.fields.size()];
  }

  /// Depth first, on a stack of its own; a type that is met again while open contains itself.
  bool is_finite(TypeId root) {
    std::vector<Visit>& stack = stack_;
    stack.assign(1, {root});
    depth_[root.index()] = open;
    while (!stack.empty()) {
      Visit& top = stack.back();
      const Type& t = program_.types[top.type];
      if (top.next > t.fields.size() + t.parameters.size()) {
        const std::uint32_t depth = top.depth;
        if (depth > deepest_type) return false;
        depth_[top.type.index()] = depth;
        stack.pop_back();
        if (!stack.empty()) stack.back().depth = std::max(stack.back().depth, depth + 1);
        continue;
      }
      const TypeId inner = part(t, top.next++);
      if (!inner.valid()) continue;
      if (depth_[inner.index()] == open) return false;
      if (depth_[inner.index()] != 0) {
        top.depth = std::max(top.depth, depth_[inner.index()] + 1);
        continue;
      }
      depth_[inner.index()] = open;
      stack.push_back({inner});
    }
    return true;
  }

  const Program& program_;
  std::vector<std::uint32_t> depth_;  // 0: not seen
  std::vector<Visit> stack_;
};

bool locations_are_valid(const Program& p) {
  for (std::size_t i = 0; i < p.locations.size(); ++i) {
    const Location& at = p.locations[LocationId(i)];
    if (!exists_or_none(at.file, p.files) || (at.inlined_at.valid() && at.inlined_at.index() >= i)) return false;
  }
  return true;
}

bool is_machine_type(const Program& p, TypeId id) { return exists(id, p.types) && !p.types[id].is_source; }

/// Elements are walked recursively, so what they unfold to has a limit; their depth has that of their type.
bool constants_are_valid(const Program& p) {
  std::vector<std::uint64_t> unfolded;
  unfolded.reserve(p.constants.size());
  for (const Constant& c : p.constants) {
    if (!is_machine_type(p, c.type)) return false;
    std::uint64_t size = 1;
    for (const Operand element : c.elements) {
      if (element.is_constant() ? element.index() >= unfolded.size() : !is_address(p, element)) return false;
      size += element.is_constant() ? unfolded[element.index()] : 1;
      if (size > largest_constant) return false;
    }
    if (!is_constant_of_its_type(p, c)) return false;
    unfolded.push_back(size);
  }
  return true;
}

bool has_valid_parts(const Program& p, const auto& symbol) {
  return is_machine_type(p, symbol.type) && exists_or_none(symbol.source_type, p.types) &&
         exists_or_none(symbol.location, p.locations);
}

bool is_valid(const Program& p, const Global& g) {
  if (!has_valid_parts(p, g) || g.bytes.size() > g.size || g.align == 0) return false;
  return std::ranges::all_of(g.relocations, [&](const Relocation& r) {
    return is_address(p, r.target) && r.size <= g.size && r.offset <= g.size - r.size;
  });
}

bool is_valid(const Program& p, const Function& f) {
  if (!has_valid_parts(p, f) || p.types[f.type].kind != TypeKind::Function) return false;
  if (!std::ranges::equal(f.parameters, p.types[f.type].parameters)) return false;
  return std::ranges::all_of(f.byval, [&](const ByValue& copy) { return copy.index < f.parameters.size(); }) &&
         !(f.has_body() && f.linkage == Linkage::Declaration);
}

bool startup_is_valid(const Program& p) {
  const auto is_fine = [&](FunctionId id) { return exists(id, p.functions); };
  return std::ranges::all_of(p.constructors, is_fine) && std::ranges::all_of(p.destructors, is_fine) &&
         p.constructors.size() == p.constructor_priorities.size() &&
         p.destructors.size() == p.destructor_priorities.size() &&
         std::ranges::all_of(p.aliases, [&](const Alias& a) { return is_address(p, a.target); });
}

bool annotations_are_valid(const Program& p) {
  return std::ranges::all_of(p.annotations, [&](const LockAnnotation& a) {
    return a.subject.kind() == Operand::Kind::None || is_address(p, a.subject);
  });
}

Error invalid(std::string_view kind, std::string_view name) {
  return {std::string(kind) + " '" + std::string(name) + "' is malformed"};
}

}  // namespace

Result<void> check_program(const Program& program) {
  const std::uint32_t width = program.layout.pointer_bits;  // 16: AVR, MSP430
  if (width != 16 && width != 32 && width != 64) return error("pointers have no width");
  if (!TypeCheck(program).run()) return error("a type is malformed");
  if (!locations_are_valid(program)) return error("a place in the source is malformed");
  if (!constants_are_valid(program)) return error("a constant is malformed");
  for (const Global& g : program.globals)
    if (!is_valid(program, g)) return std::unexpected(invalid("the variable", g.name));
  for (const Function& f : program.functions)
    if (!is_valid(program, f)) return std::unexpected(invalid("the function", f.name));
  if (const Function* f = find_malformed_body(program)) return std::unexpected(invalid("the function", f->name));
  if (!startup_is_valid(program)) return error("the list of constructors or aliases is malformed");
  if (!annotations_are_valid(program)) return error("an annotation is malformed");
  return {};
}

}  // namespace heddle
