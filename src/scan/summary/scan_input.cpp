// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/scan_input.h"

#include <algorithm>
#include <variant>

#include "api/action.h"
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
                     const alias::AliasFacts& aliases, const Limits& limits, const Assumptions& assumptions) {
  ScanInput input{program,
                  targets,
                  StableIds(program),
                  {},
                  find_trampolines(program),
                  find_pointed_to(program, aliases),
                  limits,
                  assumptions,
                  {}};
  input.volatile_is_marked = models.volatile_is_marked();
  for (const Function& function : program.functions)
    input.models.push_back(function.has_body() ? wrapper_of(models, function) : models.find(function.name));
  if (assumptions.semaphores_lock) input.semaphores = SemaphoreLocks(program, input.models, aliases);
  return input;
}

}  // namespace heddle::scan
