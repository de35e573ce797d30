// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triples for people: by variable, what is most likely to matter first, a few of each.
//
//   speed<R#5>,<W#13>,<R#6>
//       'task' (task, priority 1), interrupted by 'isr' (interrupt 3, priority 2)
//       task.c:5 in 'task'; isr.c:13 in 'isr'; task.c:6 in 'task'
//       confirmed
//         'task' begins
//         …
//   4 more of 'speed'
#pragma once
#include <string>
#include <vector>

#include "depend/judge/settle.h"
#include "depend/risk/triples.h"

namespace heddle::pipeline {

/// `verdicts`: one for each triple, or none: nothing was run. `all`: nothing is left out.
std::string triples_screen(const Program& program, const depend::System& system, const depend::Triples& triples,
                           const std::vector<depend::Verdict>& verdicts, bool all);

}  // namespace heddle::pipeline
