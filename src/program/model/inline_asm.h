// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of inline assembly. CallInfo::asm_text is its template, then '|', then its constraints. Of an empty
// template all of it holds.
#pragma once
#include <string_view>

namespace heddle {

/// Every statement of the template is an instruction that has nothing to do with memory, whatever its operands are:
/// ports (`outb`), barriers, waiting.
[[nodiscard]] bool touches_no_memory(std::string_view asm_text);
/// And none of them changes what a processor or a device does: a port may be the one that masks interrupts.
[[nodiscard]] bool only_waits_or_reads(std::string_view asm_text);

}  // namespace heddle
