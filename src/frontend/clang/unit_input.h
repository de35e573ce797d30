// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "base/content_hash.h"

namespace heddle::frontend {

/// A file that a unit was read from, with what the compiler saw in it.
struct ReadFile {
  std::string path;  ///< absolute
  ContentHash hash;
};

}  // namespace heddle::frontend
