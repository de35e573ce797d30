// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/scan_input.h"

#include "scan/calls/pointed_to.h"
#include "scan/calls/trampolines.h"

namespace heddle::scan {

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
    input.models.push_back(function.has_body() ? models.find_wrapper(function.name) : models.find(function.name));
  if (assumptions.semaphores_lock) input.semaphores = SemaphoreLocks(program, input.models, aliases);
  return input;
}

}  // namespace heddle::scan
