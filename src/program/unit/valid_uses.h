// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of check_program (valid_program.h): values are defined before they are used. In a block that can be reached, the
// definition stands earlier in the same block or in one that dominates it; for a phi, in one that dominates where the
// value comes from. In a block that cannot be reached, as LLVM has it, values may come from anywhere, but none from
// itself.
//
// Dominators: Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001). They are asked for only by values
// that are neither of the same nor of the first block.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "program/model/program.h"

namespace heddle {

class UseCheck {
 public:
  /// The body is fine otherwise.
  [[nodiscard]] bool run(const Function& function);

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  [[nodiscard]] bool is_fine(std::uint32_t block, std::uint32_t instruction);
  [[nodiscard]] bool dominates(std::uint32_t definition, std::uint32_t use);
  [[nodiscard]] bool is_reachable(std::uint32_t block);
  /// Of values in blocks that cannot be reached: none depends on itself but through a phi.
  [[nodiscard]] bool has_no_ring();
  void find_order();
  void find_dominators();
  void number_tree();
  [[nodiscard]] std::span<const Operand> ends_of(std::uint32_t block) const;

  const Function* f_ = nullptr;
  bool has_dominators_ = false, has_loose_uses_ = false;
  std::vector<std::uint32_t> block_of_;      ///< by instruction
  std::vector<std::uint32_t> order_, rank_;  ///< reverse post-order; rank by block, none: not reachable
  std::vector<std::uint32_t> parent_;        ///< immediate dominator by block
  std::vector<std::uint32_t> first_, last_;  ///< numbers of a walk through the tree of dominators
};

}  // namespace heddle
