// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/shared_accesses.h"

#include <algorithm>

#include "api/action.h"
#include "depend/system/status_register.h"

namespace heddle::depend {
namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 40;

/// `base + offset + stride * index`, of one index.
struct Element {
  Operand base, index;
  std::int64_t offset = 0, stride = 0;
};

std::optional<Element> element_of(const Function& function, Operand address) {
  Element out{.base = address, .index = {}};
  while (out.base.is_value() && !function.is_parameter(out.base.as_value())) {
    const Instruction& code = function.instructions[function.definition(out.base.as_value())];
    if (code.opcode != Opcode::Gep) break;
    const GepInfo& gep = function.geps[code.extra];
    const auto operands = function.operands_of(code);
    if (gep.strides.size() + (out.stride != 0 ? 1 : 0) > 1) return std::nullopt;
    out.offset += gep.constant_offset;
    if (!gep.strides.empty()) {
      out.stride = gep.strides[0];
      out.index = operands[1];
    }
    out.base = operands[0];
  }
  return out.stride > 0 ? std::optional(out) : std::nullopt;
}

Operand unwidened(const Function& function, Operand operand) {
  while (operand.is_value() && !function.is_parameter(operand.as_value())) {
    const Instruction& code = function.instructions[function.definition(operand.as_value())];
    if (code.opcode != Opcode::Cast || (code.cast_op() != CastOp::SExt && code.cast_op() != CastOp::ZExt)) break;
    operand = function.operands_of(code)[0];
  }
  return operand;
}

bool excludes(const Access& wide, const Access& narrow) {
  return is_fixed(narrow) && wide.size == narrow.size &&
         std::ranges::find(wide.without, narrow.offset) != wide.without.end();
}

}  // namespace

bool may_meet(const Access& a, const Access& b) {
  if (a.variable != b.variable) return false;
  if (a.size == 0 || b.size == 0) return true;
  if (a.offset >= end_of(b) || b.offset >= end_of(a)) return false;
  return !excludes(a, b) && !excludes(b, a);
}

SharedAccesses::SharedAccesses(const Program& program, const api::ApiModels& models, const CallGraph& calls,
                               const alias::GlobalPlaces& places, const GlobalClasses& classes,
                               const Pointees& pointees, Numbers& numbers, ConditionFinder& conditions)
    : program_(program),
      models_(models),
      calls_(calls),
      places_(places),
      classes_(classes),
      pointees_(pointees),
      numbers_(numbers),
      conditions_(conditions) {
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
}

void SharedAccesses::look_at(FunctionId id) {
  const Function& function = program_.functions[id];
  for (const AccessSite& site : access_sites(program_, function)) look_at(id, site);
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    if (function.instructions[i].is_call()) look_at_call(id, i);
}

void SharedAccesses::look_at(FunctionId id, const AccessSite& site) {
  const Function& function = program_.functions[id];
  const Operand address = function.operands_of(function.instructions[site.instruction])[site.address_operand];
  if (const auto place = places_.place(id, address)) {
    add(id, site, *place);
  } else if (const GlobalId global = places_.global(id, address); global.valid()) {
    add(global, id, site, site.size ? element(id, site, address) : Access{});
  } else if (const auto places = pointees_.of(id, address); !places.empty()) {
    for (const alias::GlobalPlace& one : places) add(id, site, one);
  } else {
    for (const GlobalId one : classes_.behind(id, address)) add(one, id, site, Access{});
  }
}

void SharedAccesses::look_at_call(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[instruction];
  const Operand callee = function.operands_of(call)[0];
  if (callee.is_function() && program_.functions[callee.as_function()].has_body()) return;
  for (const Operand argument : function.arguments_of(call)) {
    const std::vector<GlobalId> globals = classes_.behind(id, argument);
    outside_.insert(globals.begin(), globals.end());
  }
  const api::Model* model =
      callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
  if (model != nullptr) look_at_model(id, instruction, *model);
}

