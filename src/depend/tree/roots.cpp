// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/roots.h"

#include <algorithm>
#include <map>
#include <set>

#include "depend/system/near_text.h"

namespace heddle::depend {
namespace {

/// `VAR@function:line` in parts.
struct WantedRoot {
  std::string text = {};  ///< as it was written
  std::string variable = {}, function = {};
  std::uint32_t line = 0;

  [[nodiscard]] bool is_whole() const { return variable.find_first_of(".[-") == std::string::npos; }
  [[nodiscard]] std::string head() const { return variable.substr(0, variable.find_first_of(".[-")); }
};

WantedRoot parse_root(const std::string& text) {
  WantedRoot out{.text = text, .variable = text};
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return out;
  out.variable = text.substr(0, at);
  out.function = text.substr(at + 1);
  const std::size_t colon = out.function.rfind(':');
  const std::string last = colon == std::string::npos ? out.function : out.function.substr(colon + 1);
  constexpr std::size_t most_digits = 9;
  if (last.empty() || last.size() > most_digits ||
      !std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; }))
    return out;
  out.line = static_cast<std::uint32_t>(std::stoul(last));
  out.function = colon == std::string::npos ? "" : out.function.substr(0, colon);
  return out;
}

class RootFinder {
 public:
  RootFinder(DependenceGraph& graph, NodeLabels& labels, WantedRoot wanted)
      : graph_(graph), labels_(labels), program_(graph.program()), wanted_(std::move(wanted)) {}

  Result<TreeRoot> run() {
    if (wanted_.variable.ends_with("()")) {
      add_calls(wanted_.variable.substr(0, wanted_.variable.size() - 2));
    } else {
      for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (is_named(program_.globals[GlobalId(g)])) add_global(GlobalId(g));
      if (!wanted_.function.empty() || wanted_.line != 0) add_locals();
    }
    if (found_.empty()) return failure();
    TreeRoot root{.name = wanted_.text, .why = {}, .nodes = {}};
    for (const bool writes : {true, false})  // an input is read only; so is what stands in a condition
      if (root.nodes.empty())
        std::ranges::copy_if(found_, std::back_inserter(root.nodes), [&](NodeId node) {
          return (graph_[node].is_definition() || graph_[node].kind == NodeKind::Outside) == writes;
        });
    std::ranges::sort(root.nodes, {}, [&](NodeId node) {
      const NodePlace place = labels_.place(node);
      return std::tuple(place.file, place.line, node);
    });
    return root;
  }

 private:
  [[nodiscard]] bool is_named(const Global& global) const {
    return global.shown_name() == wanted_.head() || global.name.substr(0, global.name.find('@')) == wanted_.head() ||
           global.name == wanted_.variable;
  }

  void add_global(GlobalId global) {
    is_known_ = true;
    const auto all = graph_.cells().shared().all().find(global);
    if (all == graph_.cells().shared().all().end()) return;
    for (const Access& access : all->second) {
      const LocationId at = program_.functions[access.function].instructions[access.instruction].location;
      if (!is_here(access.function, at)) continue;
      if (!fits(labels_.memory(access.function, access.instruction, access.writes))) continue;
      for (const PathId path : graph_.paths_to(access.function))
        add(access.writes ? graph_.write(path, access.instruction) : graph_.read(path, access.instruction));
    }
  }

  /// A part of the variable; what goes through a pointer may be any.
  [[nodiscard]] bool fits(const std::string& name) const {
    if (wanted_.is_whole() || name == wanted_.variable || !name.starts_with(wanted_.head())) return true;
    return name.starts_with(wanted_.variable) && std::string_view(".[").contains(name[wanted_.variable.size()]);
  }

  [[nodiscard]] bool is_here(FunctionId function, LocationId at) const {
    if (!wanted_.function.empty() && program_.functions[function].shown_name() != wanted_.function) return false;
    return wanted_.line == 0 || (at && program_.locations[at].line == wanted_.line);
  }

  void add_locals() {
    for (std::size_t f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[FunctionId(f)];
      if (!wanted_.function.empty() && function.shown_name() != wanted_.function) continue;
      for (const ValueName& name : function.names)
        if (name.name == wanted_.head()) add_local(FunctionId(f), name);
    }
  }

