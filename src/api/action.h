// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call does, in few words. Models are written in about sixty kinds of effects (effect.h), because a model should
// read well; a stage that had to know sixty kinds would forget some of them. So each effect is lowered, here and
// nowhere else, to one of twenty-one primitives. A primitive has the operands that it uses and no others; where some
// stage needs to know more, the primitive has a closed enum.
//
//   { acquire = 0, blocking = false, success = "zero" }  ->  TakeLock{argument 0, exclusive, may fail, zero: taken}
//   "atomic_begin"                                       ->  TakeLock{the atomic section}
//   { write = 1, length = "arg2" }                       ->  Touch{Write, Object 1, length of argument 2}
//   { hidden_write = "environ" }                         ->  Touch{Write, Hidden "environ"}
//
// A stage consumes actions with `treat`, one case per primitive, and switches over the enums without `default:`:
//
//   api::treat(api::action_of(effect), [&](const TakeLock& take) { … }, [&](const GiveLock& give) { … }, …);
//
// A case that is left out does not compile, and neither does a generic one. So whoever adds a kind of effect adds it to
// action_of, which does not compile before, as a primitive, an enumerator or a flag, and then the compiler leads to
// every stage that has to say what the new thing means there: the transfer function of a proof, an obstacle, a named
// assumption of a scan (docs/assumptions.md), or nothing, with the reason. tests/check_layers.py holds `EffectKind`
// back in src/api/ and refuses a `default:` over any enum of this file or of effect.h.
//
// An action lends its texts from the effect and must not outlive it. Lowering is a switch and a small copy, without
// allocation; whoever executes a call many times keeps its Action (interpret::External).
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "api/effect.h"

