// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread roots and calling contexts.
//
// A thread is named by how it came to be: the context of its creator, the creating instruction and its entry function
// (main is the one without a creator). A context is a call string whose root is a thread. Both are interned. What is
// known of a thread only grows over the rounds of the analysis: whether several instances of it may exist, whether two
// may run at once, which threads it may create, which it has surely joined when it ends.
//
// The number of call strings is exponential in the depth of calls. So where a thread has many contexts, a function gets
// a few more of its own, and then one that all further calls share, as the turns of a loop share theirs. A shared
// context has the caller that came first; who must not miss another asks is_shared_above() or active(). It never is
// above itself: a call that would make it so has a context of its own.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/id.h"
#include "base/table.h"
#include "flow/map_store.h"
#include "program/model/program.h"

namespace heddle::threads {

struct Thread;
struct Context;
using ThreadId = Id<Thread>;
using ContextId = Id<Context>;

struct Context {
  ContextId caller;  ///< none for a thread's entry
  FunctionId function;
  std::uint32_t call = 0;  ///< instruction in the caller
  ThreadId thread;
  std::uint32_t depth = 0;
  ContextId shared;          ///< the innermost shared one that this is, or is below; none: a call string
  bool covers_many = false;  ///< it is analysed from states that stand for several calls at once
};

/// How the arguments of two instances of a thread differ, in every execution.
enum class Separation : std::uint8_t {
  Unknown,      ///< no second instance seen so far
  Step,         ///< the k-th instance gets base + k·argument_step
  FreshObject,  ///< each gets an object of its own
  None,
};

struct Thread {
  FunctionId entry;
  ContextId creator;             ///< none for main
  std::uint32_t created_by = 0;  ///< instruction in the creator
  ContextId root;                ///< the context of its entry function
  FunctionId after;              ///< called with the same argument when the entry has returned, if any
  bool multiple = false;         ///< more than one instance may exist
  bool parallel = false;         ///< two instances may run at the same time: ThreadTable::set_parallel
  bool again = false;            ///< one thread may start another of it while one that it started runs
  bool is_group = false;         ///< any number with one handle: who joins one joins all
  bool may_be_detached = false;  ///< a join may fail, and order nothing
  bool may_be_left = false;      ///< detached by its std::thread, which has no handle then: others may have one
  std::set<ThreadId> joiners;    ///< who may join it; of two at once one fails
  Separation separation = Separation::Unknown;
  std::int64_t argument_step = 0;
  std::set<ThreadId> creates;        ///< may, directly
  std::set<ThreadId> joined_before;  ///< threads that have surely ended whenever this one is created
  bool joined_before_known = false;
  std::set<ThreadId> joined_at_exit;  ///< surely ended when this one ends
  bool exit_known = false;
};

class ThreadTable {
 public:
  bool shares_contexts = false;  ///< from the first call on
  Table<Thread> threads;
  Table<Context> contexts;
  bool some_attributes_detach = false;  ///< some attributes of threads may say "detached"
  bool anyone_may_be_detached = false;  ///< a thread was detached, and it is not known which

  /// Two instances may run at the same time; true if that is new.
  bool set_parallel(ThreadId thread);
  /// Those of which two instances may run at the same time.
  [[nodiscard]] const std::vector<ThreadId>& parallel_threads() const { return parallel_; }

  ThreadId main_thread(FunctionId entry);
  /// The thread started by `instruction` in `creator`. A thread that (indirectly) starts itself is one thread, many
  /// times.
  ThreadId thread(ContextId creator, std::uint32_t instruction, FunctionId entry);
  ContextId call(ContextId caller, std::uint32_t instruction, FunctionId callee);
  /// The same, or a shared context if there are many.
  ContextId bounded_call(ContextId caller, std::uint32_t instruction, FunctionId callee);
  /// Whether this is, or is below, a shared context. `shared`: that one, by any of the calls seen so far; it is never
  /// called from here.
  [[nodiscard]] bool is_shared_above(ContextId context) const { return contexts[context].shared.valid(); }
  [[nodiscard]] bool is_shared_above(ContextId context, ContextId shared) const;
  /// This context and all that may be above it, by any of the calls seen so far.
  [[nodiscard]] std::set<ContextId> active(ContextId context) const;

  [[nodiscard]] bool is_ancestor(ThreadId ancestor, ThreadId thread) const;  ///< proper
  /// The thread on the creation path from `ancestor` to `thread` that `ancestor` itself creates.
  [[nodiscard]] ThreadId child_towards(ThreadId ancestor, ThreadId thread) const;
  [[nodiscard]] ThreadId parent(ThreadId thread) const;
  [[nodiscard]] std::set<ThreadId> may_create_transitively(ThreadId thread) const;

 private:
  std::vector<ThreadId> parallel_;
  ContextId root_context(ThreadId thread, FunctionId entry);
  std::map<std::tuple<ContextId, std::uint32_t, FunctionId>, ThreadId> thread_ids_;
  std::map<std::tuple<ContextId, std::uint32_t, FunctionId>, ContextId> context_ids_;
  std::map<ThreadId, std::uint32_t> contexts_of_thread_;
  std::map<std::pair<ThreadId, FunctionId>, std::uint32_t> contexts_of_function_;
  std::map<std::pair<ThreadId, FunctionId>, ContextId> shared_;
  void add_caller(ContextId shared, ContextId caller);
  std::map<ContextId, std::set<ContextId>> callers_;  ///< of shared contexts
  std::map<ContextId, std::set<ContextId>> below_;    ///< of shared contexts: shared ones that calls below them lead to
  std::map<ContextId, flow::MapId> above_;            ///< of shared contexts: themselves and all shared ones above
  flow::MapStore sets_;
};

}  // namespace heddle::threads
