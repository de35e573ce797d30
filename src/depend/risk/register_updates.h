// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can go wrong with a device register: only that a value is read, changed and written back, and what an interrupt
// wrote in between is lost.
//
//   PORTB |= 4;            read, or, write: a triple with a handler that writes PORTB
//   while (!(UCSR0A & 32));  if (UCSR0A & 8) …      the device changes it at any time: two reads that differ are no
//   news
//
// On AVR, one bit of the first 32 registers (addresses 0x20 to 0x3f) is set or cleared by one instruction, `sbi` or
// `cbi`, wherever the compiler optimises; System::assumptions says so.
#pragma once
#include "depend/access/shared_accesses.h"

namespace heddle::depend {

/// False for two accesses of a device register that no interruption can break.
[[nodiscard]] bool may_be_broken(const Program& program, const Access& first, bool first_writes, const Access& second,
                                 bool second_writes);

}  // namespace heddle::depend
