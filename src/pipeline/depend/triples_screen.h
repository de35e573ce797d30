// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Triples for people: by variable, what is most likely to matter first, a few of each.
//
//   speed<R#5>,<W#13>,<R#6>
//       two reads of 'speed' may find different values
//       'task' (task, priority 1), interrupted by 'isr' (interrupt 3, priority 2)
//       task.c:5 in 'task'; isr.c:13 in 'isr'; task.c:6 in 'task'
//       interval: task, from line 5 to line 6
//       fix: read 'speed' once into a local copy and use that; …
//       confirmed
//         'task' begins
//         …
//   4 more of 'speed'
#pragma once
#include <string>

#include "pipeline/depend/triples_shown.h"

namespace heddle::pipeline {

/// `all`: nothing is left out.
std::string triples_screen(const TriplesShown& shown, bool all, std::size_t width);

}  // namespace heddle::pipeline
