// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/thread_flow.h"

#include <algorithm>
#include <iterator>

#include "scan/execute/call_effects.h"

namespace heddle::scan {
namespace {

/// Not more than so many: to have waited for a thread and not know it costs a warning at most.
void note_joined(ThreadState& state, Lvalue handle) {
  constexpr std::size_t most = 256;
  const auto at = std::ranges::lower_bound(state.joined, handle);
  if ((at == state.joined.end() || *at != handle) && state.joined.size() < most) state.joined.insert(at, handle);
}

void run_thread(ThreadState& state, std::uint32_t row) {
  state.spawned = true;
  if (row == StartedThreads::unknown) {
    state.others = true;
    return;
  }
  if (const auto at = std::ranges::lower_bound(state.running, row); at == state.running.end() || *at != row)
    state.running.insert(at, row);
}

}  // namespace

ThreadFlow::ThreadFlow(const ScanInput& input, const FunctionBody& body, ValueNames& names, Execution& done)
    : in_(input), body_(body), names_(names), done_(done), threads_(done.threads), states_(1) {
  find_loop_joins();
}

std::uint32_t ThreadFlow::intern(ThreadState state) {
  const auto at = std::ranges::find(states_, state);
  if (at != states_.end()) return static_cast<std::uint32_t>(at - states_.begin());
  states_.push_back(std::move(state));
  return static_cast<std::uint32_t>(states_.size() - 1);
}

std::uint32_t ThreadFlow::join(std::uint32_t a, std::uint32_t b) {
  return a == b ? a : intern(either(states_[a], states_[b]));
}

void ThreadFlow::find_loop_joins() {
  if (!in_.assumptions.loops_join_all || !done_.has_thread_events) return;
  for (const SymbolicEvent& event : done_.events) {
    if (event.kind != SymbolicEvent::Kind::Join) continue;
    const Loop* loop = body_.innermost_loop(event.at.rank);
    if (loop == nullptr) continue;
    const Lvalue name = threads_.handle_name(event.where);
    const bool is_nameless = threads_.is_nameless(name);
    if (!is_nameless && names_.nodes()[name.node].kind != NodeKind::Element) continue;
    // A loop that starts them as well waits for one in each round.
    const bool starts = std::ranges::any_of(
        threads_.rows(), [&](const OpenThread& t) { return t.loop_head == loop->head && t.handle == name; });
    if (!starts || is_nameless)
      loop_joins_.push_back({static_cast<std::uint32_t>(loop - body_.loops.data()), is_nameless ? Lvalue{} : name});
  }
}

/// Whether nobody else can have put another handle there.
bool ThreadFlow::is_trusted(Lvalue handle) const {
  if (in_.assumptions.stable_paths) return true;
  const NodeTable& nodes = names_.nodes();
  const Node& root = nodes[nodes.root(handle.node)];
  if (nodes[handle.node].depth != 0) return false;
  return root.kind == NodeKind::Global ? static_cast<bool>(in_.only_main_uses[root.index])
                                       : done_.publication.is_own(handle.node);
}

/// Whether it is for callers to say so.
bool ThreadFlow::is_for_callers(Lvalue handle) const {
  const NodeTable& nodes = names_.nodes();
  return nodes[handle.node].depth == 0 && nodes[nodes.root(handle.node)].kind == NodeKind::Formal;
}

/// Whether a handle may stand for several threads by the time the block of this rank waits for it: started in a loop,
/// and the wait is not in the same round.
bool ThreadFlow::is_several(const OpenThread& thread, std::uint32_t rank) const {
  if (thread.is_group) return false;
  if (thread.is_many || thread.loop_head == OpenThread::no_loop) return thread.is_many;
  const Loop* loop = body_.innermost_loop(rank);
  return loop == nullptr || thread.loop_head != loop->head;
}

/// Whether having waited for all of `joined` includes the thread.
bool ThreadFlow::joins_all(Lvalue joined, const OpenThread& thread, std::uint32_t rank) const {
  const Node& array = names_.nodes()[joined.node];
  if (array.kind != NodeKind::Element) return joined == thread.handle && !is_several(thread, rank);
  return joined == thread.handle || array.parent == thread.handle.node;
}

std::uint32_t ThreadFlow::after(const SymbolicEvent& event, std::uint32_t before) {
  ThreadState now = states_[before];
  switch (event.kind) {
    case SymbolicEvent::Kind::Spawn: start(event, now); break;
    case SymbolicEvent::Kind::Move: move(event, now); break;
    case SymbolicEvent::Kind::Detach: detach(event, now); break;
    case SymbolicEvent::Kind::Join: wait(event, now); break;
    default: return before;
  }
  return intern(std::move(now));
}

/// A thread whose handle is overwritten can no longer be waited for by name; several under one handle cannot anyway.
void ThreadFlow::start(const SymbolicEvent& event, ThreadState& now) {
  if (event.thread != StartedThreads::unknown && !threads_[event.thread].is_group)
    now.others |=
        std::erase_if(now.running, [&](std::uint32_t t) {
          return t != event.thread && !threads_[t].is_many && threads_[t].exact == threads_[event.thread].exact;
        }) > 0;
  if (std::ranges::binary_search(now.running, event.thread)) lose(event.thread, event.at.rank, now);
  run_thread(now, event.thread);
}

/// A thread is started once more under the same handle: one of the two stays, whoever waits by that name. Elements of
/// an array are one name for several handles.
void ThreadFlow::lose(std::uint32_t row, std::uint32_t rank, ThreadState& now) {
  if (row == StartedThreads::unknown || names_.nodes()[threads_[row].exact.node].kind == NodeKind::Element) return;
  const OpenThread thread = threads_[row];
  if (thread.is_group) return;
  run_thread(now, threads_.add(thread.entry, thread.exact, rank, true));
}

void ThreadFlow::move(const SymbolicEvent& event, ThreadState& now) {
  const Function& f = body_.function;
  const Lvalue from = threads_.memory_of(f.operands_of(f.instructions[event.at.instruction])[0]);
  std::vector<std::uint32_t> moved;
  for (const std::uint32_t t : now.running)
    if (threads_[t].exact == from) {
      const SymbolicValue entry = threads_[t].entry;
      moved.push_back(threads_.add(entry, event.where, event.at.rank, threads_[t].is_many, threads_[t].is_group));
    }
  std::erase_if(now.running, [&](std::uint32_t t) { return threads_[t].exact == from; });
  now.others |=
      std::erase_if(now.running, [&](std::uint32_t t) {
        return threads_[t].exact == event.where && !threads_[t].is_many && std::ranges::find(moved, t) == moved.end();
      }) > 0;
  for (const std::uint32_t t : moved) {
    if (std::ranges::binary_search(now.running, t)) lose(t, event.at.rank, now);
    run_thread(now, t);
  }
}

void ThreadFlow::detach(const SymbolicEvent& event, ThreadState& now) const {
  now.detached |= now.others || !now.running.empty();
  if (!threads_.is_nameless(event.where))
    std::erase_if(now.running, [&](std::uint32_t t) { return threads_[t].exact == event.where; });
}

/// Threads without a name are waited for by whole loops only: see across().
void ThreadFlow::wait(const SymbolicEvent& event, ThreadState& now) const {
  if (threads_.is_nameless(event.where)) return;
  const bool is_sure = is_trusted(event.where);
  std::erase_if(now.running, [&](std::uint32_t t) {
    return is_sure && threads_[t].exact == event.where && !is_several(threads_[t], event.at.rank);
  });
  if ((is_sure || is_for_callers(event.where)) && names_.nodes()[event.where.node].kind != NodeKind::Element)
    note_joined(now, event.where);
}

/// A loop that waits for elements of an array, or for threads without a name, is through with them when its condition
/// ends it.
std::uint32_t ThreadFlow::across(std::uint32_t from, std::uint32_t to, std::uint32_t before) {
  for (const LoopJoin& join : loop_joins_) {
    const Loop& loop = body_.loops[join.loop];
    if ((from != loop.head && std::ranges::find(loop.tails, from) == loop.tails.end()) || loop.contains(to)) continue;
    ThreadState now = states_[before];
    if (threads_.is_nameless(join.handle)) {
      now.others = false;
      now.joined_others = true;
    } else if (is_trusted(join.handle)) {
      std::erase_if(now.running, [&](std::uint32_t t) { return joins_all(join.handle, threads_[t], from); });
      note_joined(now, join.handle);
    }
    before = intern(std::move(now));
  }
  return before;
}

/// A callee's threads in our terms.
ThreadState ThreadFlow::rebound(const BoundCall& call, std::uint32_t number) {
  const FunctionSummary& callee = *call.summary;
  const ThreadState& theirs = callee.thread_states[number];
  ThreadState out = theirs;
  out.running.clear();
  out.joined.clear();
  for (const std::uint32_t t : theirs.running) {
    const StartedThread& thread = callee.started[t];
    const Lvalue handle = call.name(thread.handle);
    const SymbolicValue entry = bound_entry(thread.entry, call, names_);
    run_thread(out, threads_.add(entry, handle, call.rank, thread.is_many, thread.is_group));
  }
  for (const Lvalue joined : theirs.joined)
    if (const Lvalue at = threads_.handle_name(call.name(joined));
        !threads_.is_nameless(at) && (is_trusted(at) || is_for_callers(at)))
      note_joined(out, at);
  return out;
}

std::uint32_t ThreadFlow::after_call(const BoundCall& call, std::uint32_t before, std::uint32_t theirs) {
  if (!call.is_bound) {
    if (!call.summary->may_spawn) return before;
    ThreadState now = states_[before];
    run_thread(now, StartedThreads::unknown);
    return intern(std::move(now));
  }
  if (theirs == 0) return before;
  ThreadState then = rebound(call, theirs);
  const ThreadState& first = states_[before];
  std::vector<std::uint32_t> left = first.running;
  std::erase_if(left, [&](std::uint32_t t) {
    return std::ranges::any_of(
        then.joined, [&](Lvalue joined) { return is_trusted(joined) && joins_all(joined, threads_[t], call.rank); });
  });
  std::vector<std::uint32_t> lost;
  std::ranges::set_intersection(left, then.running, std::back_inserter(lost));
  for (const std::uint32_t t : lost) lose(t, call.rank, then);
  return intern(in_order(first, left, then));
}

}  // namespace heddle::scan
