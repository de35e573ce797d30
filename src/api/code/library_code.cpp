// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/code/library_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "api/code/code_template.h"
#include "api/models/embedded_models.h"
#include "api/reader/model_reader.h"

namespace heddle::api {
namespace {

/// The rule of a function of the library, if the program calls it and does not define it.
class RuleOf {
 public:
  RuleOf(const Program& program, const std::vector<CodeRule>& rules) {
    std::map<std::string_view, const CodeRule*> by_name;
    for (const CodeRule& rule : rules)
      for (const std::string& name : rule.functions) by_name.emplace(name, &rule);
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const Function& function = program.functions[FunctionId(i)];
      if (function.has_body()) continue;
      if (const auto at = by_name.find(function.name); at != by_name.end()) rules_.emplace(FunctionId(i), at->second);
    }
  }

  [[nodiscard]] bool empty() const { return rules_.empty(); }
  /// Null if there is none.
  [[nodiscard]] const CodeRule* operator()(Operand callee) const {
    const auto at = callee.is_function() ? rules_.find(callee.as_function()) : rules_.end();
    return at == rules_.end() ? nullptr : at->second;
  }
  [[nodiscard]] const std::map<FunctionId, const CodeRule*>& all() const { return rules_; }

 private:
  std::map<FunctionId, const CodeRule*> rules_;
};

/// Whether what the function does is more than work on what it is given.
bool does_more(const Function& function) {
  return std::ranges::any_of(function.instructions, &Instruction::is_call) ||
         std::ranges::any_of(function.operands, [](Operand operand) { return operand.is_global(); });
}

/// Calls of templates become calls of functions that are made for their entries.
class Rewriting {
 public:
  Rewriting(Program& program, const RuleOf& rule_of) : program_(program), rule_of_(rule_of) {}

  void run() {
    for (std::size_t i = 0, count = program_.functions.size(); i < count; ++i) rewrite(FunctionId(i));
  }

  std::vector<TemplateUse> uses;
  std::vector<std::string> symbols;

 private:
  void rewrite(FunctionId id) {
    std::vector<std::pair<std::size_t, FunctionId>> changes;  // instruction, new callee
    const std::size_t instructions = program_.functions[id].instructions.size();
    for (std::size_t i = 0; i < instructions; ++i) {
      const Function& function = program_.functions[id];
      const Instruction& call = function.instructions[i];
      if (!call.is_call()) continue;
      const CodeRule* rule = rule_of_(function.operands_of(call)[0]);
      if (rule == nullptr || rule->part.empty()) continue;
      if (const FunctionId entry = entry_of(function, call, *rule))
        changes.emplace_back(i, made_for(id, i, *rule, entry));
    }
    if (changes.empty()) return;
    Function& function = program_.functions[id];
    std::vector<Operand> operands(function.operands.begin(), function.operands.end());
    std::vector<CallInfo> calls(function.calls.begin(), function.calls.end());
    for (const auto& [number, callee] : changes) {
      const Instruction& call = function.instructions[number];
      operands[call.first_operand] = Operand::function(callee);
      calls[call.extra].function_type = program_.functions[callee].type;
    }
    function.operands = program_.arena.copy(operands);
    function.calls = program_.arena.copy(calls);
  }

  /// None if it is not known here.
  FunctionId entry_of(const Function& function, const Instruction& call, const CodeRule& rule) const {
    const auto arguments = function.arguments_of(call);
    const auto at = static_cast<std::size_t>(rule.entry != Effect::none ? rule.entry : rule.entry_of);
    if (at >= arguments.size()) return {};
    if (rule.entry != Effect::none) {
      const bool is_known = arguments[at].is_function() && program_.functions[arguments[at].as_function()].has_body();
      return is_known ? arguments[at].as_function() : FunctionId();
    }
    if (!arguments[at].is_value() || function.is_parameter(arguments[at].as_value())) return {};
    const Instruction& made = function.instructions[function.definition(arguments[at].as_value())];
    if (!made.is_call()) return {};
    const CodeRule* maker = rule_of_(function.operands_of(made)[0]);
    return maker == nullptr || maker->entry == Effect::none ? FunctionId() : entry_of(function, made, *maker);
  }

