// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that the C and C++ libraries define, of which more is known than their type.
//
//   if (__libc_single_threaded) ++*count; else __atomic_add_fetch(count, 1, …);      as libstdc++ counts references
#pragma once
#include <string_view>
#include <utility>

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

/// Of a variable that has several names, the one that models and reports use.
[[nodiscard]] constexpr std::string_view first_name(std::string_view symbol) {
  constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"__environ", "environ"},
      {"_environ", "environ"},
      {"__timezone", "timezone"},
      {"__daylight", "daylight"},
      {"__tzname", "tzname"},
      {"__signgam", "signgam"},
      {"__progname", "program_invocation_short_name"},
      {"__progname_full", "program_invocation_name"},
  };
  for (const auto& [other, first] : others)
    if (symbol == other) return first;
  return symbol;
}

}  // namespace heddle
