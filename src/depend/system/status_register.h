// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVR's status register lies in memory, and holds the flag that lets interrupts in:
//
//   uint8_t old = SREG; cli(); … SREG = old;       what was before `cli` comes back
//   SREG |= 0x80;                                  like `sei`
//
// Handlers save and restore it: it belongs to each entry, as the stack pointer beside it does, and nobody shares it.
#pragma once
#include <optional>

#include "depend/system/mask_step.h"
#include "program/model/program.h"

namespace heddle::depend {

/// The status register or the stack pointer.
[[nodiscard]] bool is_processor_state(const Program& program, const Global& global);

/// What a write of the status register does; nothing for other instructions.
[[nodiscard]] std::optional<MaskStep> status_step(const Program& program, const Function& function,
                                                  const Instruction& instruction);

}  // namespace heddle::depend
