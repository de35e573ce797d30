// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project says how its files are compiled, and nobody has read that before heddle does. So the clang inside of us
// reads files and writes none, and loads no code, whatever its arguments are. Two gates, one behind the other:
//
//   of the driver      what acts while arguments are still being read (-MJ, --config, …) is left out; arguments that
//   are
//                      handed on unread (-Xclang, -Wp, …) must be on a list of harmless ones
//   of the compiler    every option that names an output, a log, a cache or a plug-in is emptied
//
// Worker processes have a third one, which the kernel keeps (host/confine.h).
#pragma once
#include <clang/Frontend/CompilerInvocation.h>

#include <string>
#include <vector>

namespace heddle::frontend {

/// The driver's arguments, [0] its path, without those that could do more than read; these go to `dropped`.
std::vector<std::string> without_side_effects(const std::vector<std::string>& arguments,
                                              std::vector<std::string>& dropped);

/// Nothing is written and nothing is loaded, whatever the arguments said.
void keep_in_memory(clang::CompilerInvocation& invocation);

}  // namespace heddle::frontend
