// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/interpreted_program.h"

#include <algorithm>

#include "base/content_hash.h"
#include "explore/interpreted/access_machine.h"
#include "explore/interpreted/candidate_values.h"
#include "explore/interpreted/machine_executor.h"
#include "explore/interpreted/machine_run.h"
#include "explore/interpreted/open_ends.h"
#include "explore/sides/access_key.h"

namespace heddle::explore {
namespace {

/// Of everything that decides how the program runs.
ContentHash hash_of(const Program& program) {
  Hasher hasher;
  hasher.add(program.layout.pointer_bits);
  for (const Function& function : program.functions)
    hasher.add(function.name).add(function.hash.high).add(function.hash.low);
  for (const Global& global : program.globals) {
    hasher.add(global.name).add(global.size);
    hasher.add(std::string_view(reinterpret_cast<const char*>(global.bytes.data()), global.bytes.size()));
  }
  return hasher.finish();
}

/// Whether there is an atomic access that is weaker than sequential consistency.
bool has_weak_access(const Program& program) {
  const auto is_weak = [](const Instruction& code) {
    if (code.opcode == Opcode::CmpXchg && static_cast<AtomicOrder>(code.detail) != AtomicOrder::SeqCst) return true;
    return code.is_atomic() && code.opcode != Opcode::Fence && code.order != AtomicOrder::SeqCst;
  };
  return std::ranges::any_of(
      program.functions, [&](const Function& function) { return std::ranges::any_of(function.instructions, is_weak); });
}

/// They count unless a profile says otherwise.
MemoryOrders orders_of(const Program& program, const api::ApiModels& models) {
  return has_weak_access(program) && !models.has_sequential_atomics(program) ? MemoryOrders::AsWritten
                                                                             : MemoryOrders::SequentiallyConsistent;
}

}  // namespace

InterpretedProgram::InterpretedProgram(const Program& program, const api::ApiModels& models)
    : program_(program),
      models_(models),
      identity_(hash_of(program).hex()),
      orders_(orders_of(program, models)),
      consumed_(program) {}

/// The rules of verification programs know locks by name only.
OrderRules InterpretedProgram::rules() const {
  return {.orders = orders_, .locks_are_memory = !models_.has_sequential_atomics(program_), .consumed = &consumed_};
}

std::unique_ptr<Executor> InterpretedProgram::for_search(const ExecutionLimits& limits) const {
  return std::make_unique<MachineExecutor>(program_, models_, limits, rules());
}

std::unique_ptr<Executor> InterpretedProgram::for_run(const RunLimits& limits, Inputs& inputs) const {
  return std::make_unique<MachineRun>(program_, models_, limits, inputs, rules());
}

std::unique_ptr<Executor> InterpretedProgram::for_replay(const ReplayLimits& limits, Inputs& inputs) const {
  return std::make_unique<AccessMachine>(program_, models_, limits, inputs, rules());
}

std::vector<std::uint64_t> InterpretedProgram::candidate_values() const { return explore::candidate_values(program_); }

std::set<std::string> InterpretedProgram::open_ends() const { return explore::open_ends(program_, models_); }

std::set<std::string> InterpretedProgram::assumptions() const {
  std::set<std::string> names = exhaustion_assumptions(program_, models_);
  if (has_weak_access(program_) && orders_ == MemoryOrders::SequentiallyConsistent) names.insert("sequential-atomics");
  return names;
}

std::string InterpretedProgram::where(AccessKey key) const {
  const auto place = place_of(key);
  if (!place || place->first.index() >= program_.functions.size()) return program_.where(LocationId{});
  const auto [id, instruction] = *place;
  const Function& function = program_.functions[id];
  return program_.where(instruction < function.instructions.size() ? function.instructions[instruction].location
                                                                   : LocationId{});
}

}  // namespace heddle::explore
