// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "base/content_hash.h"
#include "base/kept/kept_file.h"

namespace heddle::frontend {

/// Of a source's content, with the user's key: a project cannot make two sources that look alike.
inline ContentHash hash_of(std::string_view content) { return kept::seal_of("source", content).mac; }

/// A file that a unit was read from, with what the compiler saw in it.
struct ReadFile {
  std::string path;  ///< absolute
  ContentHash hash;
};

}  // namespace heddle::frontend
