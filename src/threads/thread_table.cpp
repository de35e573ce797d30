// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/thread_table.h"

namespace heddle::threads {

namespace {
constexpr std::uint32_t many_contexts = 256;  ///< of a thread
constexpr std::uint32_t few_contexts = 2;     ///< of a function, where a thread has many
}  // namespace

ContextId ThreadTable::root_context(ThreadId thread, FunctionId entry) {
  return contexts.add({.caller = {}, .function = entry, .call = 0, .thread = thread, .depth = 0, .shared = {}});
}

bool ThreadTable::set_parallel(ThreadId thread) {
  if (threads[thread].parallel) return false;
  threads[thread].parallel = true;
  parallel_.push_back(thread);
  return true;
}

ThreadId ThreadTable::main_thread(FunctionId entry) {
  const auto [it, inserted] = thread_ids_.try_emplace({ContextId(), 0, entry});
  if (inserted) {
    Thread t;
    t.entry = entry;
    it->second = threads.add(t);
    threads[it->second].root = root_context(it->second, entry);
  }
  return it->second;
}

ThreadId ThreadTable::thread(ContextId creator, std::uint32_t instruction, FunctionId entry) {
  if (const auto it = thread_ids_.find({creator, instruction, entry}); it != thread_ids_.end()) return it->second;
  const FunctionId in = contexts[creator].function;
  for (ThreadId t = contexts[creator].thread; threads[t].creator.valid(); t = contexts[threads[t].creator].thread) {
    const Thread& ancestor = threads[t];
    if (ancestor.entry == entry && ancestor.created_by == instruction && contexts[ancestor.creator].function == in) {
      threads[t].multiple = true;
      set_parallel(t);
      thread_ids_.emplace(std::tuple(creator, instruction, entry), t);
      return t;
    }
  }
  Thread t;
  t.entry = entry;
  t.creator = creator;
  t.created_by = instruction;
  const ThreadId id = threads.add(t);
  threads[id].root = root_context(id, entry);
  thread_ids_.emplace(std::tuple(creator, instruction, entry), id);
  return id;
}

ContextId ThreadTable::call(ContextId caller, std::uint32_t instruction, FunctionId callee) {
  const auto [it, inserted] = context_ids_.try_emplace({caller, instruction, callee});
  if (inserted) {
    const Context& from = contexts[caller];
    ++contexts_of_thread_[from.thread];
    ++contexts_of_function_[{from.thread, callee}];
    it->second = contexts.add({.caller = caller,
                               .function = callee,
                               .call = instruction,
                               .thread = from.thread,
                               .depth = from.depth + 1,
                               .shared = from.shared});
  }
  return it->second;
}

ContextId ThreadTable::bounded_call(ContextId caller, std::uint32_t instruction, FunctionId callee) {
  const std::tuple site(caller, instruction, callee);
  if (const auto known = context_ids_.find(site); known != context_ids_.end()) return known->second;
  const std::pair of(contexts[caller].thread, callee);
  if (!shares_contexts && (contexts_of_thread_[of.first] < many_contexts || contexts_of_function_[of] < few_contexts))
    return call(caller, instruction, callee);
  ContextId& shared = shared_[of];
  if (!shared) {
    shared = call(caller, instruction, callee);
    contexts[shared].shared = shared;
  } else if (is_shared_above(caller, shared)) {
    return call(caller, instruction, callee);
  }
  add_caller(shared, caller);
  context_ids_.emplace(site, shared);
  return shared;
}

bool ThreadTable::is_shared_above(ContextId context, ContextId shared) const {
  const ContextId innermost = contexts[context].shared;
  return innermost && sets_.contains(above_.at(innermost), shared.index());
}

void ThreadTable::add_caller(ContextId shared, ContextId caller) {
  if (!callers_[shared].insert(caller).second) return;
  flow::MapId& own = above_[shared];
  own = sets_.set(own, shared.index(), 1);
  const ContextId from = contexts[caller].shared;
  if (!from || from == shared) return;
  below_[from].insert(shared);
  using Member = std::optional<std::uint32_t>;
  const auto either = [](std::uint32_t, Member a, Member b) { return a ? a : b; };
  // What is above a context is above all that is below it.
  std::vector<std::pair<ContextId, ContextId>> work{{from, shared}};
  while (!work.empty()) {
    const auto [upper, lower] = work.back();
    work.pop_back();
    flow::MapId& above = above_[lower];
    const flow::MapId both = sets_.merge(above, above_[upper], either);
    if (both == above) continue;
    above = both;
    for (const ContextId next : below_[lower]) work.emplace_back(lower, next);
  }
}

std::set<ContextId> ThreadTable::active(ContextId context) const {
  std::set<ContextId> out;
  std::vector<ContextId> work{context};
  while (!work.empty()) {
    const ContextId at = work.back();
    work.pop_back();
    if (!at || !out.insert(at).second) continue;
    work.push_back(contexts[at].caller);
    if (const auto callers = callers_.find(at); callers != callers_.end())
      work.insert(work.end(), callers->second.begin(), callers->second.end());
  }
  return out;
}

ThreadId ThreadTable::parent(ThreadId thread) const {
  const ContextId creator = threads[thread].creator;
  return creator ? contexts[creator].thread : ThreadId();
}

bool ThreadTable::is_ancestor(ThreadId ancestor, ThreadId thread) const {
  for (ThreadId t = parent(thread); t; t = parent(t))
    if (t == ancestor) return true;
  return false;
}

ThreadId ThreadTable::child_towards(ThreadId ancestor, ThreadId thread) const {
  ThreadId t = thread;
  for (ThreadId up = parent(t); up; up = parent(t)) {
    if (up == ancestor) return t;
    t = up;
  }
  return {};
}

std::set<ThreadId> ThreadTable::may_create_transitively(ThreadId thread) const {
  std::set<ThreadId> out;
  std::vector<ThreadId> work(threads[thread].creates.begin(), threads[thread].creates.end());
  while (!work.empty()) {
    const ThreadId t = work.back();
    work.pop_back();
    if (!out.insert(t).second) continue;
    work.insert(work.end(), threads[t].creates.begin(), threads[t].creates.end());
  }
  return out;
}

}  // namespace heddle::threads
