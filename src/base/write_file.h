// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle {

/// Atomically: temporary file beside it, fsync, rename. A reader sees the old file, the new file or none.
Result<void> write_file(const std::string& path, std::string_view content);

/// The same, but a file that has that content already is left alone: waiting for the disk is most of what writing
/// costs.
Result<void> update_file(const std::string& path, std::string_view content);

}  // namespace heddle
