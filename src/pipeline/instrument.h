// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page in front of running a program natively: sources or a captured project become an executable with hooks
// (project/native/build_instrumented.h).
#pragma once
#include <map>
#include <string>

#include "pipeline/load.h"
#include "project/native/build_instrumented.h"

namespace heddle::pipeline {

Result<project::NativeProgram> instrument(const Input& input, const project::NativeOptions& how);

/// What the instrumented program could have done at each branch, for the driver (explore/executor/side_table.h).
struct SidesFile {
  std::string path;      ///< in the folder
  std::string obstacle;  ///< why nothing may rest on it: there is no file then
  std::uint64_t unknown_calls = 0;
  std::map<std::string, std::size_t> unknown_sides;  ///< why branches may do anything, how many each
};
Result<SidesFile> write_sides(const Input& input, const std::string& folder);

}  // namespace heddle::pipeline