  void add_local(FunctionId id, const ValueName& name) {
    const Function& function = program_.functions[id];
    is_known_ = true;
    const Operand operand = Operand::value(name.value);
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      const bool is_definition = !name.names_memory && function.result_of(i) == name.value;
      const bool uses = std::ranges::find(function.operands_of(code), operand) != function.operands_of(code).end();
      if ((!is_definition && !uses) || !is_here(id, code.location)) continue;
      for (const PathId path : graph_.paths_to(id)) {
        if (is_definition && code.opcode != Opcode::Phi) add(graph_.value(path, name.value));
        if (uses && !name.names_memory && wanted_.line != 0)
          for (const NodeId node : graph_.operands(path, operand, code.location)) add(node);
        if (uses && name.names_memory && code.opcode == Opcode::Store) add(graph_.write(path, i));
        if (uses && name.names_memory && code.opcode == Opcode::Load) add(graph_.read(path, i));
      }
    }
  }

  void add_calls(const std::string& callee) {
    for (std::size_t f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[FunctionId(f)];
      for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const Instruction& code = function.instructions[i];
        if (!code.is_call() || !function.operands_of(code)[0].is_function()) continue;
        const Function& target = program_.functions[function.operands_of(code)[0].as_function()];
        if (target.shown_name() != callee || target.has_body()) continue;
        is_known_ = true;
        if (!is_here(FunctionId(f), code.location)) continue;
        for (const PathId path : graph_.paths_to(FunctionId(f))) add(graph_.outside(path, i));
      }
    }
  }

  void add(NodeId node) {
    if (std::ranges::find(found_, node) == found_.end()) found_.push_back(node);
  }

  [[nodiscard]] std::unexpected<Error> failure() const {
    const std::string root = "root '" + wanted_.text + "': ";
    const bool has_place = !wanted_.function.empty() || wanted_.line != 0;
    if (is_known_)
      return error(root + "'" + wanted_.variable + "' is " + (has_place ? "not used there" : "never used"));
    std::set<std::string> known;
    for (const Global& global : program_.globals)
      if (!global.source_name.empty()) known.emplace(global.source_name);
    if (!wanted_.function.empty())
      for (const Function& function : program_.functions)
        if (function.shown_name() == wanted_.function)
          for (const ValueName& name : function.names) known.emplace(name.name);
    return error(root + "there is no variable '" + wanted_.head() + "'" + near_text(wanted_.head(), known));
  }

  DependenceGraph& graph_;
  NodeLabels& labels_;
  const Program& program_;
  WantedRoot wanted_;
  std::vector<NodeId> found_;
  bool is_known_ = false;
};

/// Calls of functions without a body that get a value from this program.
template <class Visit>
void for_each_given(const Program& program, const System& system, Visit&& visit) {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      if (!code.is_call() || !function.operands_of(code)[0].is_function()) continue;
      const Function& target = program.functions[function.operands_of(code)[0].as_function()];
      const auto arguments = function.arguments_of(code);
      const bool gives = std::ranges::any_of(arguments, [](Operand argument) { return argument.is_value(); });
      if (!target.has_body() && !target.is_intrinsic && gives && !system.mask_step(function, code))
        visit(FunctionId(f), i, target);
    }
  }
}

bool is_written_only(const std::vector<Access>& all) {
  return std::ranges::any_of(all, &Access::writes) && std::ranges::none_of(all, &Access::reads);
}

void add_named(DependenceGraph& graph, NodeLabels& labels, const std::vector<NamedVariable>& variables,
               const std::string& why, std::vector<TreeRoot>& to) {
  for (const NamedVariable& one : variables)
    if (auto root = root_named(graph, labels, one.name)) {
      root->why = why;
      to.push_back(std::move(*root));
    }
}

}  // namespace

Result<TreeRoot> root_named(DependenceGraph& graph, NodeLabels& labels, const std::string& text) {
  return RootFinder(graph, labels, parse_root(text)).run();
}

std::vector<TreeRoot> find_roots(DependenceGraph& graph, NodeLabels& labels) {
  std::vector<TreeRoot> found;
  add_named(graph, labels, graph.system().error_flags(), "error flag of heddle.toml", found);
  add_named(graph, labels, graph.system().outputs(), "output of heddle.toml", found);
  if (!found.empty()) return found;
  for (const auto& [global, all] : graph.cells().shared().all()) {
    if (!is_written_only(all)) continue;
    TreeRoot root{.name = std::string(graph.program().globals[global].shown_name()), .why = "written and never read"};
    for (const Access& access : all)
      for (const PathId path : graph.paths_to(access.function))
        root.nodes.push_back(graph.write(path, access.instruction));
    found.push_back(std::move(root));
  }
  std::map<std::string, TreeRoot> outside;
  for_each_given(graph.program(), graph.system(), [&](FunctionId function, std::size_t call, const Function& target) {
    const std::string name = std::string(target.shown_name()) + "()";
    TreeRoot& root = outside.try_emplace(name, TreeRoot{name, "given to a function without a body"}).first->second;
    for (const PathId path : graph.paths_to(function)) root.nodes.push_back(graph.outside(path, call));
  });
  for (auto& [name, root] : outside) found.push_back(std::move(root));
  return found;
}

std::vector<NodeId> all_sinks(DependenceGraph& graph) {
  std::vector<NodeId> found;
  for (const auto& [global, all] : graph.cells().shared().all())
    for (const Access& access : all)
      if (access.writes)
        for (const PathId path : graph.paths_to(access.function))
          found.push_back(graph.write(path, access.instruction));
  for_each_given(graph.program(), graph.system(), [&](FunctionId function, std::size_t call, const Function&) {
    for (const PathId path : graph.paths_to(function)) found.push_back(graph.outside(path, call));
  });
  return found;
}

}  // namespace heddle::depend
