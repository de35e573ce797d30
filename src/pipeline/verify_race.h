// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle verify --race ID`: decides one warning of a scan.
//
//   scan: which two accesses are meant → top-down analysis: do they meet? → judges, for this race alone → words
//
// The verdict of the report is the one of this race: `race` when a run showed it, `race-free` when the analysis of the
// whole program has no such pair or a proof covers it, else `unknown`. Other races neither help nor stand in the way of
// the first; the analysis that excludes it is the same as without --race, so what stops that stops this too.
#pragma once
#include "pipeline/verify.h"

namespace heddle::pipeline {

/// `options.race`: an ID or its beginning. Errors are bad input (exit code 2): no warning has it, or several.
Result<RaceReport> verify_race(const Input& input, const Loaded& loaded, const api::ApiModels& models,
                               const VerifyOptions& options, const Tell& tell);

}  // namespace heddle::pipeline