namespace heddle::api {

/// The number of an argument, from 0; `Effect::none`: there is none for this.
using Argument = int;

/// Whether the call does what it is for, and what it returns then.
struct CallOutcome {
  Success success = Success::Always;
  bool blocking = true;        ///< false: it may give up
  int failure = Effect::none;  ///< what it returns if it did not; see Effect::failure
  Granted granted = Granted::Nothing;
};

/// A lock: what an argument points to, the one lock of a name, or the one atomic section of the program.
struct LockRef {
  enum class Kind : std::uint8_t { Object, Named, Section };
  Kind kind = Kind::Object;
  Argument object = Effect::none;
  std::string_view name = {};
  Length bytes = {};  ///< Object: how large the lock is; Unknown: nothing is known but its first byte
};

struct TakeLock {
  LockRef lock;
  LockMode mode = LockMode::Exclusive;
  bool recursive = false;
  CallOutcome outcome;
};

struct GiveLock {
  LockRef lock;
};

/// A synchronisation object begins or ends, or gets its kind. `value`: the attributes of a lock, the new kind, the
/// count of a barrier or semaphore.
struct SetUpObject {
  /// ThreadKind: the attributes of threads say from now on whether these are detached; without `value` they are not.
  enum class What : std::uint8_t { Lock, LockEnd, LockKind, ThreadKind, Barrier, Semaphore, Other };
  What what = What::Lock;
  Argument object = Effect::none;
  Argument value = Effect::none;
  Argument recursive_if = Effect::none;  ///< Lock: the argument whose lowest bit says so
  bool recursive = false;                ///< Lock: always
  int failure = Effect::none;            ///< LockEnd: what it returns if the lock is held
  std::optional<Range> valid = {};       ///< of `value` or `recursive_if`: the call fails outside of it
  Granted granted = Granted::Nothing;
  Length bytes = {};
};

struct StartThread {
  Argument entry = Effect::none;
  Argument argument = Effect::none;
  Argument handle = Effect::none;  ///< where the handle is written
  Argument attributes = Effect::none;
  bool handle_returned = false;
  bool indirect = false;  ///< see Effect::entry_slot
  int entry_slot = Effect::none;
  int after_slot = Effect::none;
  bool several = false;  ///< one of a group with one handle; see EffectKind::Spawn
  Success success = Success::Always;
  Granted granted = Granted::Nothing;
};

/// From now on a function may run: called from outside, when the program ends, when the calling thread ends, when
/// std::terminate is called, when an exception object (the argument) ends.
struct RunLater {
  enum class When : std::uint8_t { Outside, ProgramEnd, ThreadEnd, Terminate, ExceptionEnd };
  When when = When::Outside;
  Argument entry = Effect::none;
  Argument argument = Effect::none;
  EntryContext context = EntryContext::Thread;  ///< Outside
  Argument priority = Effect::none;             ///< Outside
  Argument number = Effect::none;               ///< Outside: of an interrupt
  std::string_view priority_member = {};        ///< Outside: `priority` points to a struct with this member
  bool lower_first = false;                     ///< Outside: a lower priority wins
};

/// Waits for the end of a thread, or says that nobody will.
struct LeaveThread {
  enum class How : std::uint8_t { Join, Detach };
  How how = How::Join;
  Argument handle = Effect::none;
  bool indirect = false;           ///< the handle lies at that address: null afterwards, and if null before, it throws
  Argument result = Effect::none;  ///< Join: where the thread's result is written
  bool several = false;            ///< Join: for all threads of a group, or nobody if the handle is zero
  CallOutcome outcome;
};

struct UseCondition {
  enum class Step : std::uint8_t { Wait, Signal, Broadcast };
  Step step = Step::Wait;
  Argument object = Effect::none;
  Argument lock = Effect::none;  ///< Wait: released, then held again
  bool indirect = false;         ///< the lock's address lies there
  CallOutcome outcome;
  Length bytes = {};
};

struct WaitAtBarrier {
  enum class Step : std::uint8_t { Wait, Join, Leave, Loop };  ///< the others: of a team, see EffectKind::TeamJoin
  Step step = Step::Wait;
  Argument object = Effect::none;
  Length bytes = {};
};

struct UseSemaphore {
  enum class Step : std::uint8_t { Wait, Post };
  Step step = Step::Wait;
  Argument object = Effect::none;
  CallOutcome outcome;
  Length bytes = {};
};

/// A body that runs once for an object: a function that the library calls (Call), or one that stands in the caller.
struct RunOnce {
  enum class Step : std::uint8_t { Call, Begin, End, Abort };
  Step step = Step::Call;
  Argument object = Effect::none;
  Argument entry = Effect::none;
  Argument argument = Effect::none;
  Success success = Success::Always;  ///< Begin: the caller runs the body now
  Length bytes = {};
};

/// A value of which each thread has its own. Create: the key is written through `key`; Get, Set: it is given by value.
struct UseThreadValue {
  enum class Step : std::uint8_t { Create, Get, Set };
  Step step = Step::Get;
  Argument key = Effect::none;
  Argument value = Effect::none;       ///< Set
  Argument destructor = Effect::none;  ///< Create: called with the value when a thread ends
  Success success = Success::Always;
};

/// Memory that nobody knows yet: returned, or its address is written through `into`. `old`: freed, its content moves.
struct MakeMemory {
  Argument into = Effect::none;
  Argument old = Effect::none;
  Length length;
  bool zeroed = false;
  Success success = Success::Always;
  Granted granted = Granted::Nothing;
};

/// Plain accesses. The content that a Write leaves is data, without addresses.
struct Touch {
  enum class Mode : std::uint8_t {
    Read,
    Write,
    Free,
    End,  ///< as Free, of a local variable
    Use,  ///< conflicts with plain accesses only
  };
  enum class Extent : std::uint8_t {
    Object,     ///< what argument `object` points to, `length` bytes
    Variadic,   ///< what every argument from `object` on points to; `is_list`: argument `object` is a va_list
    Reachable,  ///< all that can be reached from argument `object`; Write: pointers of all arguments may be exchanged
    Hidden,     ///< the library's own object `name`
  };
  Mode mode = Mode::Read;
  Extent extent = Extent::Object;
  Argument object = Effect::none;
  Length length;
  Argument fill = Effect::none;    ///< Object, Write: every byte becomes the low byte of this argument
  Argument format = Effect::none;  ///< Variadic: when constant, only what its conversions name
  bool is_list = false;
  std::string_view name = {};

