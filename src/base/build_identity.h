// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

namespace heddle {

/// Which build of heddle this is: the build id that the linker gave the program, in hex. Two builds that differ in code
/// differ here, so what one keeps on disk is not taken for what the other would make. Empty if the program has none.
std::string build_identity();

}  // namespace heddle
