// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CodeEffects: what a piece of a function may do when it runs, from its code alone: the shared memory it may access, on
// the way to each access and to its end the locks that are surely taken and those that may be released.
//
//   lock(&A); x++; unlock(&A); y = 5;      x after {A} was taken; y after A may have been released; at the end the same
//
// A forward analysis over the blocks: taken locks are intersected where ways meet, released ones united. Callees are
// summarised once, relative to their beginning. Sound: an access through a pointer is one to its whole region (classes
// of the alias analysis without its assumptions), a lock is taken only where it is a global variable's bytes, one that
// is released through a pointer may be any of its region, and what nobody knows (a thread created, a call of unknown
// effect) may do anything. A callee that takes a lock it was given by address takes nothing.
//
// Functions that call each other are looked at again and again until nothing is added: at first a call of one that is
// under way does nothing and does not come back.
//
// Cost: a fixpoint for each function that is asked for, and for each branch one over the blocks of its sides.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alias/alias_facts.h"
#include "alias/global_places.h"
#include "api/action.h"
#include "api/models/api_models.h"
#include "explore/executor/other_sides.h"
#include "explore/sides/own_memory.h"
#include "flow/post_dominators.h"
#include "program/model/program.h"

namespace heddle::explore {

struct Effects {
  std::vector<SideAccess> accesses;
  std::optional<LockUpdate> end;  ///< none: its end is never reached
  std::string unknown;            ///< why it may do anything; empty: it does no more than this

  [[nodiscard]] bool may_do_anything() const { return !unknown.empty(); }
};

class CodeEffects {
 public:
  using AddressOf = std::function<std::uint64_t(GlobalId)>;  ///< 0: not known
  /// What is known of a library function. `Accesses`: it touches memory as its model says, may use what the system
  /// keeps (files, channels), and need not answer the same in another execution. `Everything`: it does and answers what
  /// its model says, and nothing else that others can feel.
  enum class Known : std::uint8_t { Nothing, Accesses, Everything };
  using Knowledge = std::function<Known(const Function&)>;

  /// `everything_is_visible`: plain accesses are visible operations, too. No `knowledge`: all functions with a model do
  /// what that says.
  CodeEffects(const Program& program, const api::ApiModels& models, AddressOf address_of, Knowledge knowledge,
              bool everything_is_visible);

  /// What runs from `from` on up to `until` (invalid: up to the return).
  [[nodiscard]] Effects of_blocks(FunctionId function, BlockId from, BlockId until);
  [[nodiscard]] const Effects& of_function(FunctionId function);
  [[nodiscard]] const flow::Cfg& cfg(FunctionId function) { return flow_of(function).cfg; }
  /// Where the sides of a branch at the end of the block meet; invalid: at the return.
  [[nodiscard]] BlockId meeting_of(FunctionId function, BlockId block) {
    return flow_of(function).meeting[block.index()];
  }
  [[nodiscard]] const alias::GlobalPlaces& places() const { return places_; }
  [[nodiscard]] const OwnMemory& own_memory() const { return own_; }
  [[nodiscard]] const std::vector<bool>& only_entry() const { return only_entry_; }
  /// Where an address operand leads.
  [[nodiscard]] Region region_of(FunctionId function, Operand address) const;
  [[nodiscard]] std::span<const FunctionId> targets(FunctionId function, std::size_t call) const {
    return aliases_.targets(function, call);
  }
  [[nodiscard]] const api::Model* model_of(FunctionId function) const;
  [[nodiscard]] Known known(FunctionId function) const;

 private:
  struct Flow {
    flow::Cfg cfg;
    std::vector<BlockId> meeting;
  };
  class Walk;
  class LibraryCall;

  const Flow& flow_of(FunctionId function);
  /// A function that is being looked at, and the outermost of them that its effects depend on.
  struct UnderWay {
    FunctionId function;
    std::size_t outermost = 0;
    bool is_called = false;  ///< by itself, or by one that it calls
  };
  void look_at(FunctionId function);
  void depend_on(std::size_t outermost);
  void finish(std::size_t depth);

  /// Pointers that calls pass behind the parameters of a function; nothing: not all calls are known.
  using Passed = std::vector<std::pair<FunctionId, Operand>>;
  [[nodiscard]] std::optional<Passed> passed_to(FunctionId function) const;
  [[nodiscard]] bool is_always_null(FunctionId function, Operand operand) const;
  [[nodiscard]] Variable variable_of(FunctionId function, Operand address, std::uint64_t size) const;
  /// As in SideAccess.
  [[nodiscard]] Bytes behind_argument(FunctionId function, Operand address, std::uint64_t size) const;

  const Program& program_;
  const api::ApiModels& models_;
  AddressOf address_of_;
  Knowledge knowledge_;
  bool everything_is_visible_;
  alias::GlobalPlaces places_;
  OwnMemory own_;
  std::vector<bool> only_entry_;
  alias::AliasFacts aliases_;
  std::map<FunctionId, Flow> flows_;
  std::map<FunctionId, Effects> functions_;
  std::vector<UnderWay> under_way_;
  std::map<FunctionId, Effects> growing_;        ///< what is known so far of functions that call each other
  std::map<FunctionId, std::size_t> looked_at_;  ///< in this round; the outermost one under way that they depend on
  bool has_grown_ = false;
};

}  // namespace heddle::explore
