// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline assembly that masks interrupts: `cpsid i` (ARM), `cli` (AVR, x86), `csrci mstatus, 8` (RISC-V), `dint`
// (MSP430), `di` (MIPS, RH850), `msr primask, r0`, `out __SREG__, r0`. Other instructions mask nothing.
#pragma once
#include <optional>
#include <string_view>

#include "depend/system/mask_step.h"

namespace heddle::depend {

/// `text` as CallInfo has it: template, '|', constraints. `value`: of the first operand, where it is a constant; it
/// decides what `msr primask` does. The last instruction of several that mask counts.
[[nodiscard]] std::optional<MaskStep> asm_mask(std::string_view text, std::optional<std::int64_t> value);

}  // namespace heddle::depend
