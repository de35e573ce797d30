// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/relevance.h"

#include <algorithm>

#include "api/action.h"
#include "program/model/inline_asm.h"

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

/// It may write far behind what its arguments point to.
bool rearranges(const api::Model& model) {
  return std::ranges::any_of(model.effects, [](const api::Effect& effect) {
    const auto touch = api::get<api::Touch>(effect);
    return touch && touch->extent == api::Touch::Extent::Reachable && touch->mode == api::Touch::Mode::Write;
  });
}

class Relevance {
 public:
  Relevance(const Program& program, const api::ApiModels& models, const PointedMemory& memory, const Names* names)
      : program_(program), models_(models), memory_(memory), names_(names) {
    find_handles();
  }

  [[nodiscard]] bool is_plain(FunctionId id, const Instruction& code) const {
    const Function& f = program_.functions[id];
    const auto operands = f.operands_of(code);
    switch (code.opcode) {
      case Opcode::Unsupported: return false;
      case Opcode::Call:
      case Opcode::Invoke: return is_plain_call(id, code);
      case Opcode::Load: return !touches(id, operands[0], false);
      case Opcode::Store: return !touches(id, operands[1], true);
      case Opcode::AtomicRmw:
      case Opcode::CmpXchg:
      case Opcode::MemCopy:
      case Opcode::MemSet: return !touches(id, operands[0], true);
      default: return true;
    }
  }
  /// None: anything.
  [[nodiscard]] std::optional<std::vector<FunctionId>> callees(FunctionId id, const Instruction& call) const {
    const Operand callee = program_.functions[id].operands_of(call)[0];
    if (callee.is_function()) return std::vector<FunctionId>{callee.as_function()};
    if (callee.kind() == Operand::Kind::Asm) return std::vector<FunctionId>{};
    std::vector<FunctionId> out;
    for (const Target& target : memory_.points().targets(id, callee)) {
      if (memory_.object(target.object).is_number()) continue;
      if (memory_.object(target.object).kind != alias::PointedObject::Kind::Function) return std::nullopt;
      out.push_back(memory_.object(target.object).function);
    }
    if (out.empty()) return std::nullopt;
    return out;
  }

 private:
  [[nodiscard]] bool is_plain_call(FunctionId id, const Instruction& call) const {
    const Function& f = program_.functions[id];
    const Operand callee = f.operands_of(call)[0];
    if (callee.kind() == Operand::Kind::Asm) return touches_no_memory(f.calls[call.extra].asm_text);
    if (!callee.is_function()) {
      const auto all = callees(id, call);
      return all && std::ranges::all_of(*all, [&](FunctionId one) { return program_.functions[one].has_body(); });
    }
    const Function& target = program_.functions[callee.as_function()];
    if (target.has_body()) return !models_.is_atomic_function(target.name);
    const api::Model* model = models_.find(target.name);
    if (target.is_intrinsic && model == nullptr) return true;
    if (model == nullptr || !transaction::is_plain(*model) || rearranges(*model)) return false;
    return std::ranges::none_of(f.arguments_of(call), [&](Operand argument) { return touches(id, argument, true); });
  }

  /// Through that pointer, or, in a library, anywhere in what it leads to.
  [[nodiscard]] bool touches(FunctionId id, Operand pointer, bool writes) const {
    return std::ranges::any_of(memory_.points().targets(id, pointer), [&](const Target& target) {
      if (memory_.is_unknown(target.object)) return writes;
      if (writes && handles_.contains(target.object)) return true;
      if (!memory_.is_single(target.object)) return false;
      return names_ == nullptr || names_->has_cells(target.object);
    });
  }

  void find_handles() {
    for (std::size_t i = 0; i < program_.functions.size(); ++i) {
      const Function& f = program_.functions[FunctionId(i)];
      for (const Instruction& code : f.instructions) {
        if (!code.is_call()) continue;
        const Operand callee = f.operands_of(code)[0];
        const api::Model* model =
            callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
        if (model == nullptr) continue;
        for (const api::Effect& effect : model->effects) {
          const auto start = api::get<api::StartThread>(effect);
          const auto arguments = f.arguments_of(code);
          if (!start || start->handle < 0 || static_cast<std::size_t>(start->handle) >= arguments.size()) continue;
          for (const Target& target :
               memory_.points().targets(FunctionId(i), arguments[static_cast<std::size_t>(start->handle)]))
            handles_.insert(target.object);
        }
      }
    }
  }

  const Program& program_;
  const api::ApiModels& models_;
  const PointedMemory& memory_;
  const Names* names_;
  std::set<ObjectIndex> handles_;
};

}  // namespace

std::vector<bool> relevant_functions(const Program& program, const api::ApiModels& models, const PointedMemory& memory,
                                     const Names* names, const std::set<Place>& places) {
  const Relevance relevance(program, models, memory, names);
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
      if (!relevance.is_plain(id, code)) mark(id);
      if (!code.is_call()) continue;
      if (const auto all = relevance.callees(id, code))
        for (const FunctionId callee : *all) callers[callee.index()].push_back(id);
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
