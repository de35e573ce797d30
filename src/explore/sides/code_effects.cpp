// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/code_effects.h"

#include <algorithm>

#include "explore/sides/effects_walk.h"

namespace heddle::explore {
namespace {

alias::AliasOptions without_assumptions() {
  alias::AliasOptions options;
  options.externals_keep_pointers = options.arithmetic_leaves_arrays = options.assembly_follows_pointers = true;
  return options;
}

bool derives_address(const Instruction& code) {
  return code.opcode == Opcode::Gep || code.opcode == Opcode::Phi || code.opcode == Opcode::Select ||
         (code.opcode == Opcode::Cast && code.cast_op() == CastOp::Bitcast);
}

bool uses_as_address(const Instruction& code, std::size_t operand) {
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::MemSet:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw: return operand == 0;
    case Opcode::Store: return operand == 1;
    case Opcode::MemCopy: return operand <= 1;
    case Opcode::Compare: return true;
    default: return false;
  }
}

}  // namespace

CodeEffects::CodeEffects(const Program& program, const api::ApiModels& models, AddressOf address_of, Knowledge knowledge,
                         bool everything_is_visible)
    : program_(program),
      models_(models),
      address_of_(std::move(address_of)),
      knowledge_(std::move(knowledge)),
      everything_is_visible_(everything_is_visible),
      aliases_(alias::find_aliases(program, models, without_assumptions())) {}

const api::Model* CodeEffects::model_of(FunctionId function) const {
  return models_.find(program_.functions[function].name);
}

CodeEffects::Known CodeEffects::known(FunctionId function) const {
  if (model_of(function) == nullptr) return Known::Nothing;
  return knowledge_ ? knowledge_(program_.functions[function]) : Known::Everything;
}

Region CodeEffects::region_of(FunctionId function, Operand address) const {
  const alias::Place place = aliases_.place(function, address);
  return place.valid() && place.object.valid() ? place.object.index() : any_region;
}

Variable CodeEffects::variable_of(FunctionId function, Operand address, std::uint64_t size) const {
  Variable variable{region_of(function, address), {}};
  const auto place = global_place(program_, program_.functions[function], address);
  const std::uint64_t begin = place && size != 0 ? address_of_(place->global) : 0;
  if (begin != 0) variable.bytes = {begin + static_cast<std::uint64_t>(place->offset), size};
  return variable;
}

const CodeEffects::Flow& CodeEffects::flow_of(FunctionId function) {
  const auto known = flows_.find(function);
  if (known != flows_.end()) return known->second;
  Flow flow;
  flow.cfg = flow::build_cfg(program_.functions[function], flow::Liveness::Skip);
  flow.meeting = flow::post_dominators(program_.functions[function], flow.cfg);
  flow.own = own_variables(function);
  return flows_.emplace(function, std::move(flow)).first->second;
}

/// A library function that looks at the memory it is given and keeps no address of it.
bool CodeEffects::only_touches(const Function& caller, const Instruction& call) const {
  const Operand callee = caller.operands_of(call)[0];
  if (!callee.is_function() || program_.functions[callee.as_function()].has_body()) return false;
  const api::Model* model = model_of(callee.as_function());
  const auto is_touch = [](const api::Effect& effect) {
    const auto touch = api::get<api::Touch>(effect);
    return touch && touch->extent != api::Touch::Extent::Reachable;
  };
  return model != nullptr && std::ranges::all_of(model->effects, is_touch);
}

/// What begins as a local variable's address, goes through address arithmetic, and is used for accesses only.
std::vector<bool> CodeEffects::own_variables(FunctionId id) const {
  const Function& function = program_.functions[id];
  std::vector<bool> own(function.value_count());
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    own[function.result_of(i).index()] =
        function.instructions[i].opcode == Opcode::Alloca || derives_address(function.instructions[i]);
  for (bool changed = true; changed;) {
    changed = false;
    const auto refuse = [&](Operand operand) {
      if (!operand.is_value() || !own[operand.index()]) return;
      own[operand.index()] = false;
      changed = true;
    };
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      const auto operands = function.operands_of(code);
      const Operand result = Operand::value(function.result_of(i));
      if (derives_address(code)) {
        // One that is not its own makes the result foreign, and a foreign result lets its sources out.
        const std::size_t first = code.opcode == Opcode::Select ? 1 : 0;
        const std::size_t count = code.opcode == Opcode::Gep || code.opcode == Opcode::Cast ? 1 : operands.size();
        const auto is_source = [&](std::size_t k) { return !operands[k].is_block(); };
        for (std::size_t k = first; k < count; ++k)
          if (is_source(k) && !(operands[k].is_value() && own[operands[k].index()])) refuse(result);
        if (!own[result.index()])
          for (std::size_t k = first; k < count; ++k) refuse(operands[k]);
        continue;
      }
      if (code.is_call() && only_touches(function, code)) continue;
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (!uses_as_address(code, k)) refuse(operands[k]);
    }
  }
  return own;
}

Effects CodeEffects::of_blocks(FunctionId function, BlockId from, BlockId until) {
  return Walk(*this, function).run(from, until);
}

const Effects& CodeEffects::of_function(FunctionId function) {
  const auto known = functions_.find(function);
  if (known != functions_.end()) return known->second;
  static const Effects anything{.accesses = {}, .end = std::nullopt, .may_do_anything = true};
  if (!program_.functions[function].has_body() || std::ranges::find(under_way_, function) != under_way_.end())
    return anything;
  under_way_.push_back(function);
  Effects effects = of_blocks(function, BlockId(0), BlockId());
  under_way_.pop_back();
  return functions_.emplace(function, std::move(effects)).first->second;
}

}  // namespace heddle::explore
