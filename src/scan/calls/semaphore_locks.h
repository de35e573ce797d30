// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores that are used as locks: they start at one.
//
//   sem_init(&s->sem, 0, 1); … sem_wait(&s->sem); s->x++; sem_post(&s->sem);       a lock
//   sem_init(&s->full, 0, 0); … sem_wait(&s->full);                                waits for others: no lock
//   struct semaphore s = { .count = 1 }; … down(&s); x++; up(&s);                  a lock, where a model names `count`
//
// Which semaphore a call means is what the alias analysis says; if one of those starts otherwise, or at a number that
// is not written there, it is no lock. Nor is one that a function posts which never waits for it, unless there are
// functions which only wait, as `lock()` and `unlock()` do. That who waits also posts is believed beyond that
// (assumption `semaphores-lock`).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "alias/alias_facts.h"
#include "api/effect.h"
#include "program/model/program.h"

namespace heddle::scan {

class SemaphoreLocks {
 public:
  SemaphoreLocks() = default;
  /// `models` by FunctionId. Costs a look at every call, if the program knows semaphores at all.
  SemaphoreLocks(const Program& program, const std::vector<const api::Model*>& models,
                 const alias::AliasFacts& aliases);

  /// The instructions of a function that wait for such a semaphore or post it; ascending.
  [[nodiscard]] std::span<const std::uint32_t> of(FunctionId function) const;
  [[nodiscard]] bool contains(FunctionId function, std::size_t instruction) const;

 private:
  struct Row {
    FunctionId function;
    std::uint32_t first = 0, count = 0;  ///< in instructions_
  };
  std::vector<Row> rows_;  ///< sorted
  std::vector<std::uint32_t> instructions_;
};

}  // namespace heddle::scan
