// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/machine_run.h"

namespace heddle::explore {

using interpret::StepResult;

namespace {

interpret::MachineOptions options_for_run(const RunLimits& limits, MemoryOrders orders) {
  interpret::MachineOptions options;
  options.max_threads = limits.threads;
  options.max_instructions = limits.instructions + limits.step_instructions;
  options.max_heap_bytes = 256ULL << 20;
  options.record = recorded(orders);
  return options;
}

}  // namespace

MachineRun::MachineRun(const Program& program, const api::ApiModels& models, const RunLimits& limits, Inputs& inputs,
                       const OrderRules& rules)
    : InterpretedExecutor(program, models, options_for_run(limits, rules.orders),
                          std::make_unique<InputsChooser>(inputs), rules),
      step_instructions_(limits.step_instructions),
      inputs_(inputs) {}

/// The step again without its last instruction, which ended the program. Kind Ended: it cannot be made so.
StepResult MachineRun::stop_short(ThreadIndex thread, interpret::Machine::Mark before, StepResult result,
                                  std::size_t given) {
  note_avoided(machine_.outcome());
  const std::vector<interpret::Event> section = unfinished_section(machine_.events(), thread);
  const std::vector<interpret::Event> fatal = fatal_access();
  machine_.undo_to(before);
  inputs_.take_back(given);
  if (result.instructions > 1) result = machine_.step(thread, result.instructions - 1);
  if (result.kind != StepResult::Kind::Ended) {
    add_deeds(machine_.events());
    if (section.empty()) add_deeds(fatal);
    return result;
  }
  machine_.undo_to(before);
  inputs_.take_back(given);
  add_deeds(section.empty() ? fatal : section);
  return result;
}

Event MachineRun::step(ThreadIndex thread, std::uint32_t) {
  Event event;
  event.thread = thread;
  deeds_.clear();
  const std::size_t given = inputs_.given().size();
  const interpret::Machine::Mark before = machine_.mark();
  StepResult result = machine_.step(thread, step_instructions_);
  instructions_ += result.instructions;
  const bool halts = result.kind == StepResult::Kind::Ended;
  if (halts) result = stop_short(thread, before, result, given);
  if (result.kind == StepResult::Kind::Stopped || result.kind == StepResult::Kind::Finished) {
    if (!halts) add_deeds(machine_.events());
    event.used_up = result.instructions >= step_instructions_;
    event.end =
        halts ? StepEnd::Halted : (result.kind == StepResult::Kind::Finished ? StepEnd::Finished : StepEnd::Stopped);
  } else {
    inputs_.take_back(given);
    event.end = halts ? StepEnd::CutOff : StepEnd::Refused;
  }
  machine_.forget_marks();
  ++steps_;
  return event;
}

}  // namespace heddle::explore
