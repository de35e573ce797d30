// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/relevance.h"

#include <algorithm>

#include "api/action.h"

namespace heddle::judge::transaction {

bool is_plain(const api::Model& model) {
  using namespace api;
  return std::ranges::all_of(model.effects, [](const Effect& effect) {
    return treat(action_of(effect),
                 Always<true, UseThreadValue, MakeMemory, Touch, TouchAtomic, MovePointers, ReturnValue>{},
                 Always<false, TakeLock, GiveLock, SetUpObject, StartThread, RunLater, LeaveThread, UseCondition,
                        WaitAtBarrier, UseSemaphore, RunOnce, CallBack, End, Assume, MaskEntries, DoUnsupported>{});
  });
}

namespace {

bool is_plain_call(const Program& program, const api::ApiModels& models, const Function& f, const Instruction& call) {
  const Operand callee = f.operands_of(call)[0];
  if (!callee.is_function()) return false;
  const Function& target = program.functions[callee.as_function()];
  if (target.has_body()) return !models.is_atomic_function(target.name);
  if (target.is_intrinsic) return true;
  const api::Model* model = models.find(target.name);
  return model != nullptr && is_plain(*model);
}

bool is_plain(const Program& program, const api::ApiModels& models, const FollowedMemory& memory, const Function& f,
              const Instruction& code) {
  if (code.opcode == Opcode::Invoke || code.opcode == Opcode::Resume || code.opcode == Opcode::Unsupported)
    return false;
  if (code.is_call() && !is_plain_call(program, models, f, code)) return false;
  return std::ranges::none_of(f.operands_of(code), [&](const Operand operand) {
    return operand.is_global() && memory.follows(operand.as_global());
  });
}

}  // namespace

std::vector<bool> relevant_functions(const Program& program, const api::ApiModels& models, const FollowedMemory& memory,
                                     const std::set<Place>& places) {
  std::vector<bool> relevant(program.functions.size());
  std::vector<std::vector<FunctionId>> callers(program.functions.size());
  std::vector<FunctionId> work;
  const auto mark = [&](FunctionId f) {
    if (!relevant[f.index()]) work.push_back(f);
    relevant[f.index()] = true;
  };
  for (const Place& place : places) mark(place.function);
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const FunctionId id(i);
    const Function& f = program.functions[id];
    if (!f.has_body()) continue;
    if (models.is_atomic_function(f.name)) mark(id);
    for (const Instruction& code : f.instructions) {
      if (!is_plain(program, models, memory, f, code)) mark(id);
      if (code.is_call() && f.operands_of(code)[0].is_function())
        callers[f.operands_of(code)[0].as_function().index()].push_back(id);
    }
  }
  while (!work.empty()) {
    const FunctionId at = work.back();
    work.pop_back();
    for (const FunctionId caller : callers[at.index()]) mark(caller);
  }
  return relevant;
}

}  // namespace heddle::judge::transaction
