// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle depend`: programs of tasks and interrupts. So far its first stage: which entries there are, and who can
// interrupt whom.
//
//   load → models, with the profile `firmware` → OIL file → depend/system/system.h → words
#pragma once
#include "pipeline/load.h"

namespace heddle::pipeline {

struct DependOptions {
  std::string oil;  ///< an OSEK OIL file; empty: the one that heddle.toml names, if any
  bool as_json = false;
};

/// What `heddle depend --entries` prints. Errors are bad input (exit code 2).
Result<std::string> depend_entries(const Input& input, const DependOptions& options, const Tell& tell = {});

}  // namespace heddle::pipeline
