// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::instrument {

/// An archive of these objects with an index, for any linker.
Result<void> write_archive(const std::string& path, const std::vector<std::string>& objects);

}  // namespace heddle::instrument
