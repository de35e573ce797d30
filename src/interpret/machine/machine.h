// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine: the executable semantics of a Program. Threads run one step at a time; a step is the visible operation a
// thread stands before (lock, spawn, atomic access, a whole atomic section, …) and everything up to the next one.
//
//   FixedChooser zeros;                         // every nondeterministic value is 0
//   Machine m(program, models, options, zeros);
//   while (m.outcome().kind == OutcomeKind::Running) m.step(m.enabled().front());
//   std::cout << m.output();
//
// Memory is byte-precise in the program's own data model. Every object has a concrete address in a simulated address
// space with gaps between objects; a pointer in a register also knows its object, one loaded from memory finds it by
// address. Each bit knows whether it was ever initialised: using an uninitialised one is reported when it decides a
// branch or is an address. Addresses of heap objects and stacks belong to the allocating thread, so they do not depend
// on how other threads are scheduled.
//
// Undo: `mark` is cheap; from then on writes are logged and a thread's registers are copied before its first change
// after the mark. `undo_to` returns exactly to the marked state. Marks are a stack. The same log takes back an atomic
// section whose assumption failed: the thread is then not enabled until memory that the section read has changed.
//
// Nondeterminism other than the schedule goes through the Chooser in the middle of a step. A search that wants another
// answer undoes to a mark before the step and steps again.
//
// Atomics are sequentially consistent whatever their order says. Exactness: integers to 128 bits; every floating point
// format is rounded once, in software where it is not float or double, so long double is that of the program's target
// whatever the host has. Functions of <math.h> on float and double are the host's. What is not known ends the run as
// Unsupported, it is never guessed.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/content_hash.h"
#include "interpret/code/operation.h"
#include "interpret/state/machine_options.h"
#include "interpret/state/state_hash.h"
#include "program/model/program.h"

namespace heddle::interpret {

struct Core;

/// Answers every choice with the same number.
class FixedChooser final : public Chooser {
 public:
  explicit FixedChooser(std::uint64_t answer = 0) : answer_(answer) {}
  std::uint64_t choose(const Choice& choice) override { return choice.count == 0 ? answer_ : answer_ % choice.count; }

 private:
  std::uint64_t answer_;
};

struct StepResult {
  enum class Kind : std::uint8_t {
    Stopped,     ///< stands before its next visible operation (which may be disabled)
    Finished,    ///< the thread ended
    NotEnabled,  ///< a section met a false assumption or would block: undone, nothing happened
    Ended,       ///< the run is over: outcome()
  };
  Kind kind = Kind::Stopped;
  std::uint64_t instructions = 0;
};

class Machine {
 public:
  /// The Program and the models must outlive the machine. Nothing has run yet: thread 0 stands before Start.
  Machine(const Program& program, const api::ApiModels& models, MachineOptions options, Chooser& chooser);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  Machine(Machine&&) noexcept;

  // Threads, by index in order of creation (but stable_threads); 0 is main.
  [[nodiscard]] std::size_t thread_count() const;
  [[nodiscard]] ThreadStatus status(ThreadIndex thread) const;
  [[nodiscard]] PendingOp pending(ThreadIndex thread) const;
  [[nodiscard]] OpKind pending_kind(ThreadIndex thread) const;  ///< without the footprint: cheap
  [[nodiscard]] Address pending_object(ThreadIndex thread) const;
  [[nodiscard]] std::span<const TouchedBytes> pending_touches(
      ThreadIndex thread) const;  ///< as far as known without running it
  [[nodiscard]] bool holds(ThreadIndex thread, Address lock) const;
  /// Its next operation ends the program, and no handler runs before that.
  [[nodiscard]] bool is_at_end(ThreadIndex thread) const;
  [[nodiscard]] bool is_enabled(ThreadIndex thread) const;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const;
  [[nodiscard]] std::vector<StackEntry> stack(ThreadIndex thread) const;
  [[nodiscard]] std::uint64_t instructions_of(ThreadIndex thread) const;
  /// Address of the first instruction a thread runs, and who created it (no_thread for main).
  [[nodiscard]] FunctionId entry_of(ThreadIndex thread) const;
  [[nodiscard]] ThreadIndex creator_of(ThreadIndex thread) const;
  [[nodiscard]] std::uint32_t ordinal_of(ThreadIndex thread) const;   ///< so many its creator had created before
  [[nodiscard]] std::uint64_t argument_of(ThreadIndex thread) const;  ///< that its creator gave it

