// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle explain VARIABLE` or `heddle explain FILE:LINE`: what was considered for a variable, or for the accesses of a
// line, and what separates each pair. Nothing of it is kept by other commands: the static stages run again.
#pragma once
#include "pipeline/load.h"
#include "pipeline/verify.h"
#include "report/variable_report.h"

namespace heddle::pipeline {

enum class Driver { TopDown, Scan };

/// Errors are bad input (exit code 2). A program without a main, or too large for the top-down driver, is scanned.
Result<VariableReport> explain_variable(const Input& input, const std::string& variable, Driver driver,
                                        const VerifyOptions& options, const Tell& tell = {});

}  // namespace heddle::pipeline
