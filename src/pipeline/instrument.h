// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page in front of running a program natively: sources or a captured project become an executable with hooks
// (project/native/build_instrumented.h).
#pragma once
#include "pipeline/load.h"
#include "project/native/build_instrumented.h"

namespace heddle::pipeline {

Result<project::NativeProgram> instrument(const Input& input, const project::NativeOptions& how);

/// What the instrumented program could have done at each branch, for the driver (explore/executor/side_table.h): a file
/// in `folder`, whose path is the result.
Result<std::string> write_sides(const Input& input, const std::string& folder);

}  // namespace heddle::pipeline