  /// Performs the pending operation of an enabled thread and what follows up to its next visible operation. With
  /// `budget` the step also stops (Stopped, pending operation Continue) after so many instructions: for spinning
  /// threads.
  StepResult step(ThreadIndex thread, std::uint64_t budget = ~std::uint64_t{0});
  /// What the step would touch: runs it and undoes it. Kind NotEnabled for a section that cannot run now.
  StepResult probe(ThreadIndex thread, std::vector<TouchedBytes>& footprint);

  /// Events of the latest step, in order; gone with the next step.
  [[nodiscard]] std::span<const Event> events() const;
  /// How its thread went in the latest step, if that is recorded (MachineOptions::record_passages).
  [[nodiscard]] std::span<const Passage> passages() const;
  /// What the last section that could not run had done when it met its assumption; it was undone.
  [[nodiscard]] const FailedSection& failed_section() const;
  [[nodiscard]] std::vector<StackEntry> stack_of(const Event& event) const;  ///< where it happened, innermost first
  [[nodiscard]] const RunOutcome& outcome() const;
  [[nodiscard]] std::span<const Note> notes() const;
  [[nodiscard]] std::span<const std::string> inputs() const;  ///< what it was given from outside: `getpid = 7`
  /// Why this run does not stand for others of the same schedule and inputs: it depends on addresses, say. Grows only.
  [[nodiscard]] std::span<const char* const> doubts() const;
  [[nodiscard]] const std::string& output() const;        ///< stdout
  [[nodiscard]] const std::string& error_output() const;  ///< stderr
  [[nodiscard]] std::uint64_t instructions() const;

  using Mark = std::size_t;
  Mark mark();
  void undo_to(Mark mark);  ///< the mark stays usable
  void forget_marks();      ///< keeps the state, drops the log: undo is no longer possible

  /// Of everything that decides what can happen next. Costs a walk over all memory.
  [[nodiscard]] StateHash state_hash() const;
  /// Of what the thread alone knows: frames, registers, its stack as far as nobody else knows it, how often it holds
  /// its locks. Nothing if that is too much to look at after each step.
  [[nodiscard]] std::optional<ContentHash> local_state(ThreadIndex thread) const;
  /// Whether the thread's latest step, which began at the mark, changed anything outside of that state, if only for a
  /// moment. Writing what was there already is no change. `takes_locks`: changes of synchronisation objects do not
  /// count.
  [[nodiscard]] bool left_traces(ThreadIndex thread, Mark since, bool takes_locks) const;
  /// Locks it holds, sorted; one that it holds shared twice is there twice.
  [[nodiscard]] std::vector<Address> held_locks(ThreadIndex thread) const;
  /// Its latest wait ended without a signal, and not by time.
  [[nodiscard]] bool woke_by_itself(ThreadIndex thread) const;

  // Memory, for reports and tests.
  struct Place {
    bool known = false;
    std::string name;  ///< global's name, "heap", "stack", "thread-local"
    std::uint64_t offset = 0, size = 0;
    GlobalId global;
    std::vector<StackEntry> allocated_at;  ///< innermost only
    ThreadIndex owner = no_thread;
  };
  [[nodiscard]] Place place(Address address) const;
  [[nodiscard]] Address address_of(GlobalId global, ThreadIndex thread = 0) const;
  [[nodiscard]] std::vector<std::uint8_t> bytes(Address address, std::size_t count) const;  ///< empty if out of bounds

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace heddle::interpret
