// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "explore/launch/launch.h"

namespace heddle::explore {

/// Runs the job's program under a debugger that has the terminal, until the user ends it. `commands` are given to gdb
/// one by one, behind those that say how the program is started. What the program prints is seen.
Result<void> debug(const std::string& gdb, const LaunchJob& job, const std::vector<std::string>& commands);

}  // namespace heddle::explore
