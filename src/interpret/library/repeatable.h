// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of the C library, as the machine runs it, give the same result whenever they are run on the same memory
// and arguments, here and in every real execution. The others (rand, time, getenv, stdin, errno, strtok, …) have a
// state of their own or ask the world: a search that saw one of their answers has not seen all.
#pragma once
#include <string_view>

namespace heddle::interpret {

/// Whether the machine runs this function by an implementation of its own, not by its model's effects.
bool is_native(std::string_view function);
/// Whether that implementation is repeatable in the above sense. What is not listed is not.
bool is_repeatable(std::string_view function);
/// A declared object of the library that the program can only write to: stdout, stderr.
bool is_output_stream(std::string_view global);

}  // namespace heddle::interpret
