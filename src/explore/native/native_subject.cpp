// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/native_subject.h"

#include "explore/native/native_executor.h"

namespace heddle::explore {

std::unique_ptr<Executor> NativeSubject::for_search(const ExecutionLimits& limits) const {
  const MachineSettings settings{.at_accesses = limits.at_accesses,
                                 .spurious_wakeups = limits.weakest,
                                 .weak_tries = limits.weakest,
                                 .input_value = limits.value};
  return std::make_unique<NativeExecutor>(machine_, table_, settings, NativeLimits{limits.events}, nullptr,
                                          limits.tell_sides ? code_ : nullptr);
}

std::unique_ptr<Executor> NativeSubject::for_run(const RunLimits& limits, Inputs& inputs) const {
  return std::make_unique<NativeExecutor>(machine_, table_, MachineSettings{.takes_turns = limits.takes_turns},
                                          NativeLimits{}, &inputs);
}

std::unique_ptr<Executor> NativeSubject::for_replay(const ReplayLimits&, Inputs& inputs) const {
  return std::make_unique<NativeExecutor>(machine_, table_, MachineSettings{.at_accesses = true}, NativeLimits{},
                                          &inputs);
}

std::unique_ptr<Executor> NativeSubject::for_approach(const ReplayLimits&, Inputs& inputs,
                                                      const AccessPair& accesses) const {
  const MachineSettings settings{.at_accesses = true, .only_at = accesses};
  return std::make_unique<NativeExecutor>(machine_, table_, settings, NativeLimits{}, &inputs);
}

std::string NativeSubject::where(AccessKey key) const {
  const AccessRow* const row = table_.find(key);
  if (row == nullptr) return "?";
  return row->file + ":" + std::to_string(row->line) + ":" + std::to_string(row->column);
}

}  // namespace heddle::explore
