// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "api/system_rules.h"
#include "depend/system/system_entry.h"

namespace heddle::depend {

/// What a System takes for granted where nobody says it, one sentence each.
[[nodiscard]] std::vector<std::string> assumed(const std::vector<SystemEntry>& entries,
                                               const std::vector<std::string>& names, const api::SystemRules& rules);

}  // namespace heddle::depend
