// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadActions: starting and joining threads: the phase part of the domain.
//
//   pthread_create(&t, 0, f, p)    created += f's thread; what p leads to is published; t holds the handle of that
//   thread pthread_join(t, 0)             joined += that thread, if t surely is the handle of one that runs once at a
//   time
//
// A join may fail and order nothing: of a thread that somebody may have detached, of the caller itself, or while
// another thread joins the same one. A std::thread that stands for no thread throws.
//
// A thread is how it came to be: creating call, context and entry. Its argument is the join of everything it is ever
// given (over all rounds), and it starts with those threads ended that had ended at every creation.
#pragma once
#include <map>
#include <optional>

#include "topdown/actions/thread_phase.h"
#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class ThreadActions {
 public:
  /// `thresholds`: where arguments that keep growing are widened to.
  ThreadActions(const CallValues& call, const Values& values, Memory& memory, Recorder& recorder,
                InstanceLedger& ledger, const ThreadPhase& phase, const std::vector<std::int64_t>& thresholds,
                bool& changed)
      : d(memory.d),
        u(memory.u),
        call_(call),
        values_(values),
        memory_(memory),
        recorder_(recorder),
        ledger_(ledger),
        phase_(phase),
        thresholds_(thresholds),
        changed_(changed) {}

  void spawn(const Site& site, const api::StartThread& start, State s, States& out);
  /// True: it may also throw, from `s`.
  bool leave_thread(const Site& site, const api::LeaveThread& leave, const State& s, States& out);
  /// What the thread is given; none if no creation was seen.
  [[nodiscard]] std::optional<InfoId> argument_of(ThreadId thread) const;
  /// The teams that the thread works for, in the phase in which it does; State::teams.
  [[nodiscard]] MapId teams_of(ThreadId thread) const;
  /// State::works_for at its beginning.
  [[nodiscard]] MapId owners_of(ThreadId thread) const;

 private:
  InfoId entries(const Site& site, const api::StartThread& start, State& s, InfoId object, int slot);
  void spawn_one(const Site& site, const api::StartThread& start, State& s, FunctionId entry, InfoId object);
  [[nodiscard]] bool is_fresh_allocation(FormId address) const;
  InfoId hand_over(const Site& site, const api::StartThread& start, State& s, InfoId object);
  void learn_argument(ThreadId thread, InfoId given);
  void learn_group(ThreadId id);
  void learn_teams(ThreadId id, MapId of_creator);
  void learn_owners(ThreadId id, const State& s, bool works_for_it);
  void learn_common(std::map<ThreadId, MapId>& of, ThreadId id, MapId now);
  void learn_start(ThreadId thread, ThreadId creator, const State& s);
  FormId write_handle(const Site& site, const api::StartThread& start, State& s, ThreadId thread, FormId where);
  [[nodiscard]] bool may_be_created_detached(const Site& site, const api::StartThread& start, const State& s) const;
  /// What a call that leaves a thread is given: the handle, and where it lies, if that is known.
  struct Left {
    Info handle;
    FormId address;
    bool may_be_empty = false, must_be_empty = false;  ///< of a std::thread: it stands for no thread
  };
  [[nodiscard]] Left left_thread(const Site& site, const api::LeaveThread& leave, State& s);
  [[nodiscard]] std::vector<ThreadId> threads_behind(const Info& handle) const;
  void detach_thread(const Left& left);
  void leave_object(const Left& left);
  [[nodiscard]] bool may_fail(const State& s, ThreadId thread, bool by_object) const;
  [[nodiscard]] bool may_join_fail(const State& s, const Left& left, bool by_object);
  void join_thread(const Site& site, const api::LeaveThread& join, const Left& left, State& s);
  void clear_handle(const Site& site, const api::LeaveThread& leave, State& s);
  void take_result(const Site& site, const api::LeaveThread& join, State& s);
  FormId address_behind(const Site& site, const State& s, Operand operand);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
  InstanceLedger& ledger_;
  const ThreadPhase& phase_;
  const std::vector<std::int64_t>& thresholds_;
  bool& changed_;
  std::map<ThreadId, InfoId> arguments_;
  std::map<ThreadId, MapId> teams_, owners_;
};

}  // namespace heddle::topdown
