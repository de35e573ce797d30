// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call of a library function does, as data. A model (models/*.toml, heddle.toml) is a list of effects in the
// order they happen; no stage behind this line ever compares a function's name.
//
//   pthread_mutex_trylock(m)   ->  [Acquire{object=0, blocking=false, success=Zero}]
//   pthread_create(h, a, f, x) ->  [Spawn{handle=0, entry=2, argument=3, success=Zero}]
//   memcpy(d, s, n)            ->  [Read{object=1, length=arg 2}, Write{object=0, length=arg 2}, Returns{object=0}]
//
// Argument numbers count from 0. A model with an empty list says "no effect", which differs from having no model.
// Effects are what a call may do, so an access is never the reason to forget another one. The result of a call whose
// effects do not name it (Returns, Allocate, CurrentThread, …) is what the model's CallResult says; a model that says
// nothing is no ground for a proof. An effect on an argument that the call does not pass or that is null is void.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::api {

enum class EffectKind : std::uint8_t {
  Acquire,   ///< lock `object`; mode, blocking, success
  Release,   ///< unlock `object`
  LockInit,  ///< initialise a lock: `object`; `value` = argument that points to its attributes (none: default);
             ///< `argument` = argument whose lowest bit says "recursive" (mtx_init), none: not given so
  LockDestroy,
  SetUp,         ///< begin or end any other synchronisation object: `object`
  SetRecursive,  ///< the attributes at `object` get the kind given by argument `value` (1 = recursive in pthread)
  SetDetached,  ///< the attributes of threads at `object` get the detach state given by argument `value` (1 = detached;
                ///< none: joinable)
  Spawn,        ///< start a thread: `entry`, `argument` (none: no argument), `handle` (where the handle is written),
                ///< `value` = argument that points to its attributes (none: default). `several`: the thread is one
                ///< of a group of any number; the first start finds zero where the handle lies and writes it, the
                ///< others find it there
  Join,         ///< wait for the thread whose handle is argument `object`; `value` = where the thread's result is
                ///< written (may be null), a word wide. `indirect`: the handle lies at that address, as in a
                ///< std::thread; it is null afterwards, and where it is null already the call throws. Of a thread
                ///< that was detached, or of the caller itself, it fails and waits for nobody. `several`: for all
                ///< threads of a group; a handle of zero says that nobody was started
  Detach,       ///< nobody will wait for the thread; arguments as for Join
  MayTerminate,   ///< calls std::terminate, or not
  ThreadExit,     ///< ends the calling thread; `value` = argument that is its result
  CurrentThread,  ///< returns the caller's handle
  Wait,  ///< condition `object` with lock `lock` (`indirect`: its address lies there): released, then held again
  Signal,
  Broadcast,
  BarrierInit,  ///< `object`, `value` = number of threads
  BarrierWait,
  TeamJoin,  ///< the caller is one of the threads that wait at barrier `object` from now on: a team. All of a team wait
             ///< at the same calls in the same order, and end before the thread that owns `object` leaves the team
  TeamLeave,  ///< no longer
  TeamLoop,   ///< a loop begins whose turns are dealt out among the team of `object`, once each
  Once,  ///< runs `entry` (with `argument`, where given) at most once for `object`; every caller returns after it ran
  SemInit,  ///< `object`, `value` = initial value
  SemWait,  ///< blocking, success as for Acquire
  SemPost,
  AtomicBegin,  ///< one global section
  AtomicEnd,
  TlsCreate,    ///< new key written through `object`; destructor in `entry`
  TlsGet,       ///< returns the calling thread's value of key `object` (by value)
  TlsSet,       ///< key `object` (by value) := argument `value`
  Allocate,     ///< returns fresh memory, or writes its address through `object` when given; length; zeroed;
                ///< success Always: never null
  Free,         ///< `object`
  EndLocal,     ///< the block of the local variable at `object` is over
  Use,          ///< the library uses its own data at `object` under a lock of its own (a stream): two uses do not
                ///< conflict with each other, but with whoever frees or writes it
  Reallocate,   ///< `object`, length: frees and returns fresh memory with the old content
  Read,         ///< reads memory through argument `object`; length
  Write,        ///< writes memory through argument `object`; length; the content becomes unknown data (no pointers),
                ///< or copies of the low byte of argument `value` when given (memset)
  AtomicRead,   ///< __atomic_load and friends on memory through `object`; content goes to where argument `value` points
                ///< (none: returned)
  AtomicWrite,  ///< new content: argument `value` (`indirect`: at that address)
  AtomicUpdate,  ///< read-modify-write with argument `value`; `argument` = where the expected content lies; `note` =
                 ///< which
  Copy,          ///< content of argument `value` goes to argument `object`; length (accesses are separate effects)
  Invoke,       ///< calls the function in argument `entry` before it returns (qsort, bsearch), any number of times; its
                ///< parameters point into the objects of arguments `argument` and `value`, where given
  Returns,      ///< returns argument `object`
  ReturnsOwn,   ///< returns argument `object`, which is the caller's own in the team of argument `lock`: `note` "one",
                ///< no other thread of the team has it; "turn", none has it of the loop that began last; "low" or
                ///< "high", the ends of a range that shares no number with those of others in the loop that began last,
                ///< and lies between arguments `value` and `argument`
  Nondet,       ///< returns any value
  Assume,       ///< goes on only if argument `object` is not zero
  NoReturn,     ///< the program ends (exit, abort, __assert_fail); `note` "exit": after the AtExit functions have run;
                ///< "terminate": after the AtTerminate function has
  Throw,        ///< leaves by unwinding (__cxa_throw); `value` = argument that points to what is thrown
  Unsupported,  ///< an effect we know of and do not treat (longjmp, fork, signal): no verdict may rest on it; `note`
                ///< says what; with `entry`: only if that argument may be a function (SIG_IGN is none); with
                ///< `argument`: only if that argument may be another number than `except`; with `value`: only if one of
                ///< `bits` may be set in that argument. It takes all that is said.
  OnceBegin,  ///< Once whose body stands in the caller (__cxa_guard_acquire): `success` = the caller runs the body now;
              ///< else the body of another caller is over, and what it did is visible
  OnceEnd,    ///< the body for `object` is over
  OnceAbort,  ///< the body for `object` failed: a later OnceBegin runs it again
  AtExit,     ///< `entry` with `argument` runs when the program ends; `per_thread`: when the calling thread ends
  AtTerminate,     ///< `entry` runs when std::terminate is called, by the program or for an exception nobody catches
  AtExceptionEnd,  ///< `entry` (may be null) with `argument`, an exception object, runs when the object ends
  ExceptionEnd,    ///< an exception object that the caller has caught or keeps may end here
  InvokeGlobal,    ///< calls the function whose address lies in the global named `note` (std::call_once)
  ReadVariadic,    ///< may read through every pointer among the arguments from `object` on (`indirect`: `object` is a
                   ///< va_list); `value` = printf format: when constant, only its %s are read
  WriteVariadic,   ///< as ReadVariadic, writes (scanf)
  HiddenRead,      ///< reads the library's own unprotected object `note` (getenv)
  HiddenWrite,     ///< writes it (strtok, localtime, setenv): two threads that do so race
  HiddenUse,       ///< writes it under a lock of its own: only who accesses the public variable of that name races
  ReturnsHidden,  ///< returns the address of the hidden object `note` (`per_thread`: one for each thread); the pointers
                  ///< in a
  ///< hidden object lead to itself; `holds_key`: it is a key of thread-specific values that the library made
  ReturnsInto,    ///< returns null or an address somewhere in the object argument `object` points to (strchr)
  StoresInto,     ///< writes such an address for argument `value` through argument `object`, a word wide (strtol's end)
  ReadReachable,  ///< may read all memory that can be reached from argument `object`
  WriteReachable,  ///< may read and write it; the pointers of all arguments of the call so named may be exchanged, and
                   ///< fresh memory may be stored there (library containers: std::list, std::map, std::string)
  ReturnsReachable,  ///< returns null or an address reachable from argument `object`, its own object included
  // Of profiles of whole projects; verify and the interpreter do not treat them.
  AcquireNamed,  ///< Acquire of the one lock called `note` (rtnl_lock, rcu_read_lock)
  ReleaseNamed,
  Root,    ///< from now on the function in argument `entry` may run, in `context`; it gets argument `argument`.
           ///< `value` = argument that is its priority (with `note`: that points to a struct whose member `note` is),
           ///< `lock` = argument that is the number of its interrupt; `indirect`: a lower priority wins
  Mask,    ///< until Unmask, entries of `context` do not run on the caller's processor
  Unmask,  ///< they may again
};

