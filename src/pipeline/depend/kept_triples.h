// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules of confirmed triples in files (race/schedule.h), and such a file once more.
//
//   heddle depend speed.c --keep DIR     DIR/speed-R5-W13-R6.schedule
//   heddle replay DIR/speed-R5-W13-R6.schedule
#pragma once
#include "depend/risk/triples.h"
#include "pipeline/depend/depend.h"
#include "race/schedule.h"

namespace heddle::pipeline {

/// One file for each confirmed triple in `options.kept`, which is made if there is no such folder. The stories end with
/// how to see them again.
Result<void> keep_triples(const Input& input, const DependOptions& options, const Program& program,
                          const depend::System& system, const depend::Triples& triples,
                          std::vector<depend::Verdict>& verdicts);

/// The story of a schedule that ends in a triple, run `times` times from the start. `file` is for messages.
Result<std::string> replay_triple(const race::Schedule& schedule, const std::string& file, std::uint64_t times,
                                  const Tell& tell);

}  // namespace heddle::pipeline
