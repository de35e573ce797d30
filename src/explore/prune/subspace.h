// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Subspace: all executions that begin as one execution did, up to one of its states (SUBSPACERACEFREE, Fig. 4 of
// ATVA08). From what the execution did behind that state, and could have done instead, it tells what each thread may
// do in any of them, and whether two threads may race.
//
// **What a thread may do.** A thread is a function of the values that it reads. So in every execution of the subspace
// it does what it did here, until it reads something that may hold another value: bytes that another thread may write
// behind the state, the outcome of a choice, the answer of a try. That is its first *doubt*. Behind it:
//
// - a branch may go the other way if its condition depends on a doubtful read (Origin): its other sides count;
// - an access whose address depends on one stands for its static may-set: all of its regions;
// - a lock whose address depends on one protects nothing; releasing it may release any lock of its regions.
//
// A read behind the doubt is doubtful if others may write its bytes, if the thread itself wrote them behind its doubt,
// or if an other side that counts has the same access. What counts for one thread makes reads of others doubtful, so
// this is a fixpoint; it only grows.
//
// **Whether two may race.** Accesses to the same bytes, one of them a write, not both atomic, by two threads; at least
// one of them behind the state. Nothing is to fear if on every way to both of them they hold a common lock
// (lockset_walk.h), if one thread has joined the other, or if one was made by the other behind its access; and of an
// access before the state, if it already happened before all that the other thread will do.
//
//   T1: y++; lock(m); x = 1; unlock(m)      T2: lock(m); c = x; unlock(m); if (c) y++
//   The state before T1's lock: x is doubtful for T2, so y++ may come; T1's y++ is not ordered before it: not free.
//
// What is claimed is the absence of *unordered* pairs (clocks), not only of states where two threads stand before
// their accesses: a pair one half of which lies before the state is looked at as well. That is what makes the search
// complete (pruned_search.h).
#pragma once
#include <span>
#include <vector>

#include "explore/prune/lockset_walk.h"
#include "explore/prune/story.h"

namespace heddle::explore {

/// Something that a thread may do behind the state, as far as the order of visible operations can depend on it.
struct MayOperation {
  ThreadIndex thread = 0;
  Variable variable;
  bool is_write = false;
  bool is_object = false;
  bool takes = false;               ///< see SideAccess
  std::vector<ThreadIndex> joined;  ///< these have ended before it
};

class Subspace {
 public:
  /// `step`: the state in front of it. The story must be whole.
  Subspace(const Story& story, OtherSides& sides, std::size_t step, bool at_accesses);

  [[nodiscard]] bool is_race_free() const { return is_free_; }
  /// What threads may do otherwise than they did: other sides, other addresses. Of a subspace that is free of races.
  [[nodiscard]] const std::vector<MayOperation>& operations() const { return operations_; }
  /// Threads that have ended before step `step` takes place, in every execution of the subspace that has it.
  [[nodiscard]] const std::vector<ThreadIndex>& joined_before(std::size_t step) const { return joined_[step - step_]; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Rest {
    std::size_t begin = 0;
    std::size_t doubt = none;      ///< the first item of which it is not certain what it told the thread
    bool argument_doubt = false;   ///< what the thread was given when it was created
    std::vector<bool> counts;      ///< by item: a beginning whose other sides may be taken
    std::vector<Variable> writes;  ///< all that it may write
  };
  struct Access {
    std::vector<Variable> variables;
    std::size_t item = 0;
    bool is_write = false, is_atomic = false, is_behind = true;
    bool is_object = false, is_end = false;  ///< see SideAccess
    std::uint32_t epoch = 0;                 ///< of one before the state
    std::size_t ways = 0;                    ///< in ways_
  };

  void settle_doubts();
  bool collect(ThreadIndex thread);
  void collect_side(ThreadIndex thread, const Side& side);
  bool find_doubt(ThreadIndex thread);
  [[nodiscard]] bool is_doubtful(ThreadIndex thread, std::size_t item) const;
  [[nodiscard]] bool may_differ(const Origin& origin, ThreadIndex thread, std::size_t item) const;
  [[nodiscard]] bool load_may_differ(AccessKey load, ThreadIndex thread, std::size_t item) const;
  [[nodiscard]] bool may_be_left_out(ThreadIndex thread, std::size_t item, std::size_t later) const;
  [[nodiscard]] bool may_be_written(const std::vector<Variable>& read, ThreadIndex reader, std::size_t item) const;
  [[nodiscard]] bool wrote_in_doubt(const std::vector<Variable>& read, ThreadIndex thread, std::size_t item) const;
  [[nodiscard]] std::vector<Variable> variables_of(ThreadIndex thread, std::size_t item) const;
  [[nodiscard]] bool address_may_differ(ThreadIndex thread, std::size_t item) const;
  /// Of a side of the thread.
  [[nodiscard]] Variable variable_of(ThreadIndex thread, const SideAccess& access) const;

  void walk(ThreadIndex thread);
  void walk_deed(ThreadIndex thread, std::size_t item, LocksetWalk& locks);
  void walk_side(ThreadIndex thread, std::size_t item, const LocksetWalk& locks);
  void change_locks(ThreadIndex thread, std::size_t item, LocksetWalk& locks);
  void note_operation(ThreadIndex thread, std::size_t item, const LocksetWalk& locks);
  std::size_t number_of(Ways ways);
  void add_access(ThreadIndex thread, Access access);
  [[nodiscard]] bool may_race(ThreadIndex p, const Access& a, ThreadIndex q, const Access& b) const;
  [[nodiscard]] bool is_made_later(ThreadIndex thread, ThreadIndex creator, std::size_t item) const;
  [[nodiscard]] bool any_race() const;

  const Story& story_;
  OtherSides& sides_;
  std::size_t step_;
  bool at_accesses_;
  std::vector<Rest> rests_;                    ///< of each thread
  std::vector<std::vector<Access>> accesses_;  ///< of each thread
  std::vector<Ways> ways_;
  std::vector<MayOperation> operations_;
  std::vector<std::vector<ThreadIndex>> joined_;  ///< of each step from step_ on
  bool is_unknown_ = false;
  bool is_free_ = false;
};

}  // namespace heddle::explore
