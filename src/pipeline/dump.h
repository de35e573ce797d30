// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two drivers know, printed: `heddle ir --states` and `heddle ir --summaries`. For people who want to see why
// a verdict came out as it did; the form may change.
#pragma once
#include <iosfwd>

#include "pipeline/load.h"

namespace heddle::pipeline {

/// The summary of every function, as a scan makes it.
Result<void> dump_summaries(std::ostream& out, const Input& input, const Loaded& loaded);
/// The states at the beginning of every block of every function, in every calling context, as verify sees them.
Result<void> dump_states(std::ostream& out, const Input& input, const Loaded& loaded);

}  // namespace heddle::pipeline
