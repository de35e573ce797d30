// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadValues: values of which each thread has its own (pthread_key_create, pthread_getspecific). What a thread keeps
// under a key is an object that only this thread names; a key that is not surely one key is an obstacle. When a thread
// ends, the destructors of keys get what it keeps under them: here any value that any thread keeps under any key.
#pragma once
#include <set>

#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class ThreadValues {
 public:
  ThreadValues(const CallValues& call, const Values& values, Memory& memory, Recorder& recorder, bool& changed)
      : d(memory.d),
        u(memory.u),
        call_(call),
        values_(values),
        memory_(memory),
        recorder_(recorder),
        changed_(changed) {}

  /// There are only so many keys: who makes one again and again gets none in the end.
  [[nodiscard]] bool may_run_out(const Site& site);
  void thread_specific(const Site& site, const api::UseThreadValue& use, State& s);
  [[nodiscard]] const std::set<FunctionId>& destructors() const { return destructors_; }
  /// All values that destructors may get; none: nobody keeps any.
  [[nodiscard]] InfoId kept() const { return kept_; }

 private:
  void create_key(const Site& site, const api::UseThreadValue& use, State& s);
  void keep(State& s, FormId value);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
  bool& changed_;
  std::set<FunctionId> destructors_;
  InfoId kept_;
};

}  // namespace heddle::topdown
