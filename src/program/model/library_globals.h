// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that the C and C++ libraries define, of which more is known than their type.
//
//   if (__libc_single_threaded) ++*count; else __atomic_add_fetch(count, 1, …);      as libstdc++ counts references
#pragma once
#include "program/model/program.h"

namespace heddle {

/// glibc promises that no other thread runs while it is not zero. It may be zero at any time, and where accesses of two
/// threads can meet it is: nothing that happens only if it is not zero takes part in a race.
[[nodiscard]] inline bool is_single_threaded_flag(const Global& global) {
  return global.is_declaration() && global.name == "__libc_single_threaded";
}

/// Those that are zero when the program starts.
[[nodiscard]] inline bool starts_as_zero(const Global& global) {
  return is_single_threaded_flag(global) ||
         (global.is_declaration() && (global.name == "_ZSt15__once_callable" || global.name == "_ZSt11__once_call"));
}

}  // namespace heddle
