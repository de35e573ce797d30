// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals: one thread says that it is done, another goes on only when it was told.
//
//   data = 1; atomic_store(&ready, 1);      while (!atomic_load(&ready)) ; use(data);
//   data = 1; lock(); ready = 1; unlock();  lock(); ok = ready; unlock(); if (ok) use(data);
//   data = 1; sem_post(&filled);            sem_wait(&filled); use(data);             it starts at zero
//
// A pair is told apart if every place that says so (a *tell*: a write of a number that lets others go on, a post) lies
// in one function, that function runs once, and its access is never behind a tell; and if every way through the other
// function to its access passes a *hear*: a branch that is not taken while the variable has its first value, a wait.
// The variable is a global whose address goes nowhere else. Its reads and writes order what lies around them: release
// and acquire, or one lock.
//
// It is a doubt and no proof: what fails while it waits goes on as well, and only the functions between the two holders
// and their accesses are looked at. Cost: a walk over the program's globals once, one over two functions for each pair.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "scan/reach/circumstances.h"
#include "scan/reach/reach.h"
#include "threads/signal_variables.h"

namespace heddle::scan {

class Signals {
 public:
  Signals(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach, LockNames& names);

  using Place = threads::CodePlace;
  /// The calls down to an access, and the access as the last step.
  struct Way {
    Phase phase = Phase::Thread;
    std::vector<Place> steps;
  };
  /// The second access is only made when the first has been: the first's thread has told the second's.
  [[nodiscard]] bool lead_from(const Way& first, const Way& second) const;
  /// Whether there are signals at all.
  [[nodiscard]] bool are_there();

 private:
  using Signal = threads::SignalVariable;

  void find_signals();
  [[nodiscard]] bool is_behind_all(const Signal& signal, const Way& first) const;
  [[nodiscard]] bool hears_first(const Signal& signal, const Place& step) const;
  [[nodiscard]] std::optional<std::vector<std::int64_t>> values_at_first(const Signal& signal, FunctionId function,
                                                                         Operand value) const;
  [[nodiscard]] bool lets_by(const Signal& signal, FunctionId function, const Instruction& branch,
                             std::size_t way) const;
  [[nodiscard]] bool comes_once(Phase phase, FunctionId function) const;
  [[nodiscard]] bool share_a_lock(const Signal& signal);
  [[nodiscard]] std::optional<std::vector<NamedLock>> locks_at(const Place& place);

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  CircumstanceTable circumstances_;
  bool is_known_ = false;
  std::vector<Signal> signals_;
};

}  // namespace heddle::scan
