// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle explain VARIABLE`: what was considered for a variable, and what separates each pair. Nothing of it is kept by
// other commands: the static stages run again, and the pairs of this variable are asked for.
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
