// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/other_threads.h"

#include <algorithm>

#include "api/action.h"
#include "api/object_size.h"
#include "scan/calls/called_model.h"

namespace heddle::scan {
namespace {

template <class Action>
bool does(const api::Model* model) {
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           return api::get<Action>(effect).has_value();
         });
}

/// Sets the kind of a lock, or takes one that readers share: whoever holds that may be told so when he takes it again.
bool may_refuse(const api::Model* model) {
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto object = api::get<api::SetUpObject>(effect);
           if (object && object->what == api::SetUpObject::What::LockKind) return true;
           const auto take = api::get<api::TakeLock>(effect);
           if (!take || take->lock.kind != api::LockRef::Kind::Object) return false;
           const bool is_mutex = take->lock.bytes.kind == api::Length::Kind::Type &&
                                 take->lock.bytes.value == static_cast<std::int64_t>(api::LibraryType::Mutex);
           return !is_mutex;
         });
}

/// The functions that threads are started with, and all that these may call.
std::vector<bool> find_thread_code(const Program& program, const std::vector<const api::Model*>& models,
                                   const CallTargets& targets, const std::vector<FunctionId>& entries) {
  std::vector<bool> out(program.functions.size());
  std::vector<FunctionId> open;
  const auto add = [&](FunctionId function) {
    if (out[function.index()]) return;
    out[function.index()] = true;
    open.push_back(function);
  };
  for (const FunctionId entry : entries) add(entry);
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (const CallTargets::Indirect& call : targets.indirect(FunctionId(f)))
      if (does<api::StartThread>(called_model(models, function, function.instructions[call.instruction])))
        for (const FunctionId target : call.targets) add(target);
  }
  while (!open.empty()) {
    const FunctionId function = open.back();
    open.pop_back();
    for (const FunctionId callee : targets.callees(function)) add(callee);
    for (const CallTargets::Indirect& call : targets.indirect(function))
      for (const FunctionId target : call.targets) add(target);
  }
  return out;
}

}  // namespace

std::vector<bool> find_used_by_main(const Program& program, const std::vector<const api::Model*>& models,
                                    const CallTargets& targets, const std::vector<bool>& pointed_to,
                                    const std::vector<FunctionId>& entries) {
  const std::vector<bool> is_thread_code = find_thread_code(program, models, targets, entries);
  std::vector<bool> out = pointed_to;
  out.flip();
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    if (!is_thread_code[f]) continue;
    const Function& function = program.functions[FunctionId(f)];
    for (const Instruction& instruction : function.instructions)
      for (const Operand operand : function.operands_of(instruction))
        if (operand.is_global()) out[operand.index()] = false;
  }
  return out;
}

bool may_refuse_reentry(const Program& program, const std::vector<const api::Model*>& models,
                        const alias::AliasFacts& aliases) {
  std::vector<bool> locks(aliases.class_count());
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (const Instruction& instruction : function.instructions) {
      const api::Model* model = called_model(models, function, instruction);
      if (may_refuse(model)) return true;
      if (!does<api::TakeLock>(model)) continue;
      for (const Operand argument : function.arguments_of(instruction))
        if (const alias::Place place = aliases.place(FunctionId(f), argument); place.valid())
          locks[place.cls.index()] = true;
    }
  }
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const alias::Place place = aliases.place({}, Operand::global(GlobalId(g)));
    const auto& bytes = program.globals[GlobalId(g)].bytes;
    if (place.valid() && locks[place.cls.index()] && std::ranges::any_of(bytes, [](auto byte) { return byte != 0; }))
      return true;
  }
  return false;
}

}  // namespace heddle::scan
