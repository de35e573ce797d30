// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "explore/executor/side_table.h"

namespace heddle::explore {

/// Where the symbols of the running program lie, by its own symbol table; 0: nowhere, in two places, or something of
/// another size is called so.
std::vector<std::uint64_t> own_addresses(std::span<const SideTable::Symbol> symbols);

}  // namespace heddle::explore
