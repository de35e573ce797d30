// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace heddle {

/// To an open file; false: errno says why not.
bool write_all(int file, std::string_view bytes);

/// Atomically: temporary file beside it, fsync, rename. A reader sees the old file, the new file or none.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace heddle