  FunctionId made_for(FunctionId caller, std::size_t instruction, const CodeRule& rule, FunctionId entry) {
    const Function& function = program_.functions[caller];
    const FunctionId library = function.operands_of(function.instructions[instruction])[0].as_function();
    const auto [at, is_new] = made_.try_emplace({library, entry});
    if (!is_new) return at->second;
    const std::size_t number = numbers_.try_emplace(entry, numbers_.size()).first->second;
    Function& body = program_.functions[entry];
    if (body.linkage == Linkage::Internal) body.linkage = Linkage::External;  // the code refers to it by name
    TemplateUse use{rule.part, number, std::string(body.name), "", {}, "", 0, does_more(body)};
    use.symbol = std::string(program_.functions[library].name) + "(" + use.entry + ")";
    for (std::size_t i = static_cast<std::size_t>(rule.own_parameters);
         rule.own_parameters > 0 && i < body.parameters.size(); ++i)
      use.types.push_back(type_text(body.parameters[i]));
    if (const LocationId where = function.instructions[instruction].location) {
      use.file = program_.files[program_.locations[where].file].path;
      use.line = program_.locations[where].line;
    }
    at->second = declare(library, entry, rule, use.symbol);
    symbols.push_back(use.symbol);
    if (!rule.with.empty())
      add_once({rule.with, number, use.entry, use.symbol + " with", {}, use.file, use.line, use.does_more});
    add_once(std::move(use));
    return at->second;
  }

  /// The templates of one entry, each once; one that calls refer to goes before one that another needs.
  void add_once(TemplateUse use) {
    for (TemplateUse& known : uses)
      if (known.part == use.part && known.number == use.number) {
        if (!use.symbol.ends_with(" with")) known.symbol = use.symbol;
        return;
      }
    uses.push_back(std::move(use));
  }

  /// As clang passes what a region uses: pointers, and numbers as wide as these.
  [[nodiscard]] std::string type_text(TypeId id) const {
    const Type& type = program_.types[id];
    if (type.kind == TypeKind::Pointer) return "void *";
    return type.value_bits <= 32 ? "unsigned" : "unsigned long long";
  }

  FunctionId declare(FunctionId library, FunctionId entry, const CodeRule& rule, const std::string& symbol) {
    Function made = program_.functions[library];
    const Function& body = program_.functions[entry];
    std::vector<TypeId> parameters(made.parameters.begin(), made.parameters.end());
    if (rule.own_parameters > 0)
      parameters.insert(parameters.end(), body.parameters.begin() + rule.own_parameters, body.parameters.end());
    Type type = program_.types[made.type];
    made.name = made.source_name = program_.arena.text(symbol);
    made.parameters = type.parameters = program_.arena.copy(parameters);
    made.is_vararg = type.is_vararg = false;
    made.is_address_taken = false;
    made.type = program_.types.add(std::move(type));
    return program_.functions.add(std::move(made));
  }

