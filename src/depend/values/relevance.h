// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values and variables can ever decide a branch, an address, a length, whom a call reaches or what a mask keeps
// out.
//
//   x++;  if (mode == 2) y = x;         mode matters, x and y do not: whatever they hold, the same accesses follow
//
// Two states of a run that agree in what matters make the same accesses from there on, if they get the same inputs that
// matter: a search need not tell them apart, and a counter that is only counted does not make a new state each time.
//
// Backwards from branches, addresses and lengths: over operands, parameters, results of calls, and from a read to all
// that may be stored in the variables it may touch. Memory other than global variables always matters. Sound as far as
// the alias facts are; cost: linear in the program.
#pragma once
#include <map>
#include <set>
#include <vector>

#include "api/models/api_models.h"
#include "depend/access/call_graph.h"
#include "depend/access/shared_accesses.h"
#include "depend/system/system.h"
#include "depend/values/lock_calls.h"

namespace heddle::depend {

class Relevance {
 public:
  Relevance(const Program& program, const api::ApiModels& models, const System& system, const CallGraph& calls,
            const SharedAccesses& accesses);

  [[nodiscard]] bool matters(FunctionId function, ValueId value) const {
    return values_[function.index()][value.index()];
  }
  [[nodiscard]] bool matters(GlobalId variable) const { return variables_[variable.index()]; }
  /// That an instruction may touch itself; none: memory that is no global variable.
  [[nodiscard]] const std::vector<GlobalId>& variables_at(FunctionId function, std::size_t instruction) const;
  /// The function is not defined, and nothing is known of it; or of one of that name, but it gets and gives no pointers
  /// and so is probably another one, or of no interest here: `send` of a program without sockets. Masks are known.
  [[nodiscard]] bool is_unknown(FunctionId function) const;
  /// Some call of it is a step of a mask.
  [[nodiscard]] bool is_mask(FunctionId function) const { return masks_.contains(function); }
  [[nodiscard]] const LockCalls& locks() const { return locks_; }

 private:
  using Place = std::pair<FunctionId, std::size_t>;
  void look_at(FunctionId function, std::size_t instruction);
  void look_at_call(FunctionId function, std::size_t call);
  void need(FunctionId function, Operand operand);
  void need_all(FunctionId function, std::size_t instruction);
  void need_variable(GlobalId variable);
  void follow(FunctionId function, ValueId value);

  const Program& program_;
  const api::ApiModels& models_;
  const CallGraph& calls_;
  LockCalls locks_;
  std::set<FunctionId> masks_;  ///< functions whose arguments say who is kept out
  std::vector<std::vector<bool>> values_;
  std::vector<bool> variables_;
  std::map<Place, std::vector<GlobalId>> touched_;
  std::map<GlobalId, std::vector<Place>> stores_;
  std::vector<std::pair<FunctionId, ValueId>> todo_;
};

}  // namespace heddle::depend