/// How an entry that the program does not call itself comes to run, and beside what.
enum class EntryContext : std::uint8_t {
  Thread,   ///< a thread of its own (kernel threads, threaded interrupt handlers)
  Call,     ///< on behalf of any caller, any number at once (system calls, operations of a file or device)
  Work,     ///< on a worker thread, one at a time for one work item
  Timer,    ///< when a timer is over: one at a time for one timer, may interrupt Thread, Call and Work
  Softirq,  ///< deferred interrupt work: interrupts the same, runs on several processors at once
  Hardirq,  ///< an interrupt handler: interrupts all of the above
  Init,     ///< once, before the entries that its own code makes known
  Exit,     ///< once, after them
};

/// What an entry is to a system of tasks and interrupts. The same notion as EntryContext, in the words of firmware:
/// entry_words.h says which kinds and contexts agree.
enum class EntryKind : std::uint8_t {
  Main,       ///< what runs when nothing else does
  Task,       ///< of an operating system, or any other function with a priority
  Cyclic,     ///< a task that a timer starts again and again
  Interrupt,  ///< a handler
  Init,       ///< runs before all others, alone
};

enum class LockMode : std::uint8_t { Exclusive, Shared };
/// On which return value the effect took place.
enum class Success : std::uint8_t { Always, Zero, NonZero, NonNegative, NotMinusOne };