  Program& program_;
  const RuleOf& rule_of_;
  std::map<std::pair<FunctionId, FunctionId>, FunctionId> made_;  ///< library function and entry
  std::map<FunctionId, std::size_t> numbers_;                     ///< of entries
};

bool has_thread_locals(const Program& program) {
  return std::ranges::any_of(program.globals, [](const Global& global) { return global.is_thread_local; });
}

/// What a function, or the constants it uses, refers to.
void add_used(const Program& unit, Operand operand, std::vector<FunctionId>& to) {
  if (operand.is_function()) to.push_back(operand.as_function());
  if (operand.is_constant())
    for (const Operand element : unit.constants[operand.as_constant()].elements) add_used(unit, element, to);
  if (operand.is_global())
    for (const Relocation& relocation : unit.globals[operand.as_global()].relocations)
      add_used(unit, relocation.target, to);
}

/// The text with the files that it includes in their places; marks tell write_out where each line stands.
Result<std::string> with_included(const std::string& name, std::string_view text) {
  constexpr std::string_view include = "#include \"";
  std::string out;
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (!one.starts_with(include)) {
      out += std::string(one) + "\n";
      continue;
    }
    const std::string part = "models/" + std::string(one.substr(include.size(), one.rfind('"') - include.size()));
    const auto file = std::ranges::find(embedded_models(), part, &EmbeddedModel::file);
    if (file == embedded_models().end()) return error(name + ": no file '" + part + "'");
    out += line_mark(1, part) + std::string(file->text) + line_mark(line + 1, name);
  }
  return out;
}

}  // namespace

void keep_only(Program& unit, const std::vector<std::string>& symbols) {
  std::vector<FunctionId> to_do = unit.constructors;
  for (const std::string& symbol : symbols)
    if (const FunctionId id = unit.find_function(symbol)) to_do.push_back(id);
  std::set<FunctionId> kept;
  while (!to_do.empty()) {
    const FunctionId id = to_do.back();
    to_do.pop_back();
    if (!kept.insert(id).second) continue;
    for (const Operand operand : unit.functions[id].operands) add_used(unit, operand, to_do);
  }
  for (std::size_t i = 0; i < unit.functions.size(); ++i) {
    Function& function = unit.functions[FunctionId(i)];
    if (kept.contains(FunctionId(i)) || !function.has_body()) continue;
    Function declaration;
    declaration.name = function.name;
    declaration.source_name = function.source_name;
    declaration.type = function.type;
    declaration.parameters = function.parameters;
    declaration.linkage = Linkage::Declaration;
    function = declaration;
  }
}

Result<LibraryCode> library_code(Program& program, const std::vector<CodeRule>& rules, const std::string& name,
                                 std::string_view file_text) {
  const RuleOf rule_of(program, rules);
  if (rule_of.empty()) return LibraryCode{};
  Rewriting rewriting(program, rule_of);
  rewriting.run();
  program.index_names();
  LibraryCode out{name, "", std::move(rewriting.symbols)};
  for (const auto& [function, rule] : rule_of.all())
    if (rule->part.empty()) out.symbols.emplace_back(program.functions[function].name);
  Result<std::string> text = write_out(file_text, rewriting.uses, name);
  if (!text) return std::unexpected(text.error());
  out.text = (has_thread_locals(program) ? "#define HEDDLE_THREAD_LOCALS 1\n" : "") + *text;
  return out;
}

Result<std::vector<LibraryCode>> library_code(Program& program) {
  std::vector<LibraryCode> out;
  for (const EmbeddedModel& embedded : embedded_models()) {
    if (!embedded.file.ends_with(".toml") || !embedded.text.contains("[[code]]")) continue;
    auto read = read_models(embedded.text, std::string(embedded.file));
    if (!read) return std::unexpected(read.error());
    std::map<std::string, std::vector<CodeRule>> by_file;
    for (CodeRule& rule : read->code) by_file["models/" + rule.file].push_back(std::move(rule));
    for (const auto& [name, rules] : by_file) {
      const auto file = std::ranges::find(embedded_models(), name, &EmbeddedModel::file);
      if (file == embedded_models().end()) return error(std::string(embedded.file) + ": no file '" + name + "'");
      const Result<std::string> text = with_included(name, file->text);
      if (!text) return std::unexpected(text.error());
      Result<LibraryCode> code = library_code(program, rules, name, *text);
      if (!code) return std::unexpected(code.error());
      if (!code->symbols.empty()) out.push_back(std::move(*code));
    }
  }
  return out;
}

}  // namespace heddle::api
