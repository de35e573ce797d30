// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang's OpenMP calls do, as code: a team is threads that are started and joined, a task is a thread. Functions
// whose names begin with __heddle_ have models in openmp.toml.
//
// Only what OpenMP promises (the end of a region, barriers, locks, waiting for tasks) may order accesses of the
// program. So the runtime's own state is thread-local, or ordered by starting and joining, or accessed by relaxed
// atomics, which order nothing.
//
// A part between `//@ template` and `//@ end` is written once for each region or task (docs/models.md).

#include "openmp/state.c"
#include "openmp/tasks.c"
#include "openmp/teams.c"
#include "openmp/barriers.c"
#include "openmp/parts.c"
#include "openmp/exclusion.c"
#include "openmp/loops.c"
#include "openmp/questions.c"
