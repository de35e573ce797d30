// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryActions: what library calls do to memory: allocating, touching, moving pointers, returning addresses.
// False from a function here: no execution gets behind the call.
#pragma once
#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class MemoryActions {
 public:
  MemoryActions(const CallValues& call, const Values& values, Memory& memory, Recorder& recorder)
      : d(memory.d), u(memory.u), call_(call), values_(values), memory_(memory), recorder_(recorder) {}

  void allocate(const Site& site, const api::MakeMemory& make, State s, States& out);
  bool touch_memory(const Site& site, const api::Touch& touch, State& s);
  bool touch_atomic(const Site& site, const api::TouchAtomic& touch, State& s);
  bool move_pointers(const Site& site, const api::MovePointers& move, State& s);
  void return_value(const Site& site, const api::ReturnValue& value, State& s);

 private:
  static AccessKind access_kind(api::Touch::Mode mode);
  [[nodiscard]] bool is_from_outside(const Info& info) const;
  bool touch_object(const Site& site, const api::Touch& touch, State& s);
  bool touch_variadic(const Site& site, const api::Touch& touch, State& s);
  bool touch_hidden(const Site& site, const api::Touch& touch, State& s);
  void return_hidden(const Site& site, const api::ReturnValue& value, State& s);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
};

}  // namespace heddle::topdown
