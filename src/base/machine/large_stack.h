// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that may go deep needs a stack of its own: programs nest as they like.
#pragma once
#include <cstddef>
#include <functional>

namespace heddle {

/// Runs the work on a thread with such a stack and waits for it; false: the system has no room for that, and nothing
/// was run. `room_beside`: address space that must be left for the work itself, where it is limited.
bool run_on_stack(std::size_t stack_bytes, std::size_t room_beside, const std::function<void()>& work);

}  // namespace heddle
