// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "api/effect.h"

namespace heddle::api {

/// `[[code]]`: functions of a library whose bodies stand in a C file of models/ (docs/models.md).
struct CodeRule {
  std::string file;  ///< `openmp.c`
  std::vector<std::string> functions;
  std::string part;             ///< the template that is written once per entry; empty: the file defines the functions
  std::string with;             ///< another template that is then written too
  int entry = Effect::none;     ///< the argument that is the entry
  int entry_of = Effect::none;  ///< the argument that is what a call with such an entry returned
  int own_parameters = 0;       ///< parameters of the entry in front of those that the call hands on

  bool operator==(const CodeRule&) const = default;
};

}  // namespace heddle::api
