// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page in front of running a program natively: sources or a captured project become an executable with hooks
// (project/native/build_instrumented.h).
#pragma once
#include "pipeline/load.h"
#include "project/native/build_instrumented.h"

namespace heddle::pipeline {

Result<project::NativeProgram> instrument(const Input& input, const project::NativeOptions& how);

}  // namespace heddle::pipeline
