// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A FunctionSummary in words, for `heddle ir --summaries`: what a caller sees of the function.
//
//   airo_read_stats  airo.c:12
//     exit   locks +{ai->lock}
//     ai->pwr.ev: read at airo.c:14
//     ai->stats.rx_p  +{ai->lock}: write at airo.c:16; 3 accesses through airo_copy at airo.c:17
//     starts worker at airo.c:20, many
//
// `+{…}` are locks the function took and still holds there, `-{…}` those of its callers that it gave back, `(settled)`
// a group that no caller can say more of. The form is for people and may change.
#pragma once
#include <iosfwd>
#include <span>

#include "program/model/program.h"
#include "scan/summary/function_summary.h"

namespace heddle::scan {

/// `summaries`: by FunctionId. Functions without a body are left out.
void print_summaries(std::ostream& out, const Program& program, std::span<const FunctionSummary> summaries);

}  // namespace heddle::scan