  [[nodiscard]] constexpr bool ends_memory() const { return mode == Mode::Free || mode == Mode::End; }
};

/// An atomic access by a function, with what it moves.
struct TouchAtomic {
  enum class Step : std::uint8_t { Read, Write, Update };
  Step step = Step::Read;
  Argument object = Effect::none;
  Length length;
  Argument value = Effect::none;     ///< Read: where the content goes, none: returned; else the new content
  bool indirect = false;             ///< the new content lies at that address
  Argument expected = Effect::none;  ///< Update: where the expected content lies
  std::string_view operation = {};   ///< Update
};

/// Pointers get to where they were not; accesses are separate actions but for Into, which writes a word.
struct MovePointers {
  enum class How : std::uint8_t {
    Content,  ///< the content of `from` goes to `to`
    Into,     ///< an address somewhere in the object of `from` is written through `to`
  };
  How how = How::Content;
  Argument to = Effect::none;
  Argument from = Effect::none;
  Length length;
};

struct ReturnValue {
  enum class What : std::uint8_t {
    Argument,   ///< argument `object` itself
    Into,       ///< null or an address in its object
    Reachable,  ///< null or an address reachable from it
    Hidden,     ///< the address of the library's object `name`
    ThisThread,
    Own,  ///< argument `object`, which is the caller's own: see EffectKind::ReturnsOwn
    Anything,
  };
  What what = What::Anything;
  Argument object = Effect::none;
  std::string_view name = {};
  bool per_thread = false;                                                      ///< Hidden: each thread has its own
  bool holds_key = false;                                                       ///< Hidden
  Argument team = Effect::none, lowest = Effect::none, highest = Effect::none;  ///< Own
};

/// Calls a function before it returns, any number of times: argument `entry`, or what the global `name` holds, or the
/// destructor of an exception.
struct CallBack {
  Argument entry = Effect::none;
  Argument argument = Effect::none, value = Effect::none;  ///< parameters point into their objects
  std::string_view global = {};                            ///< not empty: this, and no `entry`
  bool ends_exception = false;                             ///< what RunLater{ExceptionEnd} named, and no `entry`
};

/// The call does not return.
struct End {
  enum class Of : std::uint8_t {
    Thread,
    Program,    ///< at once
    Exit,       ///< the program, after the functions that are to run at its end
    Terminate,  ///< the program, after the function that is to run then
    Frame,      ///< an exception is thrown
  };
  Of of = Of::Program;
  Argument value = Effect::none;  ///< Thread: its result; Frame: what is thrown
  bool may_return = false;        ///< Terminate: or nothing happens
};

struct Assume {
  Argument object = Effect::none;  ///< not zero
};

struct MaskEntries {
  EntryContext context = EntryContext::Thread;
  bool begins = true;
};

struct DoUnsupported {
  std::string_view what;
  Argument entry = Effect::none;     ///< only if this argument may be a function
  Argument argument = Effect::none;  ///< only if this argument may be another number than `except`
  std::int64_t except = 0;
  Argument flags = Effect::none;  ///< and only if one of `bits` may be set in this argument
  std::int64_t bits = 0;
  /// As models call it.
  [[nodiscard]] bool is_signal_handler() const { return what.starts_with("signal handler"); }
};

using Action = std::variant<TakeLock, GiveLock, SetUpObject, StartThread, RunLater, LeaveThread, UseCondition,
                            WaitAtBarrier, UseSemaphore, RunOnce, UseThreadValue, MakeMemory, Touch, TouchAtomic,
                            MovePointers, ReturnValue, CallBack, End, Assume, MaskEntries, DoUnsupported>;

/// The effect as a primitive. Its texts are those of the effect.
[[nodiscard]] Action action_of(const Effect& effect);

/// The hidden object that holds errno, one per thread.
inline constexpr std::string_view errno_object = "errno";

/// A synchronisation object is memory. Operations on it access its bytes as atomic accesses do, setting it up or ending
/// it writes them plainly: so they meet whoever overwrites, copies or frees the object.
struct ObjectUse {
  Argument object = Effect::none;
  bool indirect = false;  ///< the object's address lies there
  bool is_atomic = true;  ///< false: a plain write
  Length bytes;           ///< Unknown: its first byte
  bool is_read = false;   ///< compiled code looks at its content, as at the guard of a local static
};
/// What the action uses so.
[[nodiscard]] std::vector<ObjectUse> object_uses(const Action& action);

namespace detail {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

struct NoAction {};  ///< what only a generic case would take

}  // namespace detail

/// Calls the case for the primitive; `cases` are lambdas, or one object with an operator() per primitive.
template <class... Cases>
decltype(auto) treat(const Action& action, Cases&&... cases) {
  using All = detail::Overloaded<std::remove_cvref_t<Cases>...>;
  static_assert(!std::is_invocable_v<All&, const detail::NoAction&>, "every primitive has a case of its own");
  All all{std::forward<Cases>(cases)...};
  return std::visit(all, action);
}

/// A case for primitives that mean nothing to a stage, or all the same: `Nothing<Assume, MaskEntries>{}`. They are
/// named one by one as well.
template <class... Primitives>
struct Nothing {
  template <class P>
    requires(std::same_as<P, Primitives> || ...)
  void operator()(const P&) const {}
};
template <auto answer, class... Primitives>
struct Always {
  template <class P>
    requires(std::same_as<P, Primitives> || ...)
  auto operator()(const P&) const {
    return answer;
  }
};
/// The same, where the answer is that there is none: `std::optional<When>{}`.
template <class Result, class... Primitives>
struct NoAnswer {
  template <class P>
    requires(std::same_as<P, Primitives> || ...)
  Result operator()(const P&) const {
    return {};
  }
};

/// The primitive that an effect is, if it is that one: for questions about one primitive alone.
template <class Primitive>
[[nodiscard]] std::optional<Primitive> get(const Effect& effect) {
  const Action action = action_of(effect);
  if (const Primitive* found = std::get_if<Primitive>(&action)) return *found;
  return std::nullopt;
}

}  // namespace heddle::api
