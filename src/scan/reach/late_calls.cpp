// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/late_calls.h"

#include <algorithm>

#include "api/action.h"
#include "scan/calls/called_model.h"

namespace heddle::scan {
namespace {

std::optional<LateCall::When> when_of(const api::Effect& effect) {
  using When = LateCall::When;
  using Answer = std::optional<When>;
  return api::treat(
      api::action_of(effect),
      [](const api::RunLater& later) {
        switch (later.when) {
          case api::RunLater::When::Terminate: return Answer(When::Terminate);
          case api::RunLater::When::ProgramEnd: return Answer(When::ProgramEnd);
          case api::RunLater::When::ExceptionEnd: return Answer(When::ExceptionEnd);
          case api::RunLater::When::ThreadEnd: return Answer(When::ThreadEnd);
          case api::RunLater::When::Outside: return Answer{};  // threads/outside_entries.h
        }
        return Answer{};
      },
      [](const api::UseThreadValue& use) {
        return use.step == api::UseThreadValue::Step::Create ? Answer(When::ThreadEnd) : Answer{};
      },
      api::NoAnswer<Answer, api::TakeLock, api::GiveLock, api::SetUpObject, api::StartThread, api::LeaveThread,
                    api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::MakeMemory, api::Touch,
                    api::TouchAtomic, api::MovePointers, api::ReturnValue, api::CallBack, api::End, api::Assume,
                    api::MaskEntries, api::DoUnsupported>{});
}

bool runs(api::End::Of end, LateCall::When when) {
  switch (end) {
    case api::End::Of::Thread: return when == LateCall::When::ThreadEnd;
    case api::End::Of::Exit: return when == LateCall::When::ProgramEnd || when == LateCall::When::ThreadEnd;
    case api::End::Of::Terminate: return when == LateCall::When::Terminate;
    // Nobody may catch it. Who does ends it sooner or later.
    case api::End::Of::Frame: return when == LateCall::When::Terminate || when == LateCall::When::ExceptionEnd;
    case api::End::Of::Program: return false;
  }
  return false;
}

}  // namespace

std::vector<LateCall> late_calls(const ScanInput& input, FunctionId function) {
  std::vector<LateCall> out;
  for (const CallTargets::Indirect& row : input.targets.indirect(function)) {
    const Function& caller = input.program.functions[function];
    const api::Model* model = called_model(input.models, caller, caller.instructions[row.instruction]);
    if (model == nullptr) continue;
    for (const api::Effect& effect : model->effects)
      if (const auto when = when_of(effect))
        for (const FunctionId target : row.targets) out.push_back({target, *when});
  }
  return out;
}

bool may_run_late(const ScanInput& input, FunctionId callee, LateCall::When when) {
  const api::Model* model = input.models[callee.index()];
  return model != nullptr && std::ranges::any_of(model->effects, [&](const api::Effect& effect) {
           const auto end = api::get<api::End>(effect);
           return end && runs(end->of, when);
         });
}

std::uint32_t last_return(const Function& function) {
  for (std::size_t i = function.instructions.size(); i-- > 0;)
    if (function.instructions[i].opcode == Opcode::Return) return static_cast<std::uint32_t>(i);
  return 0;
}

}  // namespace heddle::scan
