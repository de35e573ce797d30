// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic sections: functions that a model calls atomic, and what stands between __VERIFIER_atomic_begin and _end. A
// whole section is one operation. It runs to its end within the step, or not at all: if it meets a false assumption or
// would have to wait, it is undone, and the thread is not enabled until something that it read has changed (Enabling).
//
//   void __VERIFIER_atomic_take() { assume(free == 1); free = 0; }
//
//   free is 0:   the section reads free, fails and is undone; it waits for a change of those four bytes
//   free is 1:   one step, with the events SectionBegin, Read, Write, SectionEnd
//
// Sections may nest; only the outermost counts. While one runs, at least accesses to shared memory are recorded,
// whatever MachineOptions::record says: the reads are what it waits for.
#pragma once
#include "interpret/core/gate.h"
#include "interpret/state/journal.h"
#include "interpret/state/recorder.h"

namespace heddle::interpret {

class Sections {
 public:
  Sections(const MachineOptions& options, Threads& threads, Journal& journal, Recorder& recorder, Account& account,
           const Enabling& enabling, Gate& gate)
      : options_(options),
        threads_(threads),
        journal_(journal),
        recorder_(recorder),
        account_(account),
        enabling_(enabling),
        gate_(gate) {}

  /// False: the running thread stops before the section.
  bool begin();
  void end();
  /// The section of the running thread cannot run now: undoes it and lets the thread wait.
  void fail(const SectionFailed& why);
  [[noreturn]] void assumption_failed();

  /// Ends the run when one section takes too many instructions; `now`: how many the run has taken.
  void check_length(std::uint64_t now);
  [[nodiscard]] const FailedSection& failed() const { return failed_; }

 private:
  const MachineOptions& options_;
  Threads& threads_;
  Journal& journal_;
  Recorder& recorder_;
  Account& account_;
  const Enabling& enabling_;
  Gate& gate_;
  MarkState mark_;
  std::uint64_t limit_ = 0;  ///< 0: not known yet
  std::size_t first_event_ = 0;
  FailedSection failed_;
};

}  // namespace heddle::interpret
