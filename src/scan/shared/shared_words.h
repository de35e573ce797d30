// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of shared variables for people, and as JSON (docs/shared.md has both).
//
//   hits    a global that is written by its name ('hits'); 3 accesses, 2 of them write; never under a lock
//       server.c:12:3    worker    writes hits
#pragma once
#include <string>

#include "scan/shared/shared_variables.h"

namespace heddle::scan {

enum class Listed : std::uint8_t { Shared, AlsoOthers };

[[nodiscard]] std::string shared_text(const Program& program, const SharedVariables& variables, Listed listed);
[[nodiscard]] std::string shared_json(const Program& program, const SharedVariables& variables, Listed listed);
/// `3 shared variables, 1 of them never accessed under a lock`.
[[nodiscard]] std::string shared_count(const SharedVariables& variables);

}  // namespace heddle::scan
