// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/user_code.h"

#include <algorithm>
#include <ranges>

#include "report/short_names.h"

namespace heddle::race {
namespace {

/// `main::$_0::operator()`: what clang calls the body of a lambda.
bool is_lambda(std::string_view name) {
  constexpr std::string_view call = "::operator()";
  if (!name.ends_with(call)) return false;
  name.remove_suffix(call.size());
  const std::size_t digits = name.find_last_not_of("0123456789");
  return digits != std::string_view::npos && digits + 1 < name.size() && name.substr(0, digits + 1).ends_with("$_");
}

std::string_view file_of(const Program& program, LocationId location) {
  if (!location || !program.locations[location].file) return {};
  return program.files[program.locations[location].file].path;
}

/// The parameter that the source calls `this`.
const ValueName* this_of(const Function& f) {
  const auto named = std::ranges::find_if(
      f.names, [&](const ValueName& n) { return n.name == "this" && !n.names_memory && f.is_parameter(n.value); });
  return named == f.names.end() ? nullptr : &*named;
}

}  // namespace

bool is_library(const Program& program, FunctionId function) {
  return report::is_library_file(file_of(program, program.functions[function].location));
}

std::string person_name(const Program& program, FunctionId function) {
  const Function& f = program.functions[function];
  const std::string_view file = file_of(program, f.location);
  if (!is_lambda(f.shown_name()) || file.empty()) return {};
  return "lambda at " + std::string(file.substr(file.rfind('/') + 1)) + ":" +
         std::to_string(program.locations[f.location].line);
}

std::string thread_name_of(const Program& program, std::span<const CallStep> stack) {
  if (stack.empty()) return {};
  const FunctionId entry = stack.back().function;
  for (const CallStep& step : stack | std::views::reverse) {
    if (is_library(program, step.function)) continue;
    std::string name = person_name(program, step.function);
    if (!name.empty() || step.function == entry) return name;
    return std::string(program.functions[step.function].shown_name());
  }
  return {};
}

CallStep user_step(const Program& program, std::span<const CallStep> stack) {
  const auto first = std::ranges::find_if(stack, [&](const CallStep& s) { return !is_library(program, s.function); });
  return first == stack.end() ? stack.front() : *first;
}

std::string UserPaths::operator()(std::span<const CallStep> stack) {
  const auto user = std::ranges::find_if(stack, [&](const CallStep& s) { return !is_library(program_, s.function); });
  if (user == stack.begin() || user == stack.end()) return {};
  const Function& f = program_.functions[user->function];
  if (user->instruction >= f.instructions.size() || !f.instructions[user->instruction].is_call()) return {};
  const std::span<const Operand> arguments = f.arguments_of(f.instructions[user->instruction]);
  const Function& callee = program_.functions[std::prev(user)->function];
  if (const ValueName* self = this_of(callee)) {
    if (self->value.index() >= arguments.size()) return {};
    const TypeId object = self->source_type ? program_.types[self->source_type].element : TypeId{};
    return name(user->function, arguments[self->value.index()], object);
  }
  for (std::size_t i = 0; i < std::min(arguments.size(), callee.parameters.size()); ++i)
    if (program_.types[callee.parameters[i]].kind == TypeKind::Pointer)
      if (std::string found = name(user->function, arguments[i], {}); !found.empty()) return found;
  return {};
}

/// Of variables and members only: a temporary's name says nothing.
std::string UserPaths::name(FunctionId function, const Operand& argument, TypeId type) {
  const AccessPathId path =
      type ? namer_.path_of_object(function, argument, type) : namer_.path_of_value(function, argument);
  if (!path || !paths_.is_complete(path)) return {};
  const PathStep root = paths_[paths_.root(path)].step;
  if (root == PathStep::Allocation || root == PathStep::CallResult || root == PathStep::Unknown) return {};
  return paths_.print(path);
}

}  // namespace heddle::race
