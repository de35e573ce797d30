// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/scan_input.h"

#include <algorithm>
#include <variant>

#include "api/action.h"
#include "scan/calls/other_threads.h"
#include "scan/calls/pointed_to.h"
#include "scan/calls/trampolines.h"

namespace heddle::scan {

namespace {

/// A wrapper that does nothing but call back what it was given is better understood by its body.
const api::Model* wrapper_of(const api::ApiModels& models, const Function& function) {
  const api::Model* found = models.find_wrapper(function.name);
  const auto calls_back = [](const api::Effect& effect) {
    return std::holds_alternative<api::CallBack>(api::action_of(effect));
  };
  return found != nullptr && !found->effects.empty() && std::ranges::all_of(found->effects, calls_back) ? nullptr
                                                                                                        : found;
}

}  // namespace

ScanInput make_input(const Program& program, const api::ApiModels& models, const CallTargets& targets,
                     const alias::AliasFacts& aliases, const Limits& limits, const Assumptions& assumptions,
                     const std::vector<FunctionId>& entries) {
  ScanInput input{program, targets, StableIds(program), {}, find_trampolines(program), {}, {}, false, {},
                  false,   limits,  assumptions,        {}};
  input.volatile_is_marked = models.volatile_is_marked();
  for (const Function& function : program.functions)
    input.models.push_back(function.has_body() ? wrapper_of(models, function) : models.find(function.name));
  input.pointed_to = find_pointed_to(program, aliases, input.models);
  for (const auto& [name, place] : aliases.hidden()) input.hidden_places.emplace(hidden_index(name), place);
  input.errno_is_known = !assumptions.library_reach && gives_own_state_away(program, input.models);
  if (!assumptions.stable_paths)
    input.only_main_uses = find_used_by_main(program, input.models, targets, input.pointed_to, entries);
  input.locks_may_refuse = !assumptions.reentrant_locks && may_refuse_reentry(program, input.models, aliases);
  if (assumptions.semaphores_lock) input.semaphores = SemaphoreLocks(program, input.models, aliases);
  return input;
}

}  // namespace heddle::scan
