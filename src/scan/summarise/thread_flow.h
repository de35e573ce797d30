// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadFlow: which threads run beside each point of a function; the thread half of the second walk (lock_flow.h).
// States (thread_state.h) are interned: 0 is "none was started or waited for".
//
//   for (i…) pthread_create(&t[i], …);      Spawn: {worker by t[]} runs
//   for (i…) pthread_join(t[i], 0);         the loop has waited for all of t[] when its condition ends it
//
// A wait inside of a loop is not one for all rounds: the handle of a thread that is started in one loop and waited for
// outside of it, or in another, may stand for several. That a loop waits for all is the assumption `loops-join-all`;
// that no other thread puts another handle there is `stable-paths`.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/execute/execution.h"
#include "scan/summary/thread_state.h"

namespace heddle::scan {

class ThreadFlow {
 public:
  ThreadFlow(const ScanInput& input, const FunctionBody& body, ValueNames& names, Execution& done);

  /// Behind a Spawn, Join, Detach or Move.
  [[nodiscard]] std::uint32_t after(const SymbolicEvent& event, std::uint32_t before);
  /// `theirs`: the callee's state at its return, or at an access.
  [[nodiscard]] std::uint32_t after_call(const BoundCall& call, std::uint32_t before, std::uint32_t theirs);
  /// On the way from one block to another, by rank.
  [[nodiscard]] std::uint32_t across(std::uint32_t from, std::uint32_t to, std::uint32_t before);
  /// Either of the two happened.
  [[nodiscard]] std::uint32_t join(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] const std::vector<ThreadState>& states() const { return states_; }

 private:
  struct LoopJoin {
    std::uint32_t loop = 0;
    Lvalue handle = {};  ///< none: without a name
  };
  [[nodiscard]] std::uint32_t intern(ThreadState state);
  void find_loop_joins();
  void start(const SymbolicEvent& event, ThreadState& now);
  void lose(std::uint32_t row, std::uint32_t rank, ThreadState& now);
  void move(const SymbolicEvent& event, ThreadState& now);
  void detach(const SymbolicEvent& event, ThreadState& now) const;
  void wait(const SymbolicEvent& event, ThreadState& now) const;
  [[nodiscard]] bool is_trusted(Lvalue handle) const;
  [[nodiscard]] bool is_for_callers(Lvalue handle) const;
  [[nodiscard]] bool is_several(const OpenThread& thread, std::uint32_t rank) const;
  [[nodiscard]] bool joins_all(Lvalue joined, const OpenThread& thread, std::uint32_t rank) const;
  [[nodiscard]] ThreadState rebound(const BoundCall& call, std::uint32_t number);

  const ScanInput& in_;
  const FunctionBody& body_;
  ValueNames& names_;
  Execution& done_;
  StartedThreads& threads_;
  std::vector<LoopJoin> loop_joins_;
  std::vector<ThreadState> states_;
};

}  // namespace heddle::scan
