// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>

#include "depend/judge/settle.h"
#include "depend/risk/triples.h"

namespace heddle::pipeline {

/// What is shown of a system, in whatever form.
struct TriplesShown {
  const Program& program;
  const depend::System& system;
  const depend::Triples& triples;
  const std::vector<depend::Verdict>& verdicts;  ///< one for each triple, or none: nothing was run

  [[nodiscard]] const depend::Verdict* verdict(std::size_t triple) const {
    return triple < verdicts.size() ? &verdicts[triple] : nullptr;
  }
};

}  // namespace heddle::pipeline
