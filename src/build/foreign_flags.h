// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flags of a recorded command that our clang is not given: those that make files, those that instrument, those that
// only decide how code is optimised or reported, and those of gcc that clang refuses. Everything else is passed on.
// A list, since it is one; clang's own table of options catches what it does not know (clang_command.h).
#pragma once
#include <optional>
#include <string_view>

namespace heddle::build {

enum class FlagKind {
  Output,      ///< names or makes a file: -o, -MF, -save-temps
  Instrument,  ///< adds code that the program does not have: -pg, --coverage, -fsanitize=
  Debug,       ///< how much debug information, and under which names
  Strict,      ///< turns warnings into errors
  Tuning,      ///< optimisation and code generation only
  Foreign,     ///< gcc has it, clang does not
};

struct FlagRule {
  FlagKind kind;
  bool takes_next;  ///< its value is the next argument
};

/// The rule for an argument, nothing if it is kept.
std::optional<FlagRule> rule_of_flag(std::string_view argument);

}  // namespace heddle::build
