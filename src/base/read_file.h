// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>
#include <string>

namespace heddle {

/// All bytes of a file; none if it cannot be read.
std::optional<std::string> read_file(const std::string& path);

}  // namespace heddle
