// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables to which a pointer may lead that was read from memory, returned or chosen, by the alias classes:
//
//   pthread_mutex_t a, b, *last = &b;     lock(&a); unlock(last);       `last` leads to b, and never to a
//
// What is only ever used by its own name, or passed to functions by it, is not among them; but a thread's own variable
// is that another thread is given as its argument. One look at every instruction.
#pragma once
#include <vector>

#include "alias/alias_facts.h"
#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::scan {

/// By GlobalId. `models` by FunctionId.
[[nodiscard]] std::vector<bool> find_pointed_to(const Program& program, const alias::AliasFacts& aliases,
                                                const std::vector<const api::Model*>& models);

/// Whether the address of a library's state of which each thread has its own (errno) is used for more than to read and
/// write there.
[[nodiscard]] bool gives_own_state_away(const Program& program, const std::vector<const api::Model*>& models);

}  // namespace heddle::scan
