// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/access_machine.h"

namespace heddle::explore {

using interpret::StepResult;

namespace {

interpret::MachineOptions access_options(const ReplayLimits& limits, MemoryOrders orders) {
  interpret::MachineOptions options;
  options.switch_at_accesses = true;
  options.max_threads = limits.threads;
  options.max_instructions = limits.instructions;
  options.max_heap_bytes = 256ULL << 20;
  options.record = recorded(orders);
  return options;
}

}  // namespace

AccessMachine::AccessMachine(const Program& program, const api::ApiModels& models, const ReplayLimits& limits,
                             Inputs& inputs, const OrderRules& rules)
    : InterpretedExecutor(program, models, access_options(limits, rules.orders),
                          std::make_unique<InputsChooser>(inputs), rules),
      inputs_(inputs) {
  words_.follow_locks();
}

bool AccessMachine::waits_for_ever(ThreadIndex thread) const { return thread < halted_.size() && halted_[thread] != 0; }

Standing AccessMachine::standing(ThreadIndex thread) const {
  return waits_for_ever(thread) ? Standing::Halted : InterpretedExecutor::standing(thread);
}

std::vector<ThreadIndex> AccessMachine::enabled() const {
  std::vector<ThreadIndex> out = InterpretedExecutor::enabled();
  std::erase_if(out, [&](ThreadIndex thread) { return waits_for_ever(thread); });
  return out;
}

/// The step again up to the assumption, which its thread waits at from here on.
StepResult AccessMachine::stop_at_assumption(ThreadIndex thread, interpret::Machine::Mark before, StepResult result,
                                             std::size_t given) {
  machine_.undo_to(before);
  inputs_.take_back(given);
  if (halted_.size() <= thread) halted_.resize(thread + 1);
  halted_[thread] = 1;
  if (result.instructions > 1) return machine_.step(thread, result.instructions - 1);
  result.kind = StepResult::Kind::NotEnabled;
  return result;
}

Event AccessMachine::step(ThreadIndex thread, std::uint32_t) {
  Event event;
  event.thread = thread;
  event.end = StepEnd::Refused;
  deeds_.clear();
  if (stopped() || thread >= machine_.thread_count() || standing(thread) != Standing::Enabled) return event;
  const std::size_t given = inputs_.given().size();
  const interpret::Machine::Mark before = machine_.mark();
  StepResult result = machine_.step(thread);
  instructions_ += result.instructions;
  if (machine_.outcome().kind == interpret::OutcomeKind::Infeasible && result.kind == StepResult::Kind::Ended)
    result = stop_at_assumption(thread, before, result, given);
  machine_.forget_marks();
  if (result.kind == StepResult::Kind::NotEnabled) {
    inputs_.take_back(given);
    return event;
  }
  ++steps_;
  event.end = result.kind == StepResult::Kind::Ended || waits_for_ever(thread) ? StepEnd::Halted
              : result.kind == StepResult::Kind::Finished                      ? StepEnd::Finished
                                                                               : StepEnd::Stopped;
  add_deeds(machine_.events());
  for (const interpret::Event& one : machine_.events()) words_.follow(one);
  return event;
}

}  // namespace heddle::explore
