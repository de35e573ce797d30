// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps the process honest when things go wrong around it: sources that nest deeply need a deep stack (clang's
// parser and any walk over its tree recurse), a reader that goes away must not kill us silently, and a crash has to say
// whose fault it is and end with exit code 3: a machine without memory is not our bug.
#pragma once
#include <functional>

namespace heddle::cli {

/// Before anything else: a closed pipe and a file that grows too large become failed writes, which are reported; a
/// refused piece of memory is remembered, and Ctrl-C ends the process.
void prepare_process();

/// `heddle: error: out of memory …`, without asking for more of it.
void tell_of_no_memory() noexcept;

/// Runs `work` on a thread with a stack of 1 GB of address space (touched only as needed), with a handler that turns a
/// crash into a message and exit code 3. Falls back to smaller stacks, at last to the caller's own.
int run_guarded(const std::function<int()>& work);

}  // namespace heddle::cli
