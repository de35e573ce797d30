// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the system refused, and what the user can do about it: a full machine is nobody's bug.
//
//   failure_words(ENOSPC)   "No space left on device (make room there)"
#pragma once
#include <string>

namespace heddle {

/// For a number of errno.
std::string failure_words(int number);

/// The machine has too little of something (memory, files, threads, room), or is broken: not the fault of the input.
bool is_of_the_machine(int number);

}  // namespace heddle
