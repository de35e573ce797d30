// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/actions/thread_phase.h"

#include <set>

#include "topdown/domain/lock_history.h"

namespace heddle::topdown {

void ThreadPhase::complete_joins(State& s) const {
  const State before = s;
  if (u.threads.threads[s.thread].multiple) return;
  for (const ThreadId thread : ledger_.kept(s)) {
    if (u.maps.contains(s.joined, thread.index()) || !ledger_.must_have_joined_all(s, thread)) continue;
    s.joined = u.maps.set(s.joined, thread.index(), 1);
    take_over_joins(s, thread);
  }
  if (s.joined != before.joined) update_parallel(s);
}

void ThreadPhase::note_joined(State& s, ThreadId ended) const {
  s.joined = u.maps.set(s.joined, ended.index(), 1);
  take_over_joins(s, ended);
  update_parallel(s);
}

/// What a thread had joined when it ended is joined for the thread that joined it, unless it may have been started
/// again since, which only the ended thread's own descendants cannot.
void ThreadPhase::take_over_joins(State& s, ThreadId ended) const {
  for (const ThreadId t : u.threads.threads[ended].joined_at_exit)
    if (!u.threads.threads[t].multiple || u.threads.is_ancestor(ended, t))
      s.joined = u.maps.set(s.joined, t.index(), 1);
}

/// Main is alone again when every thread it started, and every thread those started, has ended.
void ThreadPhase::update_parallel(State& s) const {
  if (s.thread != main_ || u.maps.size(s.joined) < u.maps.size(s.created)) return;
  bool alone = true;
  u.maps.for_each(s.created, [&](std::uint32_t t, std::uint32_t) {
    alone = alone && u.maps.contains(s.joined, t);
    for (const ThreadId child : u.threads.may_create_transitively(ThreadId(t)))
      alone = alone && u.maps.contains(s.joined, child.index());
  });
  if (!alone) return;
  s.parallel = false;
  s.seen = 0;     // alone, it may set a flag to any number
  s.tickets = 0;  // and a counter
  // Alone, a variable that serves as a lock may be written in any way: nobody is kept out, and nothing is watched.
  const MapId held = s.locks;
  u.maps.for_each(held, [&](std::uint32_t lock, std::uint32_t) {
    const auto name = held_.lock_name(FormId(lock));
    if (name && kinds_.flags.contains(*name)) drop_lock(u, s, FormId(lock));
  });
}

void ThreadPhase::note_thread_end(ThreadId id, const State& s) const {
  threads::Thread& thread = u.threads.threads[id];
  std::set<ThreadId> joined;
  u.maps.for_each(s.joined, [&](std::uint32_t t, std::uint32_t) { joined.insert(ThreadId(t)); });
  const std::set<ThreadId> before = thread.joined_at_exit;
  if (!thread.exit_known)
    thread.joined_at_exit = joined;
  else
    std::erase_if(thread.joined_at_exit, [&](ThreadId t) { return !joined.contains(t); });
  if (!thread.exit_known || before != thread.joined_at_exit) changed_ = true;
  thread.exit_known = true;
}

}  // namespace heddle::topdown