/// The assumption by which a proof leaves out that the call fails. Nothing: failing is an outcome like any other.
enum class Granted : std::uint8_t { Nothing, Allocation, Creation, Locks };

/// The name of the assumption; empty for Nothing.
[[nodiscard]] constexpr std::string_view assumption_of(Granted granted) {
  switch (granted) {
    case Granted::Nothing: return "";
    case Granted::Allocation: return "allocation-succeeds";
    case Granted::Creation: return "creation-succeeds";
    case Granted::Locks: return "locks-succeed";
  }
  return "";
}

/// Numbers from `low` to `high`, both included.
struct Range {
  std::int64_t low = 0, high = 0;
  bool operator==(const Range&) const = default;
};

/// How many bytes are accessed at most, from the pointer on and never beyond its object. Unknown: to the object's end.
/// String: a zero-terminated string, at least one byte, and with `most` never beyond that argument's number of bytes.
/// Type: one of the library's own (object_size.h).
struct Length {
  enum class Kind : std::uint8_t { Unknown, Constant, Argument, Product, String, Words, Type };
  Kind kind = Kind::Unknown;
  std::int64_t value = 0;   ///< Constant: bytes; Words: times the size of a pointer; Argument, Product: argument
                            ///< number; Type: a LibraryType
  std::int64_t second = 0;  ///< Product: the other argument number
  int most = -1;            ///< String: argument number; none: -1

  bool operator==(const Length&) const = default;
};

struct Effect {
  static constexpr int none = -1;

