// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixpoint behind CodeEffects: blocks, instructions, calls.
#pragma once
#include "explore/sides/code_effects.h"
#include "explore/sides/lock_updates.h"

namespace heddle::explore {

class CodeEffects::Walk {
 public:
  Walk(CodeEffects& all, FunctionId id)
      : all_(all), id_(id), function_(all.program_.functions[id]), flow_(all.flow_of(id)) {}

  Effects run(BlockId from, BlockId until);

 private:
  friend class LibraryCall;
  using State = std::optional<LockUpdate>;  ///< none: nothing gets here

  void flow_into(BlockId block, const State& state);
  void look_at(BlockId block);
  void look_at(std::size_t number, State& state);
  void call(const Instruction& code, std::size_t number, State& state);
  void call_function(FunctionId callee, State& state);
  void call_library(FunctionId callee, const Instruction& code, std::size_t number, State& state);
  /// Some operation on what the system keeps.
  void use_system(const State& state);
  void leave(State& state);
  void access(const State& state, std::size_t number, Operand address, TypeId type, bool writes, bool is_atomic,
              bool is_end = false);
  void add(const State& state, SideAccess access);
  void anything(std::string why) {
    if (effects_.unknown.empty()) effects_.unknown = std::move(why);
  }
  [[nodiscard]] bool is_own(Operand address) const { return all_.own_.holds(id_, address); }

  CodeEffects& all_;
  FunctionId id_;
  const Function& function_;
  const Flow& flow_;
  BlockId until_;
  std::vector<State> states_;
  std::vector<BlockId> work_;
  bool collects_ = false;
  Effects effects_;
};

/// A call of a function without a body: what its model says.
class CodeEffects::LibraryCall {
 public:
  LibraryCall(Walk& walk, const Instruction& code, std::size_t number, Walk::State& state)
      : walk_(walk), code_(code), number_(number), state_(state) {}

  void apply(const api::Model& model);

 private:
  void apply(const api::Action& action);
  void take(const api::TakeLock& take);
  void give(const api::GiveLock& give);
  void touch(const api::Touch& touch);
  void touch_list(bool writes);
  void use(const api::ObjectUse& use, bool takes);
  void access(api::Argument object, bool writes, bool is_atomic, bool is_end = false);
  void anything();
  [[nodiscard]] Operand argument(api::Argument number) const;
  [[nodiscard]] bool is_ruled_out(const api::DoUnsupported& what) const;
  [[nodiscard]] LockName lock_at(api::Argument object) const;
  [[nodiscard]] std::uint64_t size_of(const api::Length& bytes) const;

  Walk& walk_;
  const Instruction& code_;
  std::size_t number_;
  Walk::State& state_;
};

}  // namespace heddle::explore
