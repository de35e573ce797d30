// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/locks/lock_aliases.h"

#include <algorithm>
#include <map>

#include "api/action.h"
#include "base/contains.h"

namespace heddle::alias {
namespace {

/// The argument with a lock, and whether it is taken; none if the effect is about no such lock.
std::optional<std::pair<api::Argument, bool>> lock_argument(const api::Effect& effect) {
  const api::Action action = api::action_of(effect);
  const auto* take = std::get_if<api::TakeLock>(&action);
  const auto* give = std::get_if<api::GiveLock>(&action);
  if (take == nullptr && give == nullptr) return std::nullopt;
  const api::LockRef& lock = take != nullptr ? take->lock : give->lock;
  if (lock.kind != api::LockRef::Kind::Object || lock.object < 0) return std::nullopt;
  return std::pair(lock.object, take != nullptr);
}

}  // namespace

LockAliases::LockAliases(const Program& program, const api::ApiModels& models, const AliasFacts& aliases)
    : program_(program),
      aliases_(aliases),
      memory_(program, models, aliases),
      summaries_(memory_),
      callers_(program.functions.size()) {
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i)
      if (function.instructions[i].is_call())
        for (const FunctionId callee : targets_of(program, aliases, FunctionId(f), i))
          callers_[callee.index()].push_back({FunctionId(f), i});
  }
  find_uses(models);
}

void LockAliases::find_uses(const api::ApiModels& models) {
  std::map<std::uint32_t, LockPartition> by_object;
  for (std::uint32_t f = 0; f < program_.functions.size(); ++f) {
    if (program_.functions[FunctionId(f)].has_body()) continue;
    const api::Model* model = callers_[f].empty() ? nullptr : models.find(program_.functions[FunctionId(f)].name);
    if (model == nullptr) continue;
    for (const api::Effect& effect : model->effects) {
      const auto lock = lock_argument(effect);
      if (!lock) continue;
      for (const Caller& caller : callers_[f]) {
        const Function& code = program_.functions[caller.function];
        const auto arguments = code.arguments_of(code.instructions[caller.call]);
        const auto index = static_cast<std::size_t>(lock->first);
        if (index >= arguments.size()) continue;
        const LockUse use{caller.function, caller.call, arguments[index], lock->second};
        if (!is_partitioned(use.function, use.pointer)) {
          outside_.push_back(use);
          continue;
        }
        const std::uint32_t object = aliases_.canonical(aliases_.place(use.function, use.pointer)).object.index();
        by_object[object].object = object;
        by_object[object].uses.push_back(use);
      }
    }
  }
  for (auto& [object, partition] : by_object) {
    std::ranges::sort(partition.uses, {}, [](const LockUse& u) { return std::pair(u.function, u.instruction); });
    partitions_.push_back(std::move(partition));
  }
}

bool LockAliases::is_partitioned(FunctionId id, Operand pointer) const {
  if (!aliases_.place(id, pointer).valid()) return false;
  const auto term = summaries_.term_of(id, pointer);
  if (!term || term->is_global() || program_.functions[id].is_parameter(ValueId(term->index))) return term.has_value();
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[function.definition(ValueId(term->index))];
  const bool is_assembly = code.is_call() && function.operands_of(code)[0].kind() == Operand::Kind::Asm;
  return code.opcode != Opcode::Cast && code.opcode != Opcode::Binary && code.opcode != Opcode::Unsupported &&
         !is_assembly;
}

std::optional<LockTerm> LockAliases::origin(std::span<const ContextStep> context, Operand pointer, Contexts contexts) {
  if (context.empty() || !is_partitioned(context.back().function, pointer)) return std::nullopt;
  const auto term = summaries_.term_of(context.back().function, pointer);
  return term ? origin(context, *term, contexts) : std::nullopt;
}

