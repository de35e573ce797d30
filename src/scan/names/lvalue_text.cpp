// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/lvalue_text.h"

#include <algorithm>

namespace heddle::scan {

std::string LvalueText::value_name(FunctionId function, std::uint32_t value, bool of_memory) const {
  if (!function) return "?";
  const Function& f = program_.functions[function];
  std::string_view found;
  auto name = std::ranges::lower_bound(f.names, ValueId(value), {}, &ValueName::value);
  for (; name != f.names.end() && name->value.index() == value; ++name)
    if (name->names_memory == of_memory && (found.empty() || name->name < found)) found = name->name;
  return found.empty() ? "?" : std::string(found);
}

AccessPathId LvalueText::object(std::span<const Node> nodes, FunctionId function, NodeId id) {
  const Node& node = nodes[id.index()];
  AccessPath row;
  row.function = node.function ? node.function : function;
  row.index = node.index;
  const auto pointed_to = [&](PathStep step) {
    row.step = step;
    row.text = is_some_object(node) && node.type ? "<some " + std::string(program_.types[node.type].name) + ">"
                                                 : value_name(row.function, node.index, false);
    AccessPath target;
    target.step = PathStep::Dereference;
    target.parent = paths_.intern(row);
    return paths_.intern(target);
  };
  switch (node.kind) {
    case NodeKind::Formal: return pointed_to(PathStep::Parameter);
    case NodeKind::Value: return pointed_to(PathStep::Local);
    case NodeKind::Global: {
      const Global& global = program_.globals[GlobalId(node.index)];
      row.step = PathStep::Global;
      row.function = {};
      row.text = global.shown_name();
      return paths_.intern(row);
    }
    case NodeKind::Local:
      row.step = PathStep::Local;
      row.text = value_name(row.function, node.index, true);
      return paths_.intern(row);
    case NodeKind::Fresh: {
      row.step = PathStep::Allocation;
      const Function& f = program_.functions[node.function];
      row.text = "<memory allocated at " + program_.where(f.instructions[node.index].location) + ">";
      return paths_.intern(row);
    }
    case NodeKind::Hidden:
      row.step = PathStep::Unknown;
      row.function = {};
      row.text = "<state of the library>";
      return paths_.intern(row);
    case NodeKind::Element: {
      const Node& parent = nodes[node.parent.index()];
      Place at{object(nodes, function, node.parent), parent.type, node.offset};
      row = {};
      row.step = PathStep::PointerElement;
      row.is_symbolic = true;
      row.text = "*";
      row.parent = walk_.best_path(at, {});
      return paths_.intern(row);
    }
    case NodeKind::Target: {
      const Node& parent = nodes[node.parent.index()];
      AccessPath target;
      target.step = PathStep::Dereference;
      target.parent = walk_.best_path({object(nodes, function, node.parent), parent.type, node.offset},
                                      {program_.layout.pointer_bits / 8, TypeKind::Pointer});
      return paths_.intern(target);
    }
  }
  return paths_.intern(row);
}

std::string LvalueText::print(std::span<const Node> nodes, FunctionId function, Lvalue lvalue, std::uint32_t size) {
  const Node& node = nodes[lvalue.node.index()];
  Place at{object(nodes, function, lvalue.node), node.type, lvalue.offset};
  if (size != 0) return paths_.print(walk_.best_path(at, {size, TypeKind::Int}));
  // A lock is a member, not the struct that begins with it; but what the lock itself consists of is nobody's business.
  if (at.type && (at.offset != 0 || program_.types[at.type].kind == TypeKind::Struct))
    if (const Place inner = walk_.member(at); inner.type && is_record(program_.types[inner.type])) {
      std::string text = paths_.print(walk_.path_to(inner));
      const std::size_t last = text.find_last_of(".>");
      if (last == std::string::npos || !text.substr(last + 1).starts_with("_")) return text;
    }
  return paths_.print(walk_.path_to(at));
}

}  // namespace heddle::scan
