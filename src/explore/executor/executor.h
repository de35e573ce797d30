// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executor: something that runs a concurrent program one visible operation at a time, under the control of a search. It
// is the only thing that searches, clocks, spinning, confirming and replaying see of a program, so that another way to
// run it (natively, say) is another Executor and nothing else.
//
//   executor.restart();
//   while (!executor.stopped() && !executor.enabled().empty()) executor.step(executor.enabled().front(), 0);
//   for (std::size_t i = 0; i < executor.steps(); ++i) detector.follow(i, executor.deeds_of(i));
//
// A visible operation is one that other threads can feel: locks, atomics, thread creation, whole atomic sections. What
// a thread does up to its next visible operation belongs to the event that precedes it. At the grain of accesses, plain
// accesses to memory that others may know are visible too.
//
// What a step did is told twice. The *event* says what it touched, for dependence: two events of different threads
// depend on each other when they touch the same bytes and not both only read; every order the searches speak of
// (Mazurkiewicz traces, races to be reversed) is built from that and from program order alone. The *deeds* say what it
// did in order, for happens-before as the language defines it, and for data races. Whatever deeds take for order has to
// be a touch of the event as well.
//
// What an executor promises:
// - Deterministic: the same steps with the same choices and inputs lead to the same state.
// - Threads and objects keep their numbers in every execution that has the same trace so far: they are named by their
//   creator, not by when they were made. An executor for one run (subject.h) need not: there `creation_of` tells.
// - Spans stay valid up to the next step, restart or rewind. Asking changes nothing.
// - What could not be run exactly is a gap, and with a gap no search claims to have seen everything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/content_hash.h"
#include "explore/executor/deed.h"
#include "explore/executor/other_sides.h"
#include "explore/executor/words.h"

namespace heddle::explore {

/// Acquire waits for a state that only a Release of the same object brings about: such a pair is never enabled at once,
/// so there is nothing to reverse between them. Otherwise both count as writes.
enum class TouchKind : std::uint8_t { Read, Write, Acquire, Release };

struct TouchedObject {
  std::uint64_t object = 0;
  std::uint64_t begin = 0;  ///< bytes; a lock is one byte
  std::uint64_t end = 1;
  TouchKind kind = TouchKind::Write;
  friend bool operator==(const TouchedObject&, const TouchedObject&) = default;
};

/// Of an event still to be run: another order may give its operation other outcomes, so no single one is meant.
inline constexpr std::uint32_t any_outcome = ~std::uint32_t{0};

/// Operations that the watch for spinning threads has to tell apart.
enum class Operation : std::uint8_t {
  Other,
  Wait,       ///< begins to wait
  WakeAlone,  ///< a wait ends without a signal, and not by time
  Wake,       ///< a wait ends otherwise
  Down,       ///< asks for a permit of a semaphore; an Acquire that is no lock tells that it got one
  Up,         ///< gives one; the Release tells of which semaphore
};

enum class StepEnd : std::uint8_t {
  Stopped,   ///< stands before its next operation, which may have to wait
  Finished,  ///< the thread ended
  Halted,    ///< took place; the thread makes no further step, for that would end the program (or has ended it)
  CutOff,    ///< did not take place but for its deeds (an unfinished section's); the thread makes no further step
  Refused,   ///< nothing happened, the thread stands where it stood
};

struct Event {
  ThreadIndex thread = 0;
  std::uint32_t choice = 0;  ///< which of `choices` outcomes was taken
  std::uint32_t choices = 1;
  /// Whether it is enabled depends on what it reads (an atomic section with an assumption, a wake-up), so no kind of
  /// touch can tell before which earlier event it could have run.
  bool conditional = false;
  bool used_up = false;  ///< its instructions were used up: it may be spinning
  bool spun = false;     ///< with it the thread has gone round, and makes no further step (search/spin.h)
  Operation operation = Operation::Other;
  StepEnd end = StepEnd::Stopped;
  std::vector<TouchedObject> touches;  ///< none in executors for one run
  std::vector<ThreadIndex> spawned;    ///< threads this event created; none in executors for one run: see the deeds
};

inline bool took_place(const Event& event) { return event.end != StepEnd::CutOff && event.end != StepEnd::Refused; }

enum class Standing : std::uint8_t {
  Enabled,
  Waits,
  Finished,
  AtEnd,   ///< its next operation ends the program: it is not run, for what others do meanwhile comes before the end
  Halted,  ///< see StepEnd
};

/// One access of an operation that is still to come.
struct NextAccess {
  Bytes bytes;
  bool is_write = false;
  bool is_atomic = false;
};

struct NextOperation {
  AccessKey key = no_access;  ///< of the access, or of the section's beginning
  bool in_section = false;    ///< it is a whole atomic section
};

struct Creation {
  ThreadIndex creator = no_thread;  ///< no_thread: main
  std::uint32_t ordinal = 0;        ///< so many its creator had created before
  /// What its entry got as its first argument, as an address; nothing: it is not known.
  std::optional<std::uint64_t> argument = {};
};

/// What a round of a spinning thread may do unnoticed; search/spin.h.
struct SpinRules {
  bool waits_end_alone = false;  ///< without a signal, as often as they like
  bool may_hold = false;         ///< no other thread can tell that a lock is held for a while, but by waiting
};

struct WholeState {
  ContentHash digest;
  std::uint64_t bytes = 0;  ///< looked at for it: what asking costs
};

/// A gap: the execution depends on an input that could have been another one.
inline constexpr const char* input_was_chosen = "an input value was chosen";
/// A gap: nobody looked whether that meets a use of the lock.
inline constexpr const char* lock_set_up_late = "a lock is initialised or destroyed while threads run";
/// A gap: not all of its outcomes were looked at.
inline constexpr const char* several_choices = "one step had several choices";
/// A gap: there may be more to see on a path than was looked at.
inline constexpr const char* cut_at_limit = "an execution was cut at its limit";

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // Running it. restart and rewind: executors for searches only.

