// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/node_labels.h"

#include <bit>

#include "program/model/function_queries.h"

namespace heddle::depend {

NodeLabels::NodeLabels(DependenceGraph& graph)
    : graph_(graph), program_(graph.program()), namer_(graph.program(), table_) {}

std::string NodeLabels::name(NodeId id) {
  const GraphNode& node = graph_[id];
  const FunctionId function = graph_.frame(id).function;
  const Function& code = program_.functions[function];
  switch (node.kind) {
    case NodeKind::Write: return memory(function, node.instruction, true);
    case NodeKind::Read: return memory(function, node.instruction, false);
    case NodeKind::Choice: return std::string(name_of(code, code.result_of(node.instruction)));
    case NodeKind::Value:
    case NodeKind::Use: {
      const std::string_view name = name_of(code, ValueId(node.detail));
      return name.empty() ? "parameter " + std::to_string(node.detail + 1) : std::string(name);
    }
    case NodeKind::Constant: return constant_name(node.detail);
    case NodeKind::Control: return control_name(id);
    case NodeKind::Outside: return call_name(id);
  }
  return "?";
}

NodePlace NodeLabels::place(NodeId id) const {
  const GraphNode& node = graph_[id];
  const Function& function = graph_.function(id);
  const LocationId at = node.at ? node.at : function.location;
  NodePlace out{.function = std::string(function.shown_name())};
  if (!at) return out;
  out.file = std::string(program_.files[program_.locations[at].file].path);
  out.line = program_.locations[at].line;
  return out;
}

std::string NodeLabels::calls(NodeId id) const {
  const CallFrame* frame = &graph_.frame(id);
  std::string out(program_.functions[frame->function].shown_name());
  if (frame->is_any) return "… → " + out;
  while (frame->caller) {
    const std::uint32_t call = frame->call;
    frame = &graph_.paths()[frame->caller];
    const Function& caller = program_.functions[frame->function];
    const LocationId at = caller.instructions[call].location;
    out =
        std::string(caller.shown_name()) + (at ? ":" + std::to_string(program_.locations[at].line) : "") + " → " + out;
  }
  return out;
}

std::string NodeLabels::label(NodeId id) {
  const NodePlace at = place(id);
  return name(id) + " (L:" + (at.line == 0 ? "?" : std::to_string(at.line)) + "@" + at.function + ")";
}

const std::string& NodeLabels::memory(FunctionId function, std::size_t instruction, bool writes) {
  const std::uint64_t key = (std::uint64_t{function.index()} << 32U) | instruction;
  const auto [at, is_new] = memory_[writes ? 1 : 0].try_emplace(key);
  if (is_new) at->second = memory_name(function, instruction, writes);
  return at->second;
}

std::string NodeLabels::memory_name(FunctionId id, std::size_t instruction, bool writes) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[instruction];
  for (const AccessSite& site : access_sites(program_, function, instruction)) {
    const bool fits =
        writes ? heddle::writes(site.kind) : site.kind == AccessKind::Read || site.kind == AccessKind::Update;
    if (!fits) continue;
    const AccessPathId path = namer_.path_of_site(id, site);
    const bool is_global = table_[table_.root(path)].step == PathStep::Global;
    const Operand address = function.operands_of(code)[site.address_operand];
    const auto place = graph_.cells().places().place(id, address);
    return !is_global && place ? place_name(*place, site.size) : table_.print(path);
  }
  // What a function without a body gets the address of.
  if (code.is_call())
    for (const Operand argument : function.arguments_of(code))
      if (is_pointer(program_, function, argument)) return table_.print(namer_.path_of_value(id, argument));
  return "?";
}

std::string NodeLabels::place_name(const alias::GlobalPlace& place, std::optional<std::uint64_t> size) {
  const Global& global = program_.globals[place.global];
  AccessPath root;
  root.step = PathStep::Global;
  root.index = place.global.index();
  root.text = std::string(global.shown_name());
  TypeWalk walk(program_, table_);
  return table_.print(
      walk.best_path({table_.intern(std::move(root)), global.source_type, place.offset}, {size, TypeKind::Other}));
}

std::string NodeLabels::constant_name(std::uint32_t detail) const {
  const auto kind = static_cast<Operand::Kind>(detail >> 29U);
  const std::uint32_t index = detail & Operand::largest_index;
  if (kind == Operand::Kind::Global) return "&" + std::string(program_.globals[GlobalId(index)].shown_name());
  if (kind == Operand::Kind::Function) return std::string(program_.functions[FunctionId(index)].shown_name());
  const Constant& constant = program_.constants[ConstantId(index)];
  if (constant.kind == Constant::Kind::Null) return "NULL";
  if (constant.kind == Constant::Kind::Float && constant.wide.empty()) {
    const bool is_single = program_.types[constant.type].size_bits == 32;
    const double number = is_single ? std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))
                                    : std::bit_cast<double>(constant.bits);
    std::string text = std::to_string(number);
    while (text.contains('.') && text.ends_with('0') && !text.ends_with(".0")) text.pop_back();
    return text;
  }
  const auto number = signed_number(program_, constant);
  return number ? std::to_string(*number) : constant.kind == Constant::Kind::Zero ? "0" : "constant";
}

std::string NodeLabels::control_name(NodeId id) {
  const GraphNode& node = graph_[id];
  const Instruction& code = graph_.function(id).instructions[node.instruction];
  if (node.at) {
    const Location& at = program_.locations[node.at];
    std::string_view text = sources_.line(std::string(program_.files[at.file].path), at.line);
    text = at.column > 0 && at.column <= text.size() ? text.substr(at.column - 1) : std::string_view();
    for (const std::string_view word : {"for", "while", "do", "switch"})
      if (text.starts_with(word)) return "[" + std::string(word) + "]";
  }
  if (code.opcode == Opcode::Switch) return "[switch]";
  return graph_.is_loop(id) ? "[while]" : "[if]";
}

std::string NodeLabels::call_name(NodeId id) const {
  const Function& function = graph_.function(id);
  const Operand callee = function.operands_of(function.instructions[graph_[id].instruction])[0];
  if (callee.is_function()) return std::string(program_.functions[callee.as_function()].shown_name()) + "()";
  return callee.is_value() ? "a call through a pointer" : "assembly";
}

}  // namespace heddle::depend
