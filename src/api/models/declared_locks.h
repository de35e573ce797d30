// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of functions without a body whose declaration says that they take or give back a lock (clang's thread-safety
// attributes, program/model/lock_annotation.h):
//
//   void lock(Mutex *m) ACQUIRE(*m);          acquire 0
//   bool try_lock(Mutex &m) TRY_ACQUIRE(true, m);   acquire 0, blocking = false, success = nonzero
//
// Only locks that an argument points to: one that the attribute names otherwise leaves the function without a model.
// That such a function does nothing else is the assumption `declared-locks`.
#pragma once
#include <vector>

#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::api {

/// Sorted by function.
[[nodiscard]] std::vector<Model> declared_locks(const Program& program);

}  // namespace heddle::api
