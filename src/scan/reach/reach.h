// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reach: which threads come to which function, when, and with which locks held. A summary says what a function does in
// terms of its parameters; this stage goes the other way, top-down over the call graph, and says who calls it.
//
//   main ── init() ── set(&x)            Boot: no thread exists yet, nothing can race
//    │ pthread_create(worker)
//    ├── loop() ── set(&x)               Main: beside the workers
//    │ pthread_join(worker)
//    ├── print(&x)                       Main, with no thread beside it
//   worker ── open(&x)                   Early, by root `worker`: it has started no thread itself so far
//    │ pthread_create(helper)
//    └── set(&x)                         Thread, by root `worker`, which may run several times; beside helper
//
// What it computes. For each function and phase (Boot, Main, Early, Thread) one Visit: the locks held at *every* call
// that leads there, by names that mean the same everywhere (lock_names.h); the roots whose threads come there; what
// main, or the one thread that comes there, has started and may still be running; one way there, for the stack that is
// shown. Roots are found on the way: a function given to a thread creation in a function that is reached. Then
// may_overlap() answers for two accesses whether two threads can make them at the same time.
//
// Why it may be trusted. Everything moves in the direction that keeps warnings: at a second way to a function locks are
// intersected (a lock counts only if all ways hold it), roots and running threads are united, and a function that is
// reached in two phases is judged in each. A thread counts as gone only if its handle was waited for on all ways
// (thread_state.h), as the only one of its kind only if it is created once, outside of loops, by code that runs once. A
// thread that another thread starts may run beside everything (`is_wide`), but for what its only creator did before it
// started it or after it waited for it; one that its creator surely waits for is gone when the creator is. What
// somebody outside calls (interrupts, callbacks of a kernel) runs at any time and several times. It is not a proof, for
// three reasons that have names: calls through pointers lead where CallTargets says (`function-tables`,
// `function-types`), locks are named by paths (`stable-paths`), and loops that wait for threads wait for all of them
// (`loops-join-all`).
//
// What runs at the end of a thread or of the program is entered last (late_calls.h). What it costs: a work list; locks
// only shrink, sets only grow, so a function is visited a few times, and each visit looks at its calls once. Sets of
// more than 64 roots are one set, "any".
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "scan/keep/bottom_up.h"
#include "scan/reach/lock_names.h"
#include "scan/reach/named_history.h"
#include "threads/outside_entries.h"

namespace heddle::scan {

class DyingCode;

/// Of main: Boot, before it has started a thread, and Main; of any other thread: Early and Thread likewise.
enum class Phase : std::uint8_t { Boot, Main, Early, Thread };
inline constexpr std::size_t phase_count = 4;
inline constexpr std::array<Phase, phase_count> all_phases{Phase::Boot, Phase::Main, Phase::Early, Phase::Thread};
[[nodiscard]] inline bool is_thread(Phase phase) { return phase >= Phase::Early; }
/// The phase of what comes behind, once a thread may have been started.
[[nodiscard]] inline Phase behind(Phase phase, bool has_spawned) {
  if (!has_spawned) return phase;
  return is_thread(phase) ? Phase::Thread : Phase::Main;
}

struct Root {
  FunctionId entry;
  FunctionId creator;             ///< none: not created by code that was seen
  std::uint32_t instruction = 0;  ///< in the creator
  bool is_multiple = false;       ///< several instances may run at once
  bool is_repeated = false;       ///< it may be started again, if only when the one before has ended
  bool outlives_owner = false;    ///< it may still run when its owner, which is repeated, is started again
  bool multiple_by_exit = false;  ///< is_multiple only if a thread that waits for it is ended by a call before
  bool outlives_by_exit = false;  ///< outlives_owner likewise
  bool owns_argument = true;      ///< each instance is given memory allocated for it, or see own_arguments.h
  bool is_trampoline = true;      ///< see SummarySpawn
  bool runs_once = false;         ///< called from outside once, before or after what its code makes known
  bool is_wide = false;           ///< started by another thread, or by nobody that was seen: nothing is known of when
  std::uint32_t owner = nobody;   ///< the only root that starts it, besides main
  bool by_main = false;           ///< main starts it as well
  bool ends_with_owner = false;   ///< if its owner started it, it runs only while the owner does, which waits for it
  bool outlives_exit = false;     ///< … unless the owner is ended by a call before
  static constexpr std::uint32_t nobody = ~0U, several = ~0U - 1;
  std::uint32_t beside = 0;  ///< what main had running when it was started, in Reach::live_sets

