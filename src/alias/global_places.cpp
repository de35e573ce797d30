// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/global_places.h"

namespace heddle::alias {
namespace {

bool keeps_address(const Instruction& code) {
  return code.opcode == Opcode::Cast && (code.cast_op() == CastOp::Bitcast || code.cast_op() == CastOp::AddrSpaceCast);
}

}  // namespace

GlobalPlaces::GlobalPlaces(const Program& program, Callers callers)
    : program_(program), parameters_(program.functions.size()) {
  const FunctionId main = program.find_function("main");
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[FunctionId(i)];
    const bool is_program = main.valid() && FunctionId(i) != main;
    const bool is_closed = callers == Callers::AreSeen || function.linkage == Linkage::Internal || is_program;
    parameters_[i].resize(function.parameters.size());
    if (function.has_body() && is_closed && !function.is_address_taken) continue;
    for (Parameter& parameter : parameters_[i]) parameter.passed = Passed::Various;
  }
  // What no call has passed yet may still be anything: at the end it is of a function that nobody calls.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < program.functions.size(); ++i) changed = look_at_calls(FunctionId(i)) || changed;
  }
}

bool GlobalPlaces::look_at_calls(FunctionId id) {
  const Function& caller = program_.functions[id];
  bool changed = false;
  for (const Instruction& code : caller.instructions) {
    if (!code.is_call() || !caller.operands_of(code)[0].is_function()) continue;
    std::vector<Parameter>& parameters = parameters_[caller.operands_of(code)[0].as_function().index()];
    const auto arguments = caller.arguments_of(code);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].passed == Passed::Various) continue;
      const Base base = base_of(caller, i < arguments.size() ? arguments[i] : Operand());
      const bool is_parameter = base.operand.is_value() && caller.is_parameter(base.operand.as_value());
      const bool is_open = is_parameter && parameters_[id.index()][base.operand.index()].passed == Passed::Nothing;
      if (!is_open) changed = pass(parameters[i], place_of(id, base)) || changed;
    }
  }
  return changed;
}

bool GlobalPlaces::pass(Parameter& parameter, const std::optional<GlobalPlace>& place) {
  if (parameter.passed == Passed::Place && place == parameter.place) return false;
  const bool is_first = parameter.passed == Passed::Nothing && place;
  parameter = is_first ? Parameter{Passed::Place, *place} : Parameter{Passed::Various, {}};
  return true;
}

GlobalPlaces::Base GlobalPlaces::base_of(const Function& function, Operand address) {
  Base base{address};
  while (base.operand.is_value() && !function.is_parameter(base.operand.as_value())) {
    const Instruction& code = function.instructions[function.definition(base.operand.as_value())];
    if (code.opcode == Opcode::Gep) {
      base.offset += function.geps[code.extra].constant_offset;
      base.is_exact = base.is_exact && function.geps[code.extra].strides.empty();
    } else if (!keeps_address(code)) {
      break;
    }
    base.operand = function.operands_of(code)[0];
  }
  return base;
}

std::optional<GlobalPlace> GlobalPlaces::place_of(FunctionId function, const Base& base) const {
  if (base.operand.is_global()) {
    if (program_.globals[base.operand.as_global()].is_thread_local) return std::nullopt;
    return base.is_exact ? std::optional(GlobalPlace{base.operand.as_global(), base.offset}) : std::nullopt;
  }
  if (!base.operand.is_value() || !program_.functions[function].is_parameter(base.operand.as_value()))
    return std::nullopt;
  const Parameter& parameter = parameters_[function.index()][base.operand.index()];
  if (parameter.passed != Passed::Place || !base.is_exact) return std::nullopt;
  return GlobalPlace{parameter.place.global, parameter.place.offset + base.offset};
}

std::optional<GlobalPlace> GlobalPlaces::place(FunctionId function, Operand address) const {
  return place_of(function, base_of(program_.functions[function], address));
}

GlobalId GlobalPlaces::global(FunctionId function, Operand address) const {
  Base base = base_of(program_.functions[function], address);
  base.is_exact = true;
  const auto place = place_of(function, base);
  return place ? place->global : GlobalId();
}

}  // namespace heddle::alias
