// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that spin: they are back where they were, and no other thread could tell that they went round. Such a thread
// need not go on. An executor gives a digest of what a thread alone knows, the locks it holds, and whether a step left
// traces; the rest is here.
//
//   while (!atomic_load(&flag)) ;      reads 0 and stands where it stood: it stops for good in this execution;
//                                      in another execution it reads the flag later
//
// Why nothing is missed: take an execution of the program that leads to a state (two threads in front of racing
// accesses, a deadlock, an undefined operation) with as few steps as possible, and suppose a thread in it goes round
// and then makes another step. Leave its steps of that round out. The thread makes the other step all the same, for it
// stood in the same place with the same registers and stack before the round; the others read the same values, for the
// round wrote nothing that was not there already. What is left is an execution to the same state with fewer steps. So
// no shortest execution goes on behind a round, and a search in which threads stop there (which depends on nothing but
// their own steps) still meets every state that it looks for. docs/decisions/0006-spinning-threads.md has the cases.
//
// A round may hold locks and semaphores for a while: without it others wait less. It must not give away what the thread
// held before. A try-lock of another thread that fails because of it would succeed without, so there must be none in
// the program, or one that fails without a reason. A wait may end and begin again in a round if waits end without a
// signal anyway.
#pragma once
#include <optional>
#include <vector>

#include "explore/executor/executor.h"

namespace heddle::explore {

class SpinWatch {
 public:
  explicit SpinWatch(const SpinRules& rules) : rules_(rules) {}

  /// The executor's latest step was `event`, behind which its thread can go on. True: the thread went round, and may
  /// stop for good.
  bool went_round(const Executor& executor, const Event& event);
  /// A step that is not worth looking at: nothing goes round across it.
  void skip(ThreadIndex thread);
  /// Forgets all but the first `steps` steps.
  void rewind(std::size_t steps);

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  using Held = std::vector<std::uint64_t>;  ///< locks, and semaphores counted down; sorted
  /// The state behind a step.
  struct Step {
    ThreadIndex thread = 0;
    std::size_t previous = none;  ///< the thread's own
    bool leaves_traces = true;
    std::optional<ContentHash> state;
    Held held, semaphores;
  };

  [[nodiscard]] std::size_t last_of(ThreadIndex thread) const;
  [[nodiscard]] bool leaves_traces(const Executor& executor, const Event& event, Held& semaphores) const;
  [[nodiscard]] bool keeps(const Held& start, const Held& now) const;

  SpinRules rules_;
  std::vector<Step> steps_;
  std::vector<std::size_t> last_;  ///< of each thread
};

}  // namespace heddle::explore
