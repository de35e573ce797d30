// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::project {

/// Where libheddle_runtime.a is: beside the program or in ../lib/heddle, as the library for watching builds.
Result<std::string> runtime_archive();

/// The symbols that an archive defines, as its index lists them.
Result<std::vector<std::string>> symbols_of_archive(const std::string& path);

}  // namespace heddle::project
