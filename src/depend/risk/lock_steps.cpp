// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/lock_steps.h"

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

/// Behind all ids of masks.
constexpr std::uint32_t lock_mask = ~std::uint32_t{0};

/// With this outcome of `result == 0`, or none where it does not tell.
std::optional<bool> zero_on_success(api::Success success) {
  if (success == api::Success::Zero) return true;
  if (success == api::Success::NonZero) return false;
  return std::nullopt;
}

std::string text_of(const char* what, const alias::GlobalPlace& place) {
  return what + std::to_string(place.global.index()) + "+" + std::to_string(place.offset);
}

}  // namespace

/// Only asked where a lock is in a variable.
void LockSteps::find_stored() {
  has_stored_ = true;
  for (std::size_t g = 0; g < program_.globals.size(); ++g)
    for (const Relocation& word : program_.globals[GlobalId(g)].relocations)
      if (word.target.is_global())
        stored_[{GlobalId(g), static_cast<std::int64_t>(word.offset)}].insert(
            {Stored::Kind::At, {word.target.as_global(), word.addend}});
  for (std::size_t f = 0; f < program_.functions.size(); ++f) look_at_stores(FunctionId(f));
}

void LockSteps::look_at_stores(FunctionId id) {
  const Function& function = program_.functions[id];
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    if (function.instructions[i].opcode != Opcode::Store) continue;
    const auto operands = function.operands_of(function.instructions[i]);
    const auto place = places_.place(id, operands[1]);
    const auto what = place ? stored_by(id, operands[0], i) : std::nullopt;
    if (what) stored_[*place].insert(*what);
  }
}

std::optional<LockSteps::Stored> LockSteps::stored_by(FunctionId id, Operand value, std::size_t instruction) const {
  const Function& function = program_.functions[id];
  const Operand plain = without_casts(function, value);
  if (const auto place = places_.place(id, plain)) return Stored{Stored::Kind::At, *place};
  if (const auto number = constant_number(program_, function, plain); number && *number != 0)
    return Stored{Stored::Kind::Number, {}, *number};
  if (plain.is_constant()) return std::nullopt;
  const Stored own{Stored::Kind::Own, {}, static_cast<std::int64_t>(instruction), id};
  if (!plain.is_value() || function.is_parameter(plain.as_value())) return own;
  const Instruction& code = function.instructions[function.definition(plain.as_value())];
  if (code.is_call()) return Stored{Stored::Kind::Made};
  const auto other = code.opcode == Opcode::Load ? places_.place(id, function.operands_of(code)[0]) : std::nullopt;
  return other ? Stored{Stored::Kind::In, *other} : own;
}

/// The lock in a variable that is set to one alone: that of another variable if it is a copy, and so on.
std::string LockSteps::lock_in(alias::GlobalPlace handle) {
  constexpr int most_copies = 8;
  if (!has_stored_) find_stored();
  for (int i = 0; i < most_copies; ++i) {
    const auto held = stored_.find(handle);
    if (held == stored_.end()) return text_of("in ", handle);
    if (held->second.size() > 1) return {};
    const Stored& stored = *held->second.begin();
    switch (stored.kind) {
      case Stored::Kind::At: return text_of("at ", stored.place);
      case Stored::Kind::Number: return "number " + std::to_string(stored.number);
      case Stored::Kind::Made:
      case Stored::Kind::Own: return text_of("in ", handle);
      case Stored::Kind::In: handle = stored.place; break;
    }
  }
  return {};
}

