// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>

namespace heddle::explore {

/// `from` gives address space that survives a restart of the program.
void set_up_driver_memory(void* (*from)(std::size_t));

}  // namespace heddle::explore
