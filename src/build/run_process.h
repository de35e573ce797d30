// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another program, run to its end with its output in memory: how compilers are asked what they are.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::build {

struct ProcessResult {
  int status = 0;  ///< exit status; 128 + signal if it was killed
  std::string output;
  std::string errors;
};

/// With an empty standard input, in folder `directory` (empty: ours), in the C locale, not watched by our preload
/// library. The program is looked up in PATH. Output beyond 16 MB is cut; a program that needs longer than a minute is
/// killed, with what it started, and so is one that `stopped` gives up. What it leaves running behind it is not waited
/// for. An error: it could not be started, or what it wrote could not be read.
Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const std::string& directory,
                                  const std::function<bool()>& stopped = {});

/// As exec and spawn want them: pointers into the strings, ended by a null.
std::vector<char*> pointers_to(std::vector<std::string>& strings);

}  // namespace heddle::build
