// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/followed_memory.h"

#include <algorithm>

#include "api/action.h"

namespace heddle::judge::transaction {

bool is_told_by_acts(const api::Model& model, int argument) {
  using namespace api;
  const auto is_other = [&](auto... used) { return ((used != argument) && ...); };
  return std::ranges::all_of(model.effects, [&](const Effect& effect) {
    return treat(
        action_of(effect), [](const TakeLock&) { return true; }, [](const GiveLock&) { return true; },
        [&](const SetUpObject& object) { return is_other(object.value, object.recursive_if); },
        [&](const StartThread& start) { return !start.indirect && is_other(start.entry, start.argument); },
        [&](const RunLater& later) { return is_other(later.entry, later.priority); },
        [&](const LeaveThread& leave) { return !leave.indirect && is_other(leave.handle, leave.result); },
        [](const UseCondition& use) { return !use.indirect; }, [](const WaitAtBarrier&) { return true; },
        [](const UseSemaphore&) { return true; }, [](const RunOnce&) { return false; },
        [&](const UseThreadValue& value) { return is_other(value.key, value.value, value.destructor); },
        [&](const MakeMemory& make) { return is_other(make.into, make.old); },
        [&](const Touch& touch) {
          return touch.extent == Touch::Extent::Hidden ||
                 (touch.extent == Touch::Extent::Object && touch.object != argument);
        },
        [&](const TouchAtomic& touch) { return is_other(touch.object, touch.value, touch.expected); },
        [&](const MovePointers& move) { return is_other(move.to, move.from); },
        [&](const ReturnValue& value) { return value.object != argument; }, [](const CallBack&) { return false; },
        [&](const End& end) { return end.value != argument; }, [](const Assume&) { return true; },
        [](const MaskEntries&) { return false; }, [](const DoUnsupported&) { return false; });
  });
}

FollowedMemory::FollowedMemory(const Program& program, const api::ApiModels& models)
    : program_(program), models_(models), lost_(program.globals.size()) {
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    lost_[g] = lost_[g] || global.is_declaration() || global.is_thread_local || global.is_constant ||
               global.linkage == Linkage::Weak;
    for (const Relocation& word : global.relocations) lose(word.target);
  }
  for (std::size_t c = 0; c < program.constants.size(); ++c)
    for (const Operand element : program.constants[ConstantId(c)].elements) lose(element);
  // A parameter is followed until one of its uses is not; who passes on to it is looked at again then.
  for (bool changed = true; changed;) {
    const std::size_t before = lost_parameters_.size();
    for (std::size_t f = 0; f < program.functions.size(); ++f)
      if (program.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
    changed = lost_parameters_.size() != before;
  }
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) lose_globals_in(program.functions[FunctionId(f)]);
}

void FollowedMemory::lose(Operand operand) {
  if (operand.is_global()) lost_[operand.as_global().index()] = true;
}

void FollowedMemory::look_at(FunctionId id) {
  const Function& f = program_.functions[id];
  for (std::size_t k = 0; k < f.parameters.size(); ++k)
    if (follows_parameter(id, k) && !is_followed(f, ValueId(k)))
      lost_parameters_.insert({id, static_cast<std::uint32_t>(k)});
}

void FollowedMemory::lose_globals_in(const Function& f) {
  for (const Instruction& user : f.instructions) {
    const auto operands = f.operands_of(user);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!operands[k].is_global() || lost_[operands[k].as_global().index()]) continue;
      if (!is_followed_use(f, user, k)) lose(operands[k]);
    }
  }
}

bool FollowedMemory::follows(FunctionId function, std::size_t alloca) const {
  const auto [known, is_new] = allocas_.try_emplace({function, alloca}, false);
  const Function& f = program_.functions[function];
  if (is_new) known->second = is_followed(f, f.result_of(alloca));
  return known->second;
}

bool FollowedMemory::is_followed(const Function& f, ValueId pointer) const {
  for (const Instruction& user : f.instructions) {
    const auto operands = f.operands_of(user);
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k] == Operand::value(pointer) && !is_followed_use(f, user, k)) return false;
  }
  return true;
}

bool FollowedMemory::is_followed_use(const Function& f, const Instruction& user, std::size_t operand) const {
  const auto result = [&] { return f.result_of(static_cast<std::size_t>(&user - f.instructions.data())); };
  switch (user.opcode) {
    case Opcode::Load:
    case Opcode::Compare: return true;
    case Opcode::Store: return operand == 1;
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg: return operand == 0;
    case Opcode::Gep: return operand == 0 && f.geps[user.extra].strides.empty() && is_followed(f, result());
    case Opcode::Cast:
      return (user.cast_op() == CastOp::Bitcast || user.cast_op() == CastOp::AddrSpaceCast) && is_followed(f, result());
    case Opcode::Call:
    case Opcode::Invoke: {
      const std::size_t arguments = f.arguments_of(user).size();
      return operand >= 1 && operand <= arguments && is_followed_argument(f, user, operand - 1);
    }
    default: return false;
  }
}

bool FollowedMemory::is_followed_argument(const Function& f, const Instruction& call, std::size_t argument) const {
  const Operand callee = f.operands_of(call)[0];
  if (!callee.is_function()) return false;
  for (const ByValue& copy : f.calls[call.extra].byval)
    if (copy.index == argument) return false;
  const Function& target = program_.functions[callee.as_function()];
  if (target.has_body())
    return argument < target.parameters.size() && follows_parameter(callee.as_function(), argument);
  const api::Model* model = models_.find(target.name);
  return model != nullptr && is_told_by_acts(*model, static_cast<int>(argument));
}

}  // namespace heddle::judge::transaction
