// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ProgramSides: the answers of OtherSides that follow from the code of a Program, whoever runs it. They are found when
// they are first asked for.
#pragma once
#include <map>
#include <string>
#include <unordered_map>

#include "explore/sides/code_effects.h"
#include "explore/sides/origins.h"

namespace heddle::explore {

class ProgramSides {
 public:
  ProgramSides(const Program& program, const api::ApiModels& models, CodeEffects::AddressOf address_of,
               CodeEffects::Knowledge knowledge, bool at_accesses);

  /// What the program uses of which these answers do not tell enough; empty: nothing.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  /// The sides of the branch at the end of `block` but the one to `taken`; null: there is no other one.
  [[nodiscard]] const Side* side(FunctionId function, BlockId block, BlockId taken);
  /// The other functions that a call through a pointer may reach; null: the call is direct.
  [[nodiscard]] const Side* side(FunctionId caller, std::uint32_t call, FunctionId taken);
  /// Whom it may reach.
  [[nodiscard]] std::span<const FunctionId> targets(FunctionId caller, std::uint32_t call) const {
    return effects_.targets(caller, call);
  }
  [[nodiscard]] BlockId meeting_of(FunctionId function, BlockId block) { return effects_.meeting_of(function, block); }

  [[nodiscard]] const Origin& origin_of(AccessKey key);
  [[nodiscard]] const std::vector<Region>& regions_of(AccessKey key);
  /// Of what a call writes, where its model tells that apart from what it reads.
  [[nodiscard]] std::vector<Region> written_regions_of(AccessKey key);
  [[nodiscard]] bool is_answer(AccessKey key) const;
  /// Why sides that were asked for may do anything, and how many each.
  [[nodiscard]] const std::map<std::string, std::size_t>& unknown() const { return unknown_; }

 private:
  [[nodiscard]] const Instruction* instruction_at(AccessKey key) const;
  [[nodiscard]] const api::Model* model_at(AccessKey key) const;
  [[nodiscard]] Origin find_origin(AccessKey key) const;
  [[nodiscard]] std::vector<Region> find_regions(AccessKey key) const;
  void note(Side& side, const std::string& unknown);
  void look_for_obstacles();
  void look_at(const api::Model& model);
  [[nodiscard]] bool starts_unknown(const Function& function, const Instruction& call) const;
  void look_at(const Function& function);

  const Program& program_;
  const api::ApiModels& models_;
  CodeEffects effects_;
  Origins origins_;
  std::string obstacle_;
  std::map<std::string, std::size_t> unknown_;
  bool joins_ = false, detaches_ = false;
  std::map<std::pair<AccessKey, std::uint32_t>, Side> sides_;  ///< by branch or call, and the block or function taken
  std::unordered_map<AccessKey, Origin> origin_of_;
  std::unordered_map<AccessKey, std::vector<Region>> regions_of_;
};

}  // namespace heddle::explore
