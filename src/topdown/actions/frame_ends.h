// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FrameEnds: what ends with a function or a thread. To other threads that know a local variable, the end of its frame
// is what free is, so it is recorded as such an access to everything in the frame that was published.
//
//   void start(void) { int n = 1; pthread_create(&t, 0, worker, &n); }     worker's *p meets the end of n
//
// Variables of main itself end with the program, as far as anybody can tell, and are left out.
#pragma once
#include "topdown/actions/thread_phase.h"
#include "topdown/record/recorder.h"
#include "topdown/values/values.h"

namespace heddle::topdown {

/// The name of the callee's copy of a parameter passed by value, among the stack objects of its context.
constexpr std::uint32_t copied_parameter = 0x80000000;

class FrameEnds {
 public:
  FrameEnds(const Values& values, Recorder& recorder, const ThreadPhase& phase)
      : u(values.u), values_(values), recorder_(recorder), phase_(phase) {}

  /// The function returns here, or is left by an exception.
  void end_frame(const Site& site, State& s) const;
  /// The thread ends here, whatever it is in.
  void end_all_frames(const Site& site, State& s) const;

 private:
  void end_objects_of(const Site& site, ContextId context, State& s, bool has_many) const;
  void end_object(const Site& site, ObjectId fresh, State& s, bool has_many) const;
  void end_thread_locals(const Site& site, State& s) const;

  Universe& u;
  const Values& values_;
  Recorder& recorder_;
  const ThreadPhase& phase_;
};

}  // namespace heddle::topdown
