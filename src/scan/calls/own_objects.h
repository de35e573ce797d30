// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OwnObjects: memory that never gets from the thread that made it to another one, however deep it lies.
//
//   struct store { int *items; } s;             s is a local, and nobody is told where it lies
//   grow(&s):  s.items = realloc(…);            what lies behind it is the thread's own as well
//   list = malloc(…);                           list is a global: what it leads to, and what lies behind that, is not
//
// One thread gets to know another's memory only by memory that both know, or as the argument of its start. So beginning
// at the globals, at the arguments of threads and at everything that a library may hand on, all classes of objects
// (AliasFacts) that pointers lead to are *known*. An object of which only unknown ones are made, and that is made by
// the program (a local, or allocated), is its thread's own. A thread's result goes to whoever waits for its end, so it
// need not be known.
//
// Sound under the assumptions of AliasFacts; without `private-until-stored` only locals count. Whatever is not
// understood hands on: functions without a model, calls that lead nowhere, assembly, exceptions, values of threads,
// pointers that come out of a file or a pipe. Cost: one look at each call, one at each class.
#pragma once
#include <cstdint>
#include <vector>

#include "alias/alias_facts.h"
#include "api/action.h"
#include "scan/calls/call_targets.h"

namespace heddle::scan {

class OwnObjects {
 public:
  /// `models`: by FunctionId, null if there is none. `entries`: functions that nobody calls who passes
  /// parameters in sight.
  OwnObjects(const Program& program, const std::vector<const api::Model*>& models, const alias::AliasFacts& aliases,
             const CallTargets& targets, const Assumptions& assumptions, const std::vector<FunctionId>& entries);

  /// Nobody but the thread that made the object there can come to it.
  [[nodiscard]] bool has(alias::Place place) const;
  /// The same of everything that a parameter may lead to.
  [[nodiscard]] bool has(const alias::AliasFacts::GivenPlaces& given) const;

 private:
  void read_globals();
  void read_function(FunctionId id);
  void read_call(FunctionId id, std::size_t call);
  void read_library(FunctionId id, std::size_t call, FunctionId callee);
  void read_action(FunctionId id, std::size_t call, const api::Action& action);
  void read_unseen_targets(FunctionId id);
  void read_touch(FunctionId id, std::size_t call, const api::Touch& touch);
  void read_new(alias::Place place);
  void read_made(FunctionId id, std::size_t call, const api::MakeMemory& made);
  /// Others may know what is there, and what lies behind it.
  void make_known(alias::Place place);
  /// Others may know what the pointers that lie there lead to.
  void make_content_known(alias::Place place);
  void make_operands_known(FunctionId id, std::size_t instruction);
  void make_arguments_known(FunctionId id, std::size_t call, api::Argument but, api::Argument nor);
  void make_callbacks_known(FunctionId id, std::size_t call, std::size_t first);
  void make_parameters_known(FunctionId id, std::size_t first);
  void note_made(alias::Place place);
  [[nodiscard]] alias::Place argument(FunctionId id, std::size_t call, api::Argument number) const;
  [[nodiscard]] alias::Place result(FunctionId id, std::size_t instruction) const;
  void follow();

  const Program& program_;
  const std::vector<const api::Model*>& models_;
  const alias::AliasFacts& aliases_;
  const CallTargets& targets_;
  const Assumptions& assumptions_;
  std::vector<bool> made_;             ///< by object
  std::vector<bool> known_;            ///< by object
  std::vector<bool> content_known_;    ///< by class
  std::vector<alias::Place> pending_;  ///< classes whose content others know, still to be followed
};

}  // namespace heddle::scan
