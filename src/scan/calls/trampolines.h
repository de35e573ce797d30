// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of threads that only call what they are given:
//
//   void *enter(void *f) { ((void (*)(void))f)(); return 0; }
//   pthread_create(&t, 0, enter, worker);                          the thread is worker's
//
// Taken for one thread, all that are entered alike would run beside each other, and none could be waited for.
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::scan {

/// Whether the instruction calls what the first parameter points to.
[[nodiscard]] bool calls_first_parameter(const Function& function, std::uint32_t instruction);

/// By FunctionId: one of its instructions does.
[[nodiscard]] std::vector<bool> find_trampolines(const Program& program);

}  // namespace heddle::scan