void SharedAccesses::look_at_model(FunctionId id, std::size_t instruction, const api::Model& model) {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[instruction];
  const std::size_t count = function.arguments_of(call).size();
  for (const api::Effect& effect : model.effects) {
    const auto touch = api::get<api::Touch>(effect);
    if (!touch || touch->extent == api::Touch::Extent::Hidden || touch->object < 0) continue;
    const auto object = static_cast<std::size_t>(touch->object);
    const std::size_t end = touch->extent == api::Touch::Extent::Variadic ? count : std::min(object + 1, count);
    AccessSite site{.instruction = instruction,
                    .kind = touch->mode == api::Touch::Mode::Read ? AccessKind::Read : AccessKind::Write,
                    .size = bytes_of(id, call, touch->length)};
    for (std::size_t i = object; i < end; ++i) {
      site.address_operand = static_cast<std::uint32_t>(1 + i);  // behind the callee
      look_at(id, site);
    }
  }
}

std::optional<std::uint64_t> SharedAccesses::bytes_of(FunctionId id, const Instruction& call,
                                                      const api::Length& length) const {
  if (length.kind == api::Length::Kind::Constant) return static_cast<std::uint64_t>(length.value);
  if (length.kind != api::Length::Kind::Argument) return std::nullopt;
  const auto arguments = program_.functions[id].arguments_of(call);
  const auto at = static_cast<std::size_t>(length.value);
  const auto number = at < arguments.size() ? numbers_.of(id, arguments[at]) : std::nullopt;
  return number && *number > 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

Access SharedAccesses::element(FunctionId id, const AccessSite& site, Operand address) const {
  const Function& function = program_.functions[id];
  const auto found = element_of(function, address);
  if (!found || !found->base.is_global()) return {};
  const auto bytes = static_cast<std::int64_t>(program_.globals[found->base.as_global()].size);
  if (bytes <= found->offset || bytes > farthest || found->offset < 0) return {};
  // Outside of the variable it does not lie.
  const std::int64_t last = (bytes - 1 - found->offset) / found->stride;
  const Range range = conditions_.range(id, site.instruction, found->index);
  const std::int64_t low = std::max<std::int64_t>(range.low, 0), high = std::min(range.high, last);
  if (low > high) return {};
  Access access;
  access.offset = found->offset + low * found->stride;
  access.size = *site.size;
  access.reach = (high - low) * found->stride;
  for (const std::int64_t number : range.without)
    if (number >= 0 && number <= last) access.without.push_back(found->offset + number * found->stride);
  const Operand index = unwidened(function, found->index);
  if (index.is_value() && function.is_parameter(index.as_value()))
    access.by = ByParameter{index.as_value().index(), found->stride, found->offset};
  return access;
}

Access SharedAccesses::called_from(const Access& access, FunctionId caller, std::size_t call) const {
  if (!access.by) return access;
  const std::vector<FunctionId>& targets = calls_.targets(caller, call);
  if (std::ranges::find(targets, access.function) == targets.end()) return access;
  const Function& function = program_.functions[caller];
  const auto arguments = function.arguments_of(function.instructions[call]);
  if (access.by->parameter >= arguments.size()) return access;
  const auto number = numbers_.of(caller, arguments[access.by->parameter]);
  if (!number || *number < 0) return access;
  Access fixed = access;
  fixed.offset = access.by->offset + access.by->stride * *number;
  fixed.reach = 0;
  fixed.without.clear();
  return fixed;
}

void SharedAccesses::add(FunctionId function, const AccessSite& site, const alias::GlobalPlace& place) {
  Access access;
  access.offset = place.offset;
  access.size = site.size.value_or(0);
  add(place.global, function, site, access);
}

void SharedAccesses::add(GlobalId global, FunctionId function, const AccessSite& site, Access access) {
  if (program_.globals[global].is_constant || is_processor_state(program_, program_.globals[global])) return;
  access.variable = global;
  access.function = function;
  access.instruction = site.instruction;
  access.reads = site.kind == AccessKind::Read || site.kind == AccessKind::Update;
  access.writes = heddle::writes(site.kind);
  all_[global].push_back(std::move(access));
}

}  // namespace heddle::depend
