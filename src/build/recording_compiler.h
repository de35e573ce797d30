// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle cc`: stands in for a compiler in a build that should leave commands, not objects. A compile step (`-c`) of a
// C or C++ file is logged, and gets an empty object file (unless an earlier build left one) and its dependency file;
// everything else is for the real compiler: questions, -E, -S, assembly, links, and the checks of configure scripts,
// whose answer matters.
//
//   heddle capture -- make -k CC='heddle cc'
#pragma once
#include <string>
#include <vector>

namespace heddle::build {

/// True: logged, and its outputs were written. False: let the real compiler run. `arguments` begin with the compiler as
/// it was called, `real` is the program that can be started for it.
bool record_compile_step(const std::vector<std::string>& arguments, const std::string& real, const std::string& log);

/// Where the empty objects of one log are kept, one for each machine: beside it.
std::string empty_objects_folder(const std::string& log);

}  // namespace heddle::build
