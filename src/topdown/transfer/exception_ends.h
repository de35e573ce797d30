// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExceptionEnds: destructors of exception objects, which run where nobody writes a call.
//
//   throw E();                  __cxa_throw(object, type, E::~E)    remembers ~E with the object
//   } catch (...) { … }         __cxa_end_catch()                   ~E may run here, for that object
//
// An exception may be kept (std::exception_ptr) and end in another thread, so what any thread threw may end wherever an
// exception may end; none need end there. Also here: whether a throw is caught at all.
#pragma once
#include <map>

#include "api/models/api_models.h"
#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class Calls;

class ExceptionEnds {
 public:
  ExceptionEnds(const api::ApiModels& models, const CallValues& call, Memory& memory, Recorder& recorder, Calls& calls,
                bool& changed)
      : d(memory.d),
        u(memory.u),
        models_(models),
        call_(call),
        memory_(memory),
        recorder_(recorder),
        calls_(calls),
        changed_(changed) {}

  /// The call makes an exception object with this destructor.
  void keep(const Site& site, const api::RunLater& later, State& s);
  /// An exception object may end here.
  void end(const Site& site, const State& s, States& out);

 private:
  const Domain& d;
  Universe& u;
  const api::ApiModels& models_;
  const CallValues& call_;
  Memory& memory_;
  Recorder& recorder_;
  Calls& calls_;
  bool& changed_;
  std::map<FunctionId, InfoId> destructors_;  ///< with the objects they may get
};

/// How the exception that an instruction throws may end, by the handlers around it.
struct Catching {
  bool may_be_caught = false;   ///< somebody may catch it, so frames are unwound
  bool must_be_caught = false;  ///< somebody catches everything
};
[[nodiscard]] Catching catching_of(const Universe& universe, ThreadId main, const Site& site);

}  // namespace heddle::topdown
