// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/machine/runner.h"

namespace heddle::interpret {
namespace {

std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

const RunOutcome& run_to_completion(Machine& machine, Scheduler scheduler, std::uint64_t seed, std::uint64_t budget) {
  ThreadIndex last = 0;
  std::uint64_t state = seed;
  while (machine.outcome().kind == OutcomeKind::Running) {
    const std::vector<ThreadIndex> enabled = machine.enabled();
    ThreadIndex chosen = enabled.front();
    if (scheduler == Scheduler::Random) chosen = enabled[next_random(state) % enabled.size()];
    if (scheduler == Scheduler::RoundRobin)
      for (const ThreadIndex t : enabled)
        if (t > last) {
          chosen = t;
          break;
        }
    last = chosen;
    machine.step(chosen, budget);
  }
  return machine.outcome();
}

}  // namespace heddle::interpret
