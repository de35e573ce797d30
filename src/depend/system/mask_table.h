// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What masks interrupts in a program: calls of the functions that `[[mask]]`, `[[critical_section]]` and the profile
// `firmware` name, inline assembly, and writes of AVR's status register.
//
//   irq_off(3)      Begin, Interrupt 3          [[mask]] disable = "irq_off", argument = 0, all = 255
//   irq_off(255)    Begin, Everything
//   irq_off(n)      Begin, Unknown: protects from nothing
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/system_rules.h"
#include "depend/system/mask_step.h"
#include "program/model/program.h"

namespace heddle::depend {

class MaskTable {
 public:
  MaskTable(const Program& program, std::vector<api::MaskRule> rules);

  /// What an argument of a call is in a run; nothing: that is not known.
  using Argument = std::function<std::optional<std::int64_t>(std::size_t)>;
  /// Of a call, of inline assembly, or of a write of a status register; nothing for other instructions. A function with
  /// a body counts by its name too: who asks need not look inside. What a shipped profile says of a name does not hold
  /// for a function of the program that can be followed: nothing in it is assembly, a device or unknown. `running` is
  /// asked for arguments of calls that are not constant.
  [[nodiscard]] std::optional<MaskStep> step_of(const Program& program, const Function& function,
                                                const Instruction& instruction, const Argument& running = {}) const;

  /// Of a call of that function with arguments that are not known.
  [[nodiscard]] std::optional<MaskStep> step_of(const Function& called) const;

  [[nodiscard]] const std::vector<api::MaskRule>& rules() const { return rules_; }

 private:
  struct Row {
    std::uint32_t rule = 0;
    MaskStep::Step step = MaskStep::Step::Begin;
  };
  [[nodiscard]] bool can_be_followed(const Program& program, const Function& function) const;
  using Rows = std::map<std::string, Row, std::less<>>;
  [[nodiscard]] Rows::const_iterator row_of(const Function& called) const;
  [[nodiscard]] MaskStep made(const Row& row) const;

  std::vector<api::MaskRule> rules_;
  Rows functions_;  ///< a later rule replaces an earlier one
};

}  // namespace heddle::depend