  EffectKind kind = EffectKind::Nondet;
  LockMode mode = LockMode::Exclusive;
  Success success = Success::Always;
  /// False: try-lock, may fail; timed locks are not blocking either. True: taken when the call returns, and `success`
  /// only tells the value it returns.
  bool blocking = true;
  bool recursive = false;  ///< the lock counts its owner's acquisitions
  bool zeroed = false;
  bool handle_returned = false;  ///< Spawn: the handle is the return value
  bool indirect = false;         ///< an argument is the address of what is meant; see the kinds that mention it
  bool per_thread = false;
  bool holds_key = false;
  bool several = false;  ///< Spawn, Join: of a group of threads that have one handle
  int object = none;
  int entry = none;
  int argument = none;
  int handle = none;
  int value = none;
  int lock = none;
  /// Spawn: argument `entry` is no function but a C++ object (`indirect`: the memory at that argument holds the
  /// object's address, as with a std::unique_ptr passed by value, and is null afterwards). The entry is the function in
  /// this slot of the object's virtual table, counted in words from the address the object's first word holds; its only
  /// parameter is the object.
  int entry_slot = none;
  int after_slot = none;  ///< slot of a second function the new thread calls after the entry (the deleting destructor)
  /// What the call returns (with success NonNegative: its error number) when the effect did not take place: a try-lock
  /// that found the lock taken, a time that is over. Of a blocking Acquire: when the caller itself holds the lock;
  /// none: it waits for ever.
  int failure = none;
  EntryContext context = EntryContext::Thread;
  Granted granted = Granted::Nothing;
  std::optional<Range> valid;  ///< of the argument `value`: outside of it the call fails
  std::int64_t except = 0;     ///< Unsupported with `argument`: unless that argument is this number
  std::int64_t bits = 0;       ///< Unsupported with `value`: unless that argument has none of them
  Length length;
  std::string note;

  bool operator==(const Effect&) const = default;
};

/// What a call may return besides what its effects say, as models write it: "-1 or 0..arg 2", "null", "any".
struct CallResult {
  struct Numbers {
    Range range;
    int most = Effect::none;  ///< the argument that is the upper end in place of range.high
    bool operator==(const Numbers&) const = default;
  };
  bool is_said = false;
  // Where the effects say nothing:
  bool is_number = false;  ///< any number; nothing is said for pointers
  bool is_any = false;     ///< any data; a pointer: null or `outside`
  // Besides what they say:
  bool may_be_null = false;
  bool may_be_outside = false;   ///< the address of memory that the program does not know otherwise
  std::vector<Numbers> numbers;  ///< one of these
  /// Says something besides what the effects say.
  [[nodiscard]] bool adds() const { return may_be_null || may_be_outside || !numbers.empty(); }
  bool operator==(const CallResult&) const = default;
};

struct Model {
  std::string name;  ///< symbol, or a prefix that ends in '*'
  std::string file;  ///< where it was read from
  std::vector<Effect> effects;
  CallResult result;
  bool keeps_errno = false;  ///< errno is the same behind a call
  bool is_wrapper = false;   ///< holds for a function with a body too: who follows wrappers does not look inside
  bool is_declared = false;  ///< taken from an attribute in the source (assumption `declared-locks`)

  bool operator==(const Model&) const = default;
};

/// What is said of an entry besides how it runs; everything may be left out.
struct EntryTraits {
  std::optional<EntryKind> kind;
  std::optional<std::int64_t> number;    ///< of its interrupt
  std::optional<std::int64_t> priority;  ///< a higher one wins
  std::optional<bool> preemptable;

  bool operator==(const EntryTraits&) const = default;
};

/// Functions that somebody outside the program calls.
struct EntryRule {
  enum class Kind : std::uint8_t {
    Function,       ///< those called `name`
    Member,         ///< those stored in a member of a struct `name`: one of `members`, or any when that is empty
    Global,         ///< those whose address the initial value of a global called `name` holds
    Uncalled,       ///< those called `name` that other units see and nobody in the program uses: a part of a kernel, a
                    ///< library
    VectorTable,    ///< those whose address lies in a table `name`: their place in it is the number of their interrupt
    VectorSection,  ///< the same for tables in a section `name`
  };
  Kind kind = Kind::Function;
  std::string name;  ///< a '*' at its end: every name that begins so; at its start: that ends so
  std::vector<std::string> members;
  EntryContext context = EntryContext::Call;
  EntryTraits traits;
  std::vector<std::string> above;  ///< entries that it preempts, where priorities do not say it
  std::string priority_member;     ///< Member: the priority stands in this member of the same object
  std::string number_member;       ///< Member: and the number in this one
  bool lower_first = false;        ///< Member: a lower priority wins
  std::string file;                ///< where it was read from
  std::string place;               ///< there, as `file:line:column`

  bool operator==(const EntryRule&) const = default;
};

}  // namespace heddle::api
