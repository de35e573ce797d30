// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads reach which function, and with which locks held. Top-down over the call graph, after the summaries:
//
//   main ── init() ── set(&x)            Boot: no thread exists yet, nothing can race
//    │ pthread_create(worker)
//    ├── loop() ── set(&x)               Main: beside the workers
//   worker ── set(&x)                    Thread, by root `worker`, which may run several times
//
// Per function and phase: the locks held at *every* call that leads there, by fixed names; who calls it, for stacks; the roots that get
// there. Roots are found on the way: functions given to a thread creation in a function that is reached. Linear in calls; locks
// only shrink and roots only grow, so a function is visited a few times.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "scan/bottom_up.h"
#include "scan/lock_names.h"

namespace heddle::scan {

enum class Phase : std::uint8_t { Boot, Main, Thread };

struct Root {
  FunctionId entry;
  FunctionId creator;             ///< none: not created by code that was seen
  std::uint32_t instruction = 0;  ///< in the creator
  bool is_multiple = false;       ///< several instances may run at once
  bool owns_argument = true;      ///< each instance is given memory allocated for it
  std::uint32_t sites = 0;
};

struct Visit {
  bool reached = false;
  bool many = false;             ///< may happen more than once in one thread
  std::uint32_t calls = 0;       ///< known ways to get there, up to 2
  std::vector<NamedLock> locks;  ///< surely held at entry; sorted
  std::uint32_t roots = 0;       ///< Thread: which, in Reach::root_sets
  FunctionId caller;             ///< the first one found; none at a root
  std::uint32_t call = 0;        ///< instruction in it
  Phase caller_phase = Phase::Boot;
};

struct Reach {
  std::vector<Root> roots;
  std::vector<std::vector<std::uint32_t>> root_sets;  ///< 0 is the empty one; sorted
  std::vector<std::array<Visit, 3>> visits;           ///< by function and Phase
  std::vector<bool> is_wide_target;  ///< called through a pointer with very many targets: nobody took its accesses over

  [[nodiscard]] bool may_overlap(Phase a, std::uint32_t roots_a, Phase b, std::uint32_t roots_b) const;
  [[nodiscard]] std::size_t functions_reached() const;
};

/// `entries`: functions that threads start in although no creation was seen (interrupt handlers, callbacks of a kernel).
Reach find_reach(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                 const std::vector<FunctionId>& mains, const std::vector<FunctionId>& entries, LockNames& names);

}  // namespace heddle::scan
