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
// Of one triple even less matters: a branch that decides only what variables hold (idle_branches.h) matters if one of
// these does, or what flows together behind it; and if it has to do with the variables of the triple.
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
#include "depend/values/idle_branches.h"
#include "depend/values/lock_calls.h"

namespace heddle::depend {

/// What a program touches where; found once.
struct Touches {
  Touches(const Program& program, const api::ApiModels& models, const System& system, const CallGraph& calls,
          const SharedAccesses& accesses);
  Touches(const Touches&) = delete;
  Touches& operator=(const Touches&) = delete;

  using Place = std::pair<FunctionId, std::size_t>;
  /// That an instruction may touch itself; none: memory that is no global variable.
  [[nodiscard]] const std::vector<GlobalId>& at(FunctionId function, std::size_t instruction) const;

  LockCalls locks;
  std::set<FunctionId> masks;  ///< functions whose arguments say who is kept out
  std::map<Place, std::vector<GlobalId>> touched;
  std::map<GlobalId, std::vector<Place>> stores;
  std::vector<IdleBranch> idle;
};

class Relevance {
 public:
  /// For accesses to these variables alone; null: for all.
  Relevance(const Program& program, const api::ApiModels& models, const CallGraph& calls, const Touches& touches,
            const std::set<GlobalId>* wanted);

  [[nodiscard]] bool matters(FunctionId function, ValueId value) const {
    return values_[function.index()][value.index()];
  }
  [[nodiscard]] bool matters(GlobalId variable) const { return variables_[variable.index()]; }
  [[nodiscard]] const std::vector<GlobalId>& variables_at(FunctionId function, std::size_t instruction) const {
    return touches_.at(function, instruction);
  }
  /// The function is not defined, and nothing is known of it; or of one of that name, but it gets and gives no pointers
  /// and so is probably another one, or of no interest here: `send` of a program without sockets. Masks are known.
  [[nodiscard]] bool is_unknown(FunctionId function) const;
  /// Some call of it is a step of a mask.
  [[nodiscard]] bool is_mask(FunctionId function) const { return touches_.masks.contains(function); }
  [[nodiscard]] const LockCalls& locks() const { return touches_.locks; }

 private:
  using Place = Touches::Place;
  void put_aside(const std::set<GlobalId>& wanted);
  void need_branch(const IdleBranch& branch);
  void look_at(FunctionId function, std::size_t instruction);
  void look_at_call(FunctionId function, std::size_t call);
  void need(FunctionId function, Operand operand);
  void need_all(FunctionId function, std::size_t instruction);
  void need_variable(GlobalId variable);
  void follow(FunctionId function, ValueId value);
  [[nodiscard]] bool is_text(Operand argument) const;

  const Program& program_;
  const api::ApiModels& models_;
  const CallGraph& calls_;
  const Touches& touches_;
  std::vector<std::vector<bool>> values_;
  std::vector<bool> variables_;
  std::set<Place> aside_;  ///< branches that do not matter yet
  std::map<GlobalId, std::vector<const IdleBranch*>> storing_;
  std::map<std::pair<FunctionId, BlockId>, std::vector<const IdleBranch*>> meeting_;
  std::vector<std::pair<FunctionId, ValueId>> todo_;
};

}  // namespace heddle::depend
