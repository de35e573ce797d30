// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that reads what nobody has looked at yet gives up, before it does so, what it does not need: from then on
// the kernel lets it write, make and remove files below the given folders only, and start no program (Landlock, Linux
// 5.13 and later).
//
//   if (!confine_to({"/home/me/project/.heddle"})) …the kernel has no Landlock; go on without
#pragma once
#include <string>
#include <vector>

namespace heddle::host {

/// For this process and those it starts, for good. False: the kernel cannot, or something else refused; nothing is
/// confined then.
bool confine_to(const std::vector<std::string>& folders);

}  // namespace heddle::host