  /// Back to the state before the first event.
  virtual void restart() = 0;
  /// Back to the state behind the first `length` events that ran since the restart.
  virtual void rewind(std::size_t length) = 0;
  /// Runs one enabled operation with its invisible tail. `choice`: which of its outcomes, for executors that are not
  /// given Inputs.
  virtual Event step(ThreadIndex thread, std::uint32_t choice) = 0;
  /// True when nothing more is to be seen on this path: the program ended, a limit cut it.
  [[nodiscard]] virtual bool stopped() const = 0;
  /// While on, steps are only tried: they will be taken back, so they cost nothing and leave no gap.
  virtual void rehearse(bool on) = 0;

  // What ran.

  [[nodiscard]] virtual std::size_t steps() const = 0;
  /// Of the latest step.
  [[nodiscard]] virtual std::span<const Deed> deeds() const = 0;
  /// Of step number `step`. Executors for searches only.
  [[nodiscard]] virtual std::span<const Deed> deeds_of(std::size_t step) const = 0;
  /// Over all steps, repeated ones included: what budgets count.
  [[nodiscard]] virtual std::uint64_t instructions() const = 0;
  /// Why no claim about all executions may rest on what ran; empty: nothing speaks against one.
  [[nodiscard]] virtual const std::set<std::string>& gaps() const = 0;
  /// Whether the program goes on, or how it ended.
  [[nodiscard]] virtual EndingKind state() const = 0;
  /// How threads that were stopped in front of it would have ended it; Words has the rest.
  [[nodiscard]] virtual std::span<const EndingKind> avoided() const = 0;
  [[nodiscard]] virtual bool has_misused_lock() const = 0;

  // Its threads, numbered from 0, which is main.

  [[nodiscard]] virtual std::size_t thread_count() const = 0;
  [[nodiscard]] virtual Standing standing(ThreadIndex thread) const = 0;
  /// Threads whose next operation can run now, ascending. Empty when everything ended or hangs.
  [[nodiscard]] virtual std::vector<ThreadIndex> enabled() const = 0;
  /// The operations of threads that wait; `touches` is what each one waits for.
  [[nodiscard]] virtual std::vector<Event> blocked() const = 0;
  [[nodiscard]] virtual Creation creation_of(ThreadIndex thread) const = 0;
  /// How far the thread has come: grows with its operations, and is the same number in every executor of the program
  /// when the thread has done the same.
  [[nodiscard]] virtual std::uint64_t progress(ThreadIndex thread) const = 0;
  /// Before which operation it stands.
  [[nodiscard]] virtual NextOperation next(ThreadIndex thread) const = 0;
  /// What that accesses; nothing if it is not enabled. Complete at the grain of accesses only.
  [[nodiscard]] virtual std::vector<NextAccess> next_accesses(ThreadIndex thread) = 0;
  /// The synchronisation object that a waiting thread waits for.
  [[nodiscard]] virtual std::optional<std::uint64_t> awaited_object(ThreadIndex thread) const = 0;
  /// Locks it holds, sorted; one that it holds shared twice is there twice.
  [[nodiscard]] virtual std::vector<std::uint64_t> held(ThreadIndex thread) const = 0;

  // For spinning threads.

  [[nodiscard]] virtual SpinRules spin_rules() const = 0;
  /// Of what the thread alone knows: equal digests mean that it stands in the same place with the same registers and
  /// stack. Nothing: too much to look at.
  [[nodiscard]] virtual std::optional<ContentHash> local_state(ThreadIndex thread) const = 0;
  /// Whether the latest step, the thread's, changed anything outside of that, if only for a moment. Writing what was
  /// there already is no change, nor is a lock or permit taken or given.
  [[nodiscard]] virtual bool left_traces(ThreadIndex thread) const = 0;

  // For searches that do not go twice where they have been.

  /// Whether its next operation does nothing but ask for an input: no other thread can tell whether it comes earlier or
  /// later. Only with ExecutionLimits::by_states.
  [[nodiscard]] virtual bool asks_for_input(ThreadIndex /*thread*/) const { return false; }

  /// Of everything that decides what can happen next: equal digests mean equal futures. Nothing: it is not known.
  [[nodiscard]] virtual std::optional<WholeState> whole_state() const { return std::nullopt; }

  [[nodiscard]] virtual Words& words() = 0;
  /// What else it could have done; null: nothing is known of that (ExecutionLimits::tell_sides).
  [[nodiscard]] virtual OtherSides* sides() { return nullptr; }

  [[nodiscard]] bool is_enabled(ThreadIndex thread) const { return standing(thread) == Standing::Enabled; }
};

}  // namespace heddle::explore
