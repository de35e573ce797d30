// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two facts of a whole program for a scan that assumes little: what other threads may do to memory that a function
// relies on.
//
//   pthread_t t;   main: pthread_create(&t, …); pthread_join(t, 0);     no thread mentions `t`: it is that thread
//   pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);            a second lock call fails, and the next unlock
//                                                                       gives back what the first one took
#pragma once
#include <vector>

#include "alias/alias_facts.h"
#include "api/effect.h"
#include "program/model/program.h"
#include "scan/calls/call_targets.h"

namespace heddle::scan {

/// By GlobalId: whether no pointer leads there and no function mentions it that a started thread, or somebody outside
/// (`entries`), runs. `models` by FunctionId; `pointed_to` by GlobalId.
[[nodiscard]] std::vector<bool> find_used_by_main(const Program& program, const std::vector<const api::Model*>& models,
                                                  const CallTargets& targets, const std::vector<bool>& pointed_to,
                                                  const std::vector<FunctionId>& entries);

/// Whether a lock may be of a kind that its holder cannot take once more: a kind is set somewhere, a lock is taken that
/// is no mutex, or a variable that is used as a lock begins with other bytes than zero.
[[nodiscard]] bool may_refuse_reentry(const Program& program, const std::vector<const api::Model*>& models,
                                      const alias::AliasFacts& aliases);

}  // namespace heddle::scan
