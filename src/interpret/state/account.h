// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run has come to so far: its outcome, notes about things that are wrong and do not end it, what it printed, how
// many instructions it took.
//
// A run ends from anywhere by an exception: `end_run` writes the outcome, with the stack of the running thread, and
// throws RunOver, which the step catches (machine/step.cpp). Three words say why most of them end: `undefined`, the
// program did what C forbids; `unsupported`, the machine does not know what would happen and never guesses; CapReached,
// a limit of MachineOptions. Undoing to a mark takes the account back too.
#pragma once
#include <string>

#include "interpret/state/threads.h"

namespace heddle::interpret {

/// Thrown to leave a step: the outcome is set.
struct RunOver {};

class Account {
 public:
  /// `has_unknown`: some inputs are not known (MachineOptions::input_values).
  Account(const Threads& threads, bool has_unknown) : threads_(threads), has_unknown_(has_unknown) {}

  [[noreturn]] void end_run(OutcomeKind kind, std::string what, int exit_code = 0);
  [[noreturn]] void undefined(std::string what) { end_run(OutcomeKind::UndefinedBehaviour, std::move(what)); }
  [[noreturn]] void unsupported(std::string what) { end_run(OutcomeKind::Unsupported, std::move(what)); }
  [[noreturn]] void cap_reached(std::string what) { end_run(OutcomeKind::CapReached, std::move(what)); }
  /// The run is over although nobody is in the middle of a step: every thread waits.
  void end_waiting(OutcomeKind kind, std::string what, ThreadIndex last);
  void add_note(Note::Kind kind, std::string what);
  /// The run depends on what another one need not have: the run goes on, but does not stand for others. Not undone.
  void add_doubt(const char* what);

  /// These bits decide something, or go where nobody sees any more that they are not known.
  void look_at_unknown(std::uint64_t undef) {
    if (undef != 0 && has_unknown_) [[unlikely]]
      add_doubt("an input decides, or a value that is not initialised");
  }

  [[nodiscard]] bool is_running() const { return outcome_.kind == OutcomeKind::Running; }
  [[nodiscard]] const RunOutcome& outcome() const { return outcome_; }
  [[nodiscard]] const std::vector<Note>& notes() const { return notes_; }
  /// What the world outside told the program: `getpid = 7`. The first ones; undone with the rest.
  void add_input(std::string what);
  [[nodiscard]] const std::vector<std::string>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<const char*>& doubts() const { return doubts_; }
  [[nodiscard]] std::string& output() { return output_; }
  [[nodiscard]] std::string& errors() { return errors_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  void count(std::uint64_t instructions) { instructions_ += instructions; }

  /// Where the account stood, for undo.
  struct Mark {
    std::size_t notes = 0, inputs = 0, output = 0, errors = 0;
    std::uint64_t instructions = 0;
  };
  [[nodiscard]] Mark mark() const {
    return {notes_.size(), inputs_.size(), output_.size(), errors_.size(), instructions_};
  }
  void undo_to(const Mark& mark);

 private:
  const Threads& threads_;
  bool has_unknown_;
  RunOutcome outcome_;
  std::vector<Note> notes_;
  std::vector<const char*> doubts_;
  std::vector<std::string> inputs_;
  std::string output_, errors_;
  std::uint64_t instructions_ = 0;
};

}  // namespace heddle::interpret
