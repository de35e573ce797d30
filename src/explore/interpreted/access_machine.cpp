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

Event AccessMachine::step(ThreadIndex thread, std::uint32_t) {
  Event event;
  event.thread = thread;
  event.end = StepEnd::Refused;
  deeds_.clear();
  if (stopped() || thread >= machine_.thread_count() || !machine_.is_enabled(thread)) return event;
  const std::size_t given = inputs_.given().size();
  const StepResult result = machine_.step(thread);
  instructions_ += result.instructions;
  if (result.kind == StepResult::Kind::NotEnabled) {
    inputs_.take_back(given);
    return event;
  }
  ++steps_;
  event.end = result.kind == StepResult::Kind::Ended      ? StepEnd::Halted
              : result.kind == StepResult::Kind::Finished ? StepEnd::Finished
                                                          : StepEnd::Stopped;
  add_deeds(machine_.events());
  for (const interpret::Event& one : machine_.events()) words_.follow(one);
  return event;
}

}  // namespace heddle::explore