std::optional<LockTerm> LockAliases::origin(std::span<const ContextStep> context, const LockTerm& pointer,
                                            Contexts contexts) {
  if (context.empty()) return std::nullopt;
  auto term = summaries_.before(context.back().function, context.back().instruction, pointer);
  if (contexts == Contexts::Joined) {
    std::set<FunctionId> above;
    return term ? at_all_calls(context.back().function, *term, above) : std::nullopt;
  }
  for (std::size_t i = context.size() - 1; i > 0 && term; --i) {
    const ContextStep& call = context[i - 1];
    term = summaries_.at_call(call.function, call.instruction, context[i].function, *term);
    if (term) term = summaries_.before(call.function, call.instruction, *term);
  }
  return term;
}

bool LockAliases::must_alias(std::span<const ContextStep> context, const LockTerm& a, const LockTerm& b,
                             Contexts contexts) {
  const auto first = origin(context, a, contexts);
  return first && first == origin(context, b, contexts);
}

/// What all values are that meet in phis and selects, round loops too; nothing: there are several.
std::optional<LockTerm> LockAliases::only_choice(FunctionId id, ValueId value) const {
  const Function& function = program_.functions[id];
  std::optional<LockTerm> out;
  std::vector<Operand> open{Operand::value(value)};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto term = summaries_.term_of(id, open[i]);
    if (!term) return std::nullopt;
    const bool is_own = !term->is_global() && term->offset == 0 && !function.is_parameter(ValueId(term->index));
    const Instruction* code = is_own ? &function.instructions[function.definition(ValueId(term->index))] : nullptr;
    if (code == nullptr || (code->opcode != Opcode::Phi && code->opcode != Opcode::Select)) {
      if (out && *out != *term) return std::nullopt;
      out = term;
      continue;
    }
    const bool is_phi = code->opcode == Opcode::Phi;
    const auto operands = function.operands_of(*code);
    for (std::size_t k = is_phi ? 0 : 1; k < operands.size(); k += is_phi ? 2 : 1)
      if (!contains(open, operands[k])) open.push_back(operands[k]);
  }
  return out;
}

std::optional<GlobalPlace> LockAliases::address(FunctionId id, ValueId value) {
  const Function& function = program_.functions[id];
  const auto place_of = [&](const LockTerm& term) -> std::optional<GlobalPlace> {
    if (program_.globals[GlobalId(term.index)].is_thread_local) return std::nullopt;  // another one in each thread
    return GlobalPlace{GlobalId(term.index), term.offset};
  };
  if (const auto only = only_choice(id, value); only && only->is_global()) return place_of(*only);
  if (!function.has_body() || !is_partitioned(id, Operand::value(value))) return std::nullopt;
  const std::size_t made = function.is_parameter(value) ? 0 : function.definition(value) + 1;
  if (made >= function.instructions.size()) return std::nullopt;
  const ContextStep point{id, static_cast<std::uint32_t>(made)};
  const auto term = origin({&point, 1}, Operand::value(value), Contexts::Joined);
  if (!term || !term->is_global() || !term->path.empty()) return std::nullopt;
  return place_of(*term);
}

/// What a term of a function's entry is in terms of globals, if that is the same at all of its calls. `above`: the
/// functions that are being asked for: recursion says nothing.
std::optional<LockTerm> LockAliases::at_all_calls(FunctionId function, const LockTerm& entry,
                                                  std::set<FunctionId>& above) {
  if (entry.is_global() && entry.path.empty()) return entry;
  const Function& code = program_.functions[function];
  // Somebody who is not seen may call it; a pointer in memory is whatever it was then.
  if (code.is_address_taken || callers_[function.index()].empty())
    return entry.is_global() ? std::optional(entry) : std::nullopt;
  if (!above.insert(function).second) return std::nullopt;
  std::optional<LockTerm> out;
  bool is_one = true;
  for (const Caller& caller : callers_[function.index()]) {
    const auto here = summaries_.at_call(caller.function, caller.call, function, entry);
    const auto began = here ? summaries_.before(caller.function, caller.call, *here) : std::nullopt;
    const auto term = began ? at_all_calls(caller.function, *began, above) : std::nullopt;
    is_one &= term.has_value() && (!out || out == term);
    if (!is_one) break;
    out = term;
  }
  above.erase(function);
  return is_one ? out : std::nullopt;
}

}  // namespace heddle::alias
