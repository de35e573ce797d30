// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executor: something that runs a concurrent program one visible operation at a time, under the control of a search.
// A visible operation is one that other threads can feel: locks, atomics, thread creation, whole atomic sections. What
// a thread does up to its next visible operation belongs to the event that precedes it.
//
//   executor.restart();
//   while (!executor.stopped()) executor.step(pick(executor.enabled()), 0);
//
// An event says what it touched. Two events of different threads depend on each other when they touch the same bytes
// and not both only read; every order the searches speak of (happens-before, Mazurkiewicz traces, races) is built from
// that and from program order alone. Threads and objects must keep their numbers in every execution that has the same
// trace so far: name them by who made them, not by when.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::explore {

using ThreadIndex = std::uint32_t;

/// Acquire waits for a state that only a Release of the same object brings about: such a pair is never enabled at once,
/// so there is nothing to reverse between them. Otherwise both count as writes.
enum class TouchKind : std::uint8_t { Read, Write, Acquire, Release };

struct Touch {
  std::uint64_t object = 0;
  std::uint64_t begin = 0;  ///< bytes; a lock is one byte
  std::uint64_t end = 1;
  TouchKind kind = TouchKind::Write;
  friend bool operator==(const Touch&, const Touch&) = default;
};

/// Of an event still to be run: another order may give its operation other outcomes, so no single one is meant.
inline constexpr std::uint32_t any_outcome = ~std::uint32_t{0};

struct Event {
  ThreadIndex thread = 0;
  std::uint32_t choice = 0;  ///< which of `choices` outcomes was taken
  std::uint32_t choices = 1;
  /// Whether it is enabled depends on what it reads (an atomic section with an assumption, a wake-up), so no kind of
  /// touch can tell before which earlier event it could have run.
  bool conditional = false;
  std::vector<Touch> touches;
  std::vector<ThreadIndex> spawned;  ///< threads this event created
};

class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Back to the state before the first event. Must be deterministic.
  virtual void restart() = 0;
  /// Back to the state behind the first `length` events that ran since the restart.
  virtual void rewind(std::size_t length) = 0;
  /// Threads whose next operation can run now, ascending. Empty when everything ended or hangs.
  [[nodiscard]] virtual std::vector<ThreadIndex> enabled() const = 0;
  /// The operations of threads that wait; `touches` is what each one waits for.
  [[nodiscard]] virtual std::vector<Event> blocked() const = 0;
  /// Runs one enabled operation with its invisible tail.
  virtual Event step(ThreadIndex thread, std::uint32_t choice) = 0;
  /// True when nothing more is to be seen on this path: the program ended, a race was found, a limit cut it.
  [[nodiscard]] virtual bool stopped() const = 0;
};

}  // namespace heddle::explore
