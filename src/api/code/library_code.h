// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models that are code. What some library functions do is said best by C: a team of threads is started, works and is
// joined. Such functions stand in a C file of models/, and `[[code]]` tables name them (docs/models.md). The file
// is compiled for the program's machine and linked to it; from then on they are functions with a body.
//
// A function that is handed another function, a parallel region, is written once for each of them (a template):
//
//   __kmpc_fork_call(&where, 1, main.omp_outlined, &x)       the call is of `__kmpc_fork_call(main.omp_outlined)` now,
//                                                            whose body starts threads at main.omp_outlined
//
// so that no analysis has to follow function pointers. Calls whose function is not known stay as they are: what their
// models say holds. Linear in the program.
#pragma once
#include <string>
#include <vector>

#include "api/code_rule.h"
#include "base/result.h"
#include "program/model/program.h"

namespace heddle::api {

/// One file to compile and link.
struct LibraryCode {
  std::string name;  ///< `models/openmp.c`
  std::string text;
  std::vector<std::string> symbols;  ///< that the program needs of it; the rest is for them alone
};

/// The code that the program needs; its calls of templates become calls of what the text defines.
[[nodiscard]] Result<std::vector<LibraryCode>> library_code(Program& program);

/// The same by rules and files that are given; `read` returns the text of a file, or null.
[[nodiscard]] Result<LibraryCode> library_code(Program& program, const std::vector<CodeRule>& rules,
                                               const std::string& name, std::string_view file_text);

/// Makes declarations of the functions that `symbols` do not need, and forgets what would run them at the start.
void keep_only(Program& unit, const std::vector<std::string>& symbols);

}  // namespace heddle::api