std::string LockSteps::name_of(FunctionId id, const Instruction& call, const api::LockRef& lock) {
  if (lock.kind != api::LockRef::Kind::Object) return "named " + std::string(lock.name);
  const Function& function = program_.functions[id];
  const auto arguments = function.arguments_of(call);
  if (lock.object < 0 || static_cast<std::size_t>(lock.object) >= arguments.size()) return {};
  const Operand argument = without_casts(function, arguments[static_cast<std::size_t>(lock.object)]);
  if (const auto place = places_.place(id, argument)) return text_of("at ", *place);
  if (const auto number = numbers_.of(id, argument)) return "number " + std::to_string(*number);
  if (!argument.is_value() || function.is_parameter(argument.as_value())) return {};
  const Instruction& code = function.instructions[function.definition(argument.as_value())];
  if (code.opcode != Opcode::Load) return {};
  const auto handle = places_.place(id, function.operands_of(code)[0]);
  return handle ? lock_in(*handle) : std::string();
}

MaskStep LockSteps::named(FunctionId function, const Instruction& call, const api::LockRef& lock, MaskStep::Step step) {
  MaskStep out{.step = step, .of = MaskStep::Of::Lock, .mask = lock_mask};
  const std::string name = name_of(function, call, lock);
  out.number = name.empty() ? MaskStep::any_lock
                            : locks_.try_emplace(name, static_cast<std::int64_t>(locks_.size())).first->second;
  return out;
}

std::optional<LockSteps::Step> LockSteps::step_of(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[instruction];
  if (!call.is_call() || !function.operands_of(call)[0].is_function()) return std::nullopt;
  const Function& callee = program_.functions[function.operands_of(call)[0].as_function()];
  const std::string_view name = callee.name.substr(0, callee.name.find('@'));
  const api::Model* model = callee.has_body() ? models_.find_wrapper(name) : models_.find(name);
  if (model == nullptr) return std::nullopt;
  for (const api::Effect& effect : model->effects) {
    const api::Action action = api::action_of(effect);
    if (const auto* give = std::get_if<api::GiveLock>(&action))
      return Step{named(id, call, give->lock, MaskStep::Step::End), api::Success::Always};
    const auto* take = std::get_if<api::TakeLock>(&action);
    if (take == nullptr || take->mode != api::LockMode::Exclusive) continue;
    const Step step{named(id, call, take->lock, MaskStep::Step::Begin), take->outcome.success};
    if (step.step.number != MaskStep::any_lock) return step;
  }
  return std::nullopt;
}

std::optional<MaskStep> LockSteps::of_call(FunctionId function, std::size_t instruction) {
  const auto step = step_of(function, instruction);
  return step && step->success == api::Success::Always ? std::optional(step->step) : std::nullopt;
}

std::optional<MaskStep> LockSteps::of_edge(FunctionId id, BlockId from, BlockId to) {
  const Function& function = program_.functions[id];
  const Block& block = function.blocks[from.index()];
  const Instruction& last = function.instructions[block.first + block.count - 1];
  if (last.opcode != Opcode::CondBranch) return std::nullopt;
  const auto branch = function.operands_of(last);
  if (branch[1] == branch[2] || !branch[0].is_value() || function.is_parameter(branch[0].as_value()))
    return std::nullopt;
  const Instruction& asked = function.instructions[function.definition(branch[0].as_value())];
  if (asked.opcode != Opcode::Compare) return std::nullopt;
  const auto sides = function.operands_of(asked);
  const Operand result = without_casts(function, sides[0]);
  const auto number = numbers_.of(id, sides[1]);
  if (!number || !result.is_value() || function.is_parameter(result.as_value())) return std::nullopt;
  const auto step = step_of(id, function.definition(result.as_value()));
  const auto zero = step ? zero_on_success(step->success) : std::nullopt;
  const bool equals = asked.predicate() == Predicate::Eq;
  if (!zero || (!equals && asked.predicate() != Predicate::Ne)) return std::nullopt;
  const bool is_same = (to == branch[1].as_block()) == equals;  // result == number where this edge is taken
  const bool is_zero = *number == 0 ? is_same : !is_same;
  // `== 1` says that it is not zero; `!= 1` says nothing.
  if (*number != 0 && !is_same) return std::nullopt;
  return is_zero == *zero ? std::optional(step->step) : std::nullopt;
}

}  // namespace heddle::depend
