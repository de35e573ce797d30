// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/assumed_calls.h"

#include <algorithm>

namespace heddle::scan {

std::string_view name_of(Assumed assumed) {
  switch (assumed) {
    case Assumed::LibraryReach: return "library-reach";
    case Assumed::VariadicLists: return "variadic-lists";
    case Assumed::ThreadValues: return "thread-values";
    case Assumed::LockObjects: return "lock-objects";
    case Assumed::ProcessorMasks: return "processor-masks";
    case Assumed::UnfollowedCalls: return "unfollowed-calls";
    case Assumed::UnsupportedCalls: return "unsupported-calls";
    case Assumed::SignalHandlers: return "signal-handlers";
    case Assumed::LocksSucceed: return "locks-succeed";
    case Assumed::LibraryThreads: return "library-threads";
  }
  return {};
}

namespace {

std::optional<Assumed> assumed_of(const api::Touch& touch) {
  switch (touch.extent) {
    case api::Touch::Extent::Reachable: return Assumed::LibraryReach;
    case api::Touch::Extent::Variadic: return touch.is_list ? std::optional(Assumed::VariadicLists) : std::nullopt;
    case api::Touch::Extent::Object:
    case api::Touch::Extent::Hidden: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Assumed> assumed_of(const api::UseThreadValue& use) {
  switch (use.step) {
    case api::UseThreadValue::Step::Get:
    case api::UseThreadValue::Step::Set: return Assumed::ThreadValues;
    case api::UseThreadValue::Step::Create: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Assumed> assumed_of(const api::CallOutcome& outcome) {
  return outcome.granted == api::Granted::Locks ? std::optional(Assumed::LocksSucceed) : std::nullopt;
}

std::optional<Assumed> assumed_of(const api::DoUnsupported& call) {
  return call.is_signal_handler() ? Assumed::SignalHandlers : Assumed::UnsupportedCalls;
}

}  // namespace

std::optional<Assumed> assumed(const api::Action& action) {
  return api::treat(
      action,
      [](const api::SetUpObject& object) {
        const bool is_thread = object.what == api::SetUpObject::What::ThreadKind;
        return is_thread ? std::nullopt : std::optional(Assumed::LockObjects);
      },
      [](const api::UseThreadValue& use) { return assumed_of(use); },
      [](const api::Touch& touch) { return assumed_of(touch); },
      [](const api::MaskEntries&) { return std::optional(Assumed::ProcessorMasks); },
      [](const api::DoUnsupported& call) { return assumed_of(call); },
      [](const api::TakeLock& take) { return assumed_of(take.outcome); },
      [](const api::UseSemaphore& use) { return assumed_of(use.outcome); },
      api::NoAnswer<std::optional<Assumed>, api::GiveLock, api::StartThread, api::RunLater, api::LeaveThread,
                    api::UseCondition, api::WaitAtBarrier, api::RunOnce, api::MakeMemory, api::TouchAtomic,
                    api::MovePointers, api::ReturnValue, api::CallBack, api::End, api::Assume>{});
}

AssumedCalls count_assumed_calls(const Program& program, const std::vector<const api::Model*>& models,
                                 const CallTargets& targets, const std::vector<bool>& reached) {
  const auto is_unknown = [&](FunctionId callee) {
    const Function& function = program.functions[callee];
    return models[callee.index()] == nullptr && !function.has_body() && !function.is_intrinsic;
  };
  // By function that is called, once: most calls are of few functions.
  std::vector<std::optional<std::vector<Assumed>>> by_callee(program.functions.size());
  const auto assumed_by = [&](FunctionId callee) -> const std::vector<Assumed>& {
    auto& known = by_callee[callee.index()];
    if (known) return *known;
    known.emplace();
    const api::Model* model = models[callee.index()];
    if (is_unknown(callee)) known->push_back(Assumed::LibraryReach);
    if (model != nullptr)
      for (const api::Effect& effect : model->effects)
        if (const auto one = assumed(api::action_of(effect)); one && std::ranges::find(*known, *one) == known->end())
          known->push_back(*one);
    return *known;
  };
  AssumedCalls out;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    if (!reached[f]) continue;
    const Function& function = program.functions[FunctionId(f)];
    if (const std::uint32_t count = targets.unfollowed(FunctionId(f)); count != 0)
      out[Assumed::UnfollowedCalls] += count;
    for (const Instruction& instruction : function.instructions) {
      if (!instruction.is_call()) continue;
      const auto operands = function.operands_of(instruction);
      if (operands.empty() || !operands[0].is_function()) continue;
      for (const Assumed one : assumed_by(operands[0].as_function())) ++out[one];
      if (is_unknown(operands[0].as_function()) && std::ranges::any_of(operands.subspan(1), &Operand::is_function))
        ++out[Assumed::LibraryThreads];
    }
  }
  return out;
}

std::vector<std::string> listed(const Assumptions& assumptions, const AssumedCalls& calls) {
  std::vector<std::string> out = assumptions.names();
  for (const auto& [assumed, count] : calls) {
    const std::string_view name = name_of(assumed);
    const bool has_switch = std::ranges::find(assumption_names, name, &AssumptionName::name) != assumption_names.end();
    const auto at = std::ranges::find(out, name);
    if (has_switch && at == out.end()) continue;  // it is off
    std::string text = std::string(name) + " (" + std::to_string(count) + (count == 1 ? " call)" : " calls)");
    if (at == out.end())
      out.push_back(std::move(text));
    else
      *at = std::move(text);
  }
  return out;
}

}  // namespace heddle::scan
