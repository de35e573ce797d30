// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of the second walk: which threads run beside each block (thread_state.h).
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {

std::uint32_t Summariser::intern(ThreadState state) {
  const auto at = std::ranges::find(thread_states_, state);
  if (at != thread_states_.end()) return static_cast<std::uint32_t>(at - thread_states_.begin());
  thread_states_.push_back(std::move(state));
  return static_cast<std::uint32_t>(thread_states_.size() - 1);
}

/// All elements of an array are one.
Lvalue Summariser::handle_name(Lvalue handle) {
  if (!handle.valid() || nodes_[handle.node].kind != NodeKind::Element) return handle;
  const Node& element = nodes_[handle.node];
  return {nodes_.element({element.parent, element.offset}, element.stride, Node::some_element), handle.offset};
}

/// The memory a handle given by value was read from.
Lvalue Summariser::handle_of(const LibraryCall& call, const api::LeaveThread& leave) {
  if (!call.has(leave.handle)) return {};
  return leave.indirect ? lvalue_of(call[leave.handle]) : memory_of(call[leave.handle]);
}

/// Where a handle given by value comes from: a load, or a call that returns one.
Lvalue Summariser::memory_of(Operand handle) {
  if (!handle.is_value() || f_->is_parameter(handle.as_value())) return {};
  const Instruction& source = f_->instructions[f_->definition(handle.as_value())];
  if (source.opcode == Opcode::Load) return lvalue_of(f_->operands_of(source)[0]);
  return returns_handle(handle.as_value()) ? returned_handle(handle.as_value()) : Lvalue{};
}

/// A handle that a wrapper returns is kept in a local of ours, so to speak, until it is stored somewhere.
Lvalue Summariser::returned_handle(ValueId call) {
  return {nodes_.intern({.kind = NodeKind::Local, .index = call.index()}), 0};
}

bool Summariser::returns_handle(ValueId call) const {
  return std::ranges::any_of(calls_, [&](const BoundCall& c) {
    return f_->result_of(c.instruction) == call && !c.names.empty() && c.summary->returned_handle.valid();
  });
}

void Summariser::move_handle(std::size_t number, Lvalue to) {
  const Operand stored = f_->operands_of(f_->instructions[number])[0];
  if (!out_.may_spawn || !stored.is_value() || f_->is_parameter(stored.as_value()) ||
      !returns_handle(stored.as_value()))
    return;
  has_thread_events_ = true;
  events_.push_back({.kind = Event::Kind::Move,
                     .position = position_,
                     .instruction = static_cast<std::uint32_t>(number),
                     .number = rank_,
                     .where = to});
}

/// `pthread_t make(…) { pthread_t t; pthread_create(&t, …); return t; }`
void Summariser::find_returned_handle() {
  Lvalue handle;
  for (const Exit& exit : exits_) {
    const Lvalue from = exit.has_value && !started_.empty() ? memory_of(exit.value) : Lvalue{};
    if (!from.valid() || nodes_[from.node].kind != NodeKind::Local || (handle.valid() && handle != from)) return;
    handle = from;
  }
  if (std::ranges::any_of(started_, [&](const OpenThread& t) { return t.exact == handle; }))
    out_.returned_handle = handle;
}

bool Summariser::is_nameless(Lvalue handle) const {
  return !handle.valid() || nodes_[nodes_.root(handle.node)].kind == NodeKind::Value;
}

/// The number of a thread in started_; none if nobody can say which it is.
std::uint32_t Summariser::started_thread(const SymbolicValue& entry, Lvalue handle, std::uint32_t rank, bool is_many) {
  constexpr std::size_t most = 64;
  if (is_nameless(handle)) return none;
  const Loop* loop = innermost_loop(rank);
  const OpenThread thread{{entry, handle_name(handle), is_many}, handle, loop == nullptr ? none : loop->head};
  const auto at = std::ranges::find(started_, thread);
  if (at != started_.end()) return static_cast<std::uint32_t>(at - started_.begin());
  if (started_.size() == most) return none;
  started_.push_back(thread);
  return static_cast<std::uint32_t>(started_.size() - 1);
}

void Summariser::run_thread(ThreadState& state, std::uint32_t number) {
  state.spawned = true;
  if (number == none) {
    state.others = true;
    return;
  }
  if (const auto at = std::ranges::lower_bound(state.running, number); at == state.running.end() || *at != number)
    state.running.insert(at, number);
}

const Summariser::Loop* Summariser::innermost_loop(std::uint32_t rank) const {
  const Loop* out = nullptr;
  for (const Loop& loop : loops_)
    if (loop.contains(rank) && (out == nullptr || out->head < loop.head)) out = &loop;
  return out;
}

/// Whether a handle may stand for several threads by the time the block of this rank waits for it: started in a loop,
/// and the wait is not in the same round.
bool Summariser::is_several(const OpenThread& thread, std::uint32_t rank) const {
  if (thread.is_many || thread.loop_head == none) return thread.is_many;
  const Loop* loop = innermost_loop(rank);
  return loop == nullptr || thread.loop_head != loop->head;
}

/// Whether having waited for all of `joined` includes the thread.
bool Summariser::joins_all(Lvalue joined, const OpenThread& thread, std::uint32_t rank) const {
  const Node& array = nodes_[joined.node];
  if (array.kind != NodeKind::Element) return joined == thread.handle && !is_several(thread, rank);
  return joined == thread.handle || array.parent == thread.handle.node;
}

namespace {

void insert(std::vector<Lvalue>& sorted, Lvalue value) {
  if (const auto at = std::ranges::lower_bound(sorted, value); at == sorted.end() || *at != value)
    sorted.insert(at, value);
}

}  // namespace

void Summariser::apply_thread_event(const Event& event, LockState& state) {
  ThreadState now = thread_states_[state.threads];
  switch (event.kind) {
    case Event::Kind::Spawn:
      // Whose handle is overwritten is lost.
      if (event.number != none)
        now.others |= std::erase_if(now.running, [&](std::uint32_t t) {
                        return t != event.number && started_[t].exact == started_[event.number].exact;
                      }) > 0;
      run_thread(now, event.number);
      break;
    case Event::Kind::Move: {
      const Lvalue from = memory_of(f_->operands_of(f_->instructions[event.instruction])[0]);
      std::vector<std::uint32_t> moved;
      for (const std::uint32_t t : now.running)
        if (started_[t].exact == from)
          moved.push_back(started_thread(started_[t].entry, event.where, event.number, started_[t].is_many));
      std::erase_if(now.running, [&](std::uint32_t t) { return started_[t].exact == from; });
      now.others |= std::erase_if(now.running, [&](std::uint32_t t) {
                      return started_[t].exact == event.where && std::ranges::find(moved, t) == moved.end();
                    }) > 0;
      for (const std::uint32_t t : moved) run_thread(now, t);
      break;
    }
    case Event::Kind::Detach:
      now.detached |= now.others || !now.running.empty();
      if (!is_nameless(event.where))
        std::erase_if(now.running, [&](std::uint32_t t) { return started_[t].exact == event.where; });
      break;
    default:
      if (is_nameless(event.where)) return;  // see leave_loop
      std::erase_if(now.running, [&](std::uint32_t t) {
        return started_[t].exact == event.where && !is_several(started_[t], event.number);
      });
      if (nodes_[event.where.node].kind != NodeKind::Element) insert(now.joined, event.where);
  }
  state.threads = intern(std::move(now));
}

/// A loop that waits for elements of an array, or for threads without a name, is through with them when its condition
/// ends it.
void Summariser::leave_loop(std::uint32_t from, std::uint32_t to, LockState& state) {
  for (const LoopJoin& join : loop_joins_) {
    const Loop& loop = loops_[join.loop];
    if ((from != loop.head && std::ranges::find(loop.tails, from) == loop.tails.end()) || loop.contains(to)) continue;
    const auto is_joined = [&](std::uint32_t t) { return joins_all(join.handle, started_[t], from); };
    ThreadState now = thread_states_[state.threads];
    if (is_nameless(join.handle)) {
      now.others = false;
      now.joined_others = true;
    } else {
      std::erase_if(now.running, is_joined);
      insert(now.joined, join.handle);
    }
    state.threads = intern(std::move(now));
  }
}

void Summariser::find_loop_joins() {
  loop_joins_.clear();
  if (!in_.assumptions.loops_join_all) return;
  for (const Event& event : events_) {
    if (event.kind != Event::Kind::Join) continue;
    const Loop* loop = innermost_loop(event.number);
    if (loop == nullptr) continue;
    const Lvalue name = handle_name(event.where);
    if (!is_nameless(name) && nodes_[name.node].kind != NodeKind::Element) continue;
    // One that starts them as well waits for one a round.
    const bool starts = std::ranges::any_of(
        started_, [&](const OpenThread& t) { return t.loop_head == loop->head && t.handle == name; });
    if (!starts || is_nameless(name))
      loop_joins_.push_back({static_cast<std::uint32_t>(loop - loops_.data()), is_nameless(name) ? Lvalue{} : name});
  }
}

/// A callee's threads in our terms.
ThreadState Summariser::rebound_threads(const BoundCall& call, std::uint32_t number) {
  const FunctionSummary& callee = *call.summary;
  const ThreadState& theirs = callee.thread_states[number];
  ThreadState out = theirs;
  out.running.clear();
  out.joined.clear();
  for (const std::uint32_t t : theirs.running) {
    const StartedThread& thread = callee.started[t];
    const Lvalue handle = call.name(thread.handle);
    run_thread(out, started_thread(bound_entry(thread.entry, callee, call), handle, call.rank, thread.is_many));
  }
  for (const Lvalue joined : theirs.joined)
    if (const Lvalue at = handle_name(call.name(joined)); !is_nameless(at)) insert(out.joined, at);
  return out;
}

std::uint32_t Summariser::threads_after(const BoundCall& call, std::uint32_t before, std::uint32_t theirs) {
  if (call.rebound.empty()) {
    if (!call.summary->may_spawn) return before;
    ThreadState now = thread_states_[before];
    run_thread(now, none);
    return intern(std::move(now));
  }
  if (theirs == 0) return before;
  const ThreadState then = rebound_threads(call, theirs);
  const ThreadState& first = thread_states_[before];
  std::vector<std::uint32_t> left = first.running;
  std::erase_if(left, [&](std::uint32_t t) {
    return std::ranges::any_of(then.joined, [&](Lvalue joined) { return joins_all(joined, started_[t], call.rank); });
  });
  return intern(in_order(first, left, then));
}

}  // namespace heddle::scan