  /// `with_exits`: also if that takes a thread that is ended by a call.
  [[nodiscard]] bool is_several(bool with_exits) const { return is_multiple && (with_exits || !multiple_by_exit); }
  [[nodiscard]] bool may_outlive(bool with_exits) const { return outlives_owner && (with_exits || !outlives_by_exit); }
};

/// A thread that main has started and perhaps not waited for.
struct LiveThread {
  static constexpr std::uint32_t others = ~0U, detached = ~0U - 1;
  std::uint32_t entry = others;            ///< a FunctionId, or one of the two: any thread
  std::uint32_t handle = LockNames::none;  ///< its fixed name
  friend auto operator<=>(const LiveThread&, const LiveThread&) = default;
};

struct Visit {
  bool reached = false;
  bool is_root = false;          ///< entered by nobody that passes parameters in sight: what it does to them is final
  bool many = false;             ///< may happen more than once in one thread
  std::uint32_t calls = 0;       ///< known ways to get there, up to 2
  std::vector<NamedLock> locks;  ///< surely held at entry, and the kinds of locks that are (LockNames::kind_of); sorted
  NamedHistory history;          ///< of these locks
  std::vector<Passed> passed;    ///< what its parameters may be, of those that it asks for; sorted
  std::uint32_t roots = 0;       ///< Thread: which, in Reach::root_sets
  std::uint32_t live = 0;        ///< what it, or its callers, have started that may run at entry, in Reach::live_sets
  bool is_early = false;         ///< Thread: on every way there, this thread was still to start others
  bool is_dying = false;         ///< on every way there, the program is about to end: dying_code.h
  FunctionId caller;             ///< the last one found that holds fewer locks than those before; none if first a root
  std::uint32_t call = 0;        ///< instruction in it
  Phase caller_phase = Phase::Boot;
};

struct Reach {
  std::vector<Root> roots;
  bool has_main = false;
  std::vector<FunctionId> mains;                ///< who is in the phases Boot and Main; empty: not they alone
  bool has_exits = false;                       ///< of some root `…_by_exit` or `outlives_exit` holds
  static constexpr std::uint32_t any_root = 1;  ///< the set of more roots than are worth counting
  static constexpr std::size_t most_roots = 64;
  std::vector<std::vector<std::uint32_t>> root_sets;   ///< 0 is the empty one, and any_root looks like it; sorted
  std::vector<std::vector<LiveThread>> live_sets;      ///< 0 is the empty one; sorted
  std::vector<std::array<Visit, phase_count>> visits;  ///< by function and Phase
  std::vector<bool> is_wide_target;  ///< called through a pointer with very many targets: nobody took its accesses over
  std::vector<FunctionId> late;      ///< run at the end of a thread or of the program: nobody's summary calls them
  std::vector<bool> ends_states;     ///< called behind the entry of a thread, with the object that the thread is

  struct Side {
    Phase phase = Phase::Boot;  ///< Main or Thread
    std::uint32_t roots = 0;    ///< of a thread: which it is, in root_sets
    std::uint32_t live = 0;     ///< what it has started that may be running, in live_sets
    friend auto operator<=>(const Side&, const Side&) = default;
  };
  [[nodiscard]] bool may_overlap(const Side& a, const Side& b) const { return may_overlap(a, b, true); }
  /// They overlap only if a thread is ended by a call before it has waited for those that it started.
  [[nodiscard]] bool overlap_by_exit_only(const Side& a, const Side& b) const {
    return has_exits && !may_overlap(a, b, false);
  }
  /// What main, or the one thread that comes there, has started and may run in a state of a function that was visited
  /// like this.
  std::uint32_t live_at(const FunctionSummary& summary, const Visit& visit, std::uint32_t threads, LockNames& names);
  [[nodiscard]] const Visit& visit(FunctionId function, Phase phase) const {
    return visits[function.index()][static_cast<std::size_t>(phase)];
  }
  [[nodiscard]] bool is_reached(FunctionId function) const;
  [[nodiscard]] std::size_t functions_reached() const;
  std::uint32_t live_set(std::vector<LiveThread> set);

 private:
  [[nodiscard]] bool is_live(const std::vector<LiveThread>& live, const Root& root) const;
  [[nodiscard]] bool may_overlap(const Side& a, const Side& b, bool with_exits) const;
  [[nodiscard]] bool are_parallel(std::uint32_t a, std::uint32_t b, bool with_exits) const;
  /// Threads that main starts and within which those of a root live, the root itself among them if main starts it.
  struct Around {
    std::vector<std::uint32_t> roots;
    bool is_anything = false;  ///< some of its threads live within none that is known
  };
  [[nodiscard]] Around around(std::uint32_t root, bool with_exits) const;
  std::map<std::vector<LiveThread>, std::uint32_t> live_ids_;
};

/// Whether a function starts threads behind one of its instructions.
[[nodiscard]] bool starts_threads_behind(const std::vector<FunctionSummary>& summaries, FunctionId function,
                                         std::uint32_t instruction);

/// `entries`: functions that somebody outside calls at any time (interrupt handlers, callbacks of a kernel), and those
/// that threads are created with anywhere: what main does not lead to counts as called from outside.
/// `from_the_start`: they come as soon as main begins, and it is never alone.
Reach find_reach(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                 const std::vector<FunctionId>& mains, const std::vector<threads::OutsideEntry>& entries,
                 bool from_the_start, LockNames& names, DyingCode& dying);

}  // namespace heddle::scan
