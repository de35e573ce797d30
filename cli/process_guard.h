// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps the process honest when things go wrong around it: sources that nest deeply need a deep stack (clang's
// parser and any walk over its tree recurse), a reader that goes away must not kill us silently, and a crash has to say
// whose fault it is and end with exit code 3.
#pragma once
#include <functional>

namespace heddle::cli {

/// A closed pipe becomes a failed write, which finish_output reports.
void ignore_broken_pipes();

/// Runs `work` on a thread with a stack of 1 GB of address space (touched only as needed), with a handler that turns a
/// crash into a message and exit code 3. Falls back to smaller stacks, at last to the caller's own.
int run_guarded(const std::function<int()>& work);

}  // namespace heddle::cli
