// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FollowedMemory: variables whose address goes nowhere: it is used to load, to store, to lock, and is passed to
// functions that do no more with it. So nothing but these uses touches them, and each use names its place in them.
//
//   int n; f(&n);        followed if f only loads and stores through it
//   int *p = &n;         not followed, if `p` is in memory
//   a[i] = 1;            not followed: no fixed place
//
// Also the allocas of a function, in which it keeps the handles of threads. Rests on `defined-behaviour`: no address of
// one variable is computed from that of another.
#pragma once
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::judge::transaction {

class FollowedMemory {
 public:
  FollowedMemory(const Program& program, const api::ApiModels& models);

  [[nodiscard]] bool follows(GlobalId global) const { return !lost_[global.index()]; }
  /// Of the memory of an alloca.
  [[nodiscard]] bool follows(FunctionId function, std::size_t alloca) const;
  /// What is passed for that parameter is not used for anything else.
  [[nodiscard]] bool follows_parameter(FunctionId function, std::size_t parameter) const {
    return !lost_parameters_.contains({function, static_cast<std::uint32_t>(parameter)});
  }

 private:
  void look_at(FunctionId function);
  [[nodiscard]] bool is_followed(const Function& f, ValueId pointer) const;
  [[nodiscard]] bool is_followed_use(const Function& f, const Instruction& user, std::size_t operand) const;
  [[nodiscard]] bool is_followed_argument(const Function& f, const Instruction& call, std::size_t argument) const;
  void lose_globals_in(const Function& f);
  void lose(Operand operand);

  const Program& program_;
  const api::ApiModels& models_;
  std::vector<bool> lost_;  ///< by global
  std::set<std::pair<FunctionId, std::uint32_t>> lost_parameters_;
  mutable std::map<std::pair<FunctionId, std::size_t>, bool> allocas_;  ///< asked for at every use
};

/// What a call does with the memory behind that argument is all told by the acts of a model: it is a lock, a condition,
/// the place of a thread's handle.
[[nodiscard]] bool is_told_by_acts(const api::Model& model, int argument);

}  // namespace heddle::judge::transaction
