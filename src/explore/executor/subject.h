// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subject: a program that can be run, in one way of running programs. It makes executors of it, for four uses:
//
//   for_search   goes back and forth; stable thread numbers; a choice inside a step is an outcome that the search takes
//   for_run      one execution from beginning to end, fast; choices are answered by Inputs
//   for_replay   one execution at the grain of accesses; choices are answered by Inputs; the program really ends
//   for_approach the same, but plain accesses matter only where one of two given ones is made
//
// What the searches have to know of the program itself is asked here too: whether it is closed, and what a proof by
// looking at all its executions rests on.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/executor/executor.h"
#include "explore/executor/inputs.h"

namespace heddle::explore {

/// Of one execution in a search.
struct ExecutionLimits {
  std::uint64_t events = 2'000;
  std::uint64_t step_instructions = 200'000;
  std::uint64_t value = 0;  ///< that every input has; more than two are not tried
  std::uint32_t threads = 64;
  bool weakest = true;       ///< waits end without a signal and try-locks fail without a reason
  bool at_accesses = false;  ///< plain accesses to memory that may be shared are operations of their own
  /// For a search through states. Inputs have an operation of their own where values stand for all that they can be,
  /// and are not known elsewhere: it is a gap if anything depends on one; `value` does not count. Setting up or
  /// destroying a lock is an access to it, and the search looks whether it meets a use.
  bool by_states = false;
  bool tell_sides = false;  ///< what was not run, too: Executor::sides
};

struct RunLimits {
  std::uint64_t instructions = 2'000'000;
  std::uint64_t step_instructions = 20'000;  ///< then others get a chance: it may be spinning
  std::uint32_t threads = 300;               ///< that are created
  std::uint32_t instances = 1'000'000;       ///< threads that run, for each creation site
  std::uint64_t memory = 800ULL << 20;       ///< bytes of clocks, shadow memory and log; then the run is cut
  bool takes_turns = true;                   ///< a thread that sleeps lets others go on; not so in a search
};

struct ReplayLimits {
  std::uint32_t threads = 300;               ///< that are created
  std::uint64_t instructions = 200'000'000;  ///< then it ends there
};

class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  // The Subject and the Inputs must outlive the executor.
  [[nodiscard]] virtual std::unique_ptr<Executor> for_search(const ExecutionLimits& limits) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Executor> for_run(const RunLimits& limits, Inputs& inputs) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Executor> for_replay(const ReplayLimits& limits, Inputs& inputs) const = 0;

  /// As for_replay, but it need not stop in front of any plain accesses but these two.
  [[nodiscard]] virtual std::unique_ptr<Executor> for_approach(const ReplayLimits& limits, Inputs& inputs,
                                                               const AccessPair& /*accesses*/) const {
    return for_replay(limits, inputs);
  }

  /// Of everything that decides how the program runs: a schedule belongs to it.
  [[nodiscard]] virtual std::string identity() const = 0;
  /// Input values that are worth trying, sorted; 0, 1 and -1 at least.
  [[nodiscard]] virtual std::vector<std::uint64_t> candidate_values() const = 0;
  /// AsWritten: some atomic access is weaker than sequential consistency, and that counts.
  [[nodiscard]] virtual MemoryOrders memory_orders() const = 0;
  /// Why one run does not stand for every run of the same schedule; empty: the program is closed.
  [[nodiscard]] virtual std::set<std::string> open_ends() const = 0;
  /// Names from docs/assumptions.md that a proof by exhaustion rests on.
  [[nodiscard]] virtual std::set<std::string> assumptions() const = 0;
  /// `file:line:column` of an access.
  [[nodiscard]] virtual std::string where(AccessKey key) const = 0;

  /// From now on runs go past every race but one of these two accesses. Proofs still need that there is no race at all:
  /// what lies behind one depends on more than the schedule.
  void look_only_for(const AccessPair& pair) { looked_for_ = pair; }
  void look_for_every_race() { looked_for_.reset(); }
  [[nodiscard]] const std::optional<AccessPair>& looked_for() const { return looked_for_; }

 private:
  std::optional<AccessPair> looked_for_;
};

}  // namespace heddle::explore
