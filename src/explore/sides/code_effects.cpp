// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/code_effects.h"

#include <algorithm>

#include "explore/sides/effects_walk.h"
#include "explore/sides/thread_entries.h"
#include "program/model/function_queries.h"

namespace heddle::explore {
namespace {

alias::AliasOptions without_assumptions() {
  alias::AliasOptions options;
  options.externals_keep_pointers = options.arithmetic_leaves_arrays = options.assembly_follows_pointers = true;
  return options;
}

/// True if `into` changed.
bool grow(Effects& into, Effects more) {
  bool changed = more.may_do_anything() && !into.may_do_anything();
  if (changed) into.unknown = std::move(more.unknown);
  if (more.end && into.end) {
    changed = meet(*into.end, *more.end) || changed;
  } else if (more.end) {
    into.end = std::move(more.end);
    changed = true;
  }
  for (SideAccess& access : more.accesses) {
    if (std::ranges::find(into.accesses, access) != into.accesses.end()) continue;
    into.accesses.push_back(std::move(access));
    changed = true;
  }
  return changed;
}

}  // namespace

CodeEffects::CodeEffects(const Program& program, const api::ApiModels& models, AddressOf address_of,
                         Knowledge knowledge, bool everything_is_visible)
    : program_(program),
      models_(models),
      address_of_(std::move(address_of)),
      knowledge_(std::move(knowledge)),
      everything_is_visible_(everything_is_visible),
      places_(program),
      own_(program, models),
      only_entry_(only_entries(program, models)),
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
  const auto place = places_.place(function, address);
  const std::uint64_t begin = place && size != 0 ? address_of_(place->global) : 0;
  if (begin != 0) variable.bytes = {begin + static_cast<std::uint64_t>(place->offset), size};
  return variable;
}

Bytes CodeEffects::behind_argument(FunctionId function, Operand address, std::uint64_t size) const {
  if (size == 0 || !only_entry_[function.index()]) return {};
  const alias::GlobalPlaces::Base base = alias::GlobalPlaces::base_of(program_.functions[function], address);
  const bool is_given = base.operand.is_value() && program_.functions[function].is_parameter(base.operand.as_value()) &&
                        base.operand.index() == 0;
  if (!is_given || !base.is_exact) return {};
  return {static_cast<std::uint64_t>(base.offset), size};
}

const CodeEffects::Flow& CodeEffects::flow_of(FunctionId function) {
  const auto known = flows_.find(function);
  if (known != flows_.end()) return known->second;
  Flow flow;
  flow.cfg = flow::build_cfg(program_.functions[function], flow::Liveness::Skip);
  flow.meeting = flow::post_dominators(program_.functions[function], flow.cfg);
  return flows_.emplace(function, std::move(flow)).first->second;
}

std::optional<CodeEffects::Passed> CodeEffects::passed_to(FunctionId id) const {
  const Function& function = program_.functions[id];
  if (!function.is_vararg || function.is_address_taken) return std::nullopt;
  Passed passed;
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    const Function& caller = program_.functions[FunctionId(f)];
    for (const Instruction& code : caller.instructions) {
      if (!code.is_call() || caller.operands_of(code)[0] != Operand::function(id)) continue;
      const auto arguments = caller.arguments_of(code);
      for (std::size_t i = function.parameters.size(); i < arguments.size(); ++i) {
        if (!is_pointer(program_, caller, arguments[i]) || own_.holds(FunctionId(f), arguments[i])) continue;
        const GlobalId global = places_.global(FunctionId(f), arguments[i]);
        if (!global.valid() || !program_.globals[global].is_constant) passed.emplace_back(FunctionId(f), arguments[i]);
      }
    }
  }
  return passed;
}

/// A parameter for which every caller passes null: whoever calls through it never gets there.
bool CodeEffects::is_always_null(FunctionId id, Operand operand) const {
  const Function& function = program_.functions[id];
  if (!operand.is_value() || !function.is_parameter(operand.as_value())) return false;
  if (function.linkage != Linkage::Internal || function.is_address_taken) return false;
  const auto passes_null = [&](const Function& caller, const Instruction& code) {
    const auto arguments = caller.arguments_of(code);
    if (operand.index() >= arguments.size() || !arguments[operand.index()].is_constant()) return false;
    return program_.constants[arguments[operand.index()].as_constant()].kind == Constant::Kind::Null;
  };
  for (const Function& caller : program_.functions)
    for (const Instruction& code : caller.instructions)
      if (code.is_call() && caller.operands_of(code)[0] == Operand::function(id) && !passes_null(caller, code))
        return false;
  return true;
}

Effects CodeEffects::of_blocks(FunctionId function, BlockId from, BlockId until) {
  return Walk(*this, function).run(from, until);
}

const Effects& CodeEffects::of_function(FunctionId function) {
  const auto known = functions_.find(function);
  if (known != functions_.end()) return known->second;
  static const Effects anything{.accesses = {}, .end = std::nullopt, .unknown = "a function without a body"};
  if (!program_.functions[function].has_body()) return anything;
  const auto at = std::ranges::find(under_way_, function, &UnderWay::function);
  const auto done = looked_at_.find(function);
  if (at != under_way_.end()) {
    at->is_called = true;
    depend_on(static_cast<std::size_t>(at - under_way_.begin()));
  } else if (done != looked_at_.end()) {
    depend_on(done->second);
  } else {
    look_at(function);
  }
  const auto settled = functions_.find(function);
  return settled != functions_.end() ? settled->second : growing_[function];
}

void CodeEffects::depend_on(std::size_t outermost) {
  std::size_t& own = under_way_.back().outermost;
  own = std::min(own, outermost);
}

/// Whoever depends on nobody further out goes on until nothing grows; the others are looked at once in each round.
void CodeEffects::look_at(FunctionId function) {
  constexpr unsigned most_rounds = 20;
  const std::size_t depth = under_way_.size();
  const bool had_grown = has_grown_;
  under_way_.push_back({function, depth, false});
  for (unsigned round = 0;; ++round) {
    has_grown_ = false;
    Effects found = of_blocks(function, BlockId(0), BlockId());
    if (round == most_rounds && !found.may_do_anything()) found.unknown = "functions that call each other";
    has_grown_ = grow(growing_[function], std::move(found)) || has_grown_;
    if (under_way_.back().outermost < depth || !under_way_.back().is_called || !has_grown_) break;
    std::erase_if(looked_at_, [&](const auto& one) { return one.second >= depth; });
  }
  has_grown_ = has_grown_ || had_grown;
  finish(depth);
}

/// The last one under way is over for this round, or for good, and then so are those that depend on it alone.
void CodeEffects::finish(std::size_t depth) {
  const UnderWay done = under_way_.back();
  under_way_.pop_back();
  if (done.outermost < depth) {
    looked_at_[done.function] = done.outermost;
    return depend_on(done.outermost);
  }
  const auto settle = [&](FunctionId one) { functions_.emplace(one, std::move(growing_.extract(one).mapped())); };
  settle(done.function);
  for (auto one = looked_at_.begin(); one != looked_at_.end();) {
    const bool is_over = one->second >= depth;
    if (is_over) settle(one->first);
    one = is_over ? looked_at_.erase(one) : std::next(one);
  }
}

}  // namespace heddle::explore
