// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread is about to do, what it did, and what a run came to: the words between the machine and a search.
//
//   before a step    PendingOp    Lock m at line 12, enabled
//   during a step    Choice       which of two waiters does this signal wake?
//   after a step     Event        Acquire m;  Read x, 4 bytes, value 7;  Write x …
//   at the end       RunOutcome      Exited with code 0; Deadlock; UndefinedBehaviour "read of 4 bytes through …"
//
// Plain data without references: an Event outlives the machine that made it, and explore/interpreted/ translates these
// words into those of explore/executor/.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/model/instruction.h"

namespace heddle::interpret {

using ThreadIndex = std::uint32_t;
using Address = std::uint64_t;
inline constexpr ThreadIndex no_thread = ~ThreadIndex{0};

/// One frame of a stack trace, innermost first.
struct StackEntry {
  FunctionId function;
  std::uint32_t instruction = 0;
  friend bool operator==(const StackEntry&, const StackEntry&) = default;
};

enum class OpKind : std::uint8_t {
  Start,  ///< the thread has not run yet
  Lock,
  LockShared,
  TryLock,
  TryLockShared,
  Unlock,
  Wait,  ///< releases the lock and begins to wait
  Wake,  ///< was signalled (or the wait may end by time or spuriously): takes the lock back
  Signal,
  Broadcast,
  BarrierArrive,
  BarrierLeave,
  SemWait,
  SemTryWait,
  SemPost,
  Once,  ///< once_begin too
  OnceEnd,
  Spawn,
  Join,
  TryJoin,
  Detach,
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  Input,    ///< asks for a number that nothing decides; only with input_values
  Section,  ///< a whole atomic section; its footprint is known after the step (or by Machine::probe)
  Read,
  Write,     ///< plain access to memory that other threads may know; only with switch_at_accesses
  Exit,      ///< the program ends while other threads live: conflicts with everything they do
  Continue,  ///< a step with a budget stopped here: nothing visible
  None,      ///< finished
};

/// Memory an operation touches. With is_lock: a synchronisation object of that size, 0 if nobody says how large it is.
struct TouchedBytes {
  Address address = 0;
  std::uint32_t size = 0;
  bool is_write = false;
  bool is_atomic = false;
  bool is_lock = false;
  bool is_end = false;  ///< of the memory: freed, or the frame that it lies in is left
};

struct PendingOp {
  OpKind kind = OpKind::None;
  bool enabled = false;
  bool footprint_known = true;
  Address object = 0;  ///< lock, condition, semaphore, …; Join: the thread's index
  std::vector<TouchedBytes> footprint;
  FunctionId function;  ///< where the operation stands; invalid for Start
  std::uint32_t instruction = 0;
};

enum class ThreadStatus : std::uint8_t { Runnable, Blocked, Finished };

/// What a step did, in order. Accesses and synchronisation share one stream so that a clock can follow it.
enum class EventKind : std::uint8_t {
  Read,
  Write,  ///< plain access
  AtomicRead,
  AtomicWrite,  ///< an update is a read, then a write
  Free,         ///< the whole object is gone: conflicts with every access to it
  Acquire,
  Release,  ///< of the synchronisation object at `address`: edges for vector clocks
  AcquireShared,
  ReleaseShared,  ///< reader side of a rwlock: orders against writers only
  Spawn,
  Join,  ///< `address` is the other thread's index
  SectionBegin,
  SectionEnd,
  ThreadEnd,
  SectionFailed,  ///< a section met a false assumption after the accesses before this: no machine makes it, searches do
  SyncReset,      ///< the synchronisation object at `address` is initialised or destroyed
  Fence,          ///< orders atomic accesses; the instruction says how
  Uses,  ///< a try of the object at `address` that failed, or (0) a library call that may lock something inside
  Asks,  ///< the thread stands before an operation on the object: from now on it may look at it, and wait
};

/// Edges for vector clocks.
[[nodiscard]] constexpr bool is_sync(EventKind kind) {
  return kind == EventKind::Acquire || kind == EventKind::Release || kind == EventKind::AcquireShared ||
         kind == EventKind::ReleaseShared;
}

/// About a synchronisation object. Its bytes are touched if the event has a size.
[[nodiscard]] constexpr bool has_object(EventKind kind) {
  return is_sync(kind) || kind == EventKind::SyncReset || kind == EventKind::Uses || kind == EventKind::Asks;
}

using PathId = std::uint32_t;  ///< an interned list of callers; Machine::stack_of

struct Event {
  EventKind kind = EventKind::Read;
  bool is_lock = false;  ///< Acquire/Release: a lock that is held in between (not a condition, semaphore, …)
  ThreadIndex thread = 0;
  std::uint32_t size = 0;
  std::uint32_t instruction = 0;
  Address address = 0;
  std::uint64_t value = 0;  ///< low 8 bytes read or written
  FunctionId function;
  PathId path = 0;  ///< the callers of `function`
};

/// How a thread got from one place of its code to another, among the events of a step.
struct Passage {
  enum class Kind : std::uint8_t {
    Jump,    ///< from the instruction `from` to the block that begins at `to`
    Enter,   ///< a function begins; `from`: the instruction of `caller` that called it
    Return,  ///< a function is left at the instruction `from`: by returning, or otherwise
  };
  Kind kind = Kind::Jump;
  FunctionId function;
  FunctionId caller;  ///< Enter; none: the machine itself called
  std::uint32_t from = 0, to = 0;
  std::uint32_t depth = 0;  ///< frames, this one included
  std::uint32_t event = 0;  ///< so many events of the step came before
};

/// The accesses of a section up to the false assumption, SectionBegin first.
struct FailedSection {
  std::vector<Event> events;
  bool is_blocked = false;  ///< not an assumption: it would have to wait for a lock, say
};

enum class ChoiceKind : std::uint8_t {
  Value,            ///< any value of `bits` bits (a nondeterministic or unknown function's result)
  Waiter,           ///< which of `count` waiting threads a signal wakes
  AllocationFails,  ///< 1: yes
  TryFails,         ///< a try-lock of a free lock; 1: yes
};

struct Choice {
  ChoiceKind kind = ChoiceKind::Value;
  std::uint32_t bits = 0;
  std::uint64_t count = 0;  ///< 0: any value of `bits` bits
  bool is_float = false;    ///< Value: bits are those of a float or double
  ThreadIndex thread = 0;
  FunctionId function;
  std::uint32_t instruction = 0;
  std::string_view source;  ///< Value: the function asked
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  virtual std::uint64_t choose(const Choice& choice) = 0;
};

enum class OutcomeKind : std::uint8_t {
  Running,
  Exited,  ///< main returned or exit was called; `exit_code`
  Deadlock,
  AssertionFailed,  ///< __assert_fail, reach_error and the like
  Aborted,          ///< abort, trap, an exception nobody catches
  UndefinedBehaviour,
  Infeasible,   ///< an assumption is false, or all that is left waits for one inside a section
  CapReached,   ///< steps, heap, threads, stack: nothing is known about what would follow
  Unsupported,  ///< `what` names the function or instruction
};

struct RunOutcome {
  OutcomeKind kind = OutcomeKind::Running;
  int exit_code = 0;
  std::string what;
  ThreadIndex thread = no_thread;
  std::vector<StackEntry> stack;
};

/// Something wrong that does not end the run.
struct Note {
  enum class Kind : std::uint8_t { LockMisuse, SignedOverflow, Uninitialised };
  Kind kind = Kind::LockMisuse;
  std::string what;
  ThreadIndex thread = 0;
  std::vector<StackEntry> stack;
};

}  // namespace heddle::interpret
