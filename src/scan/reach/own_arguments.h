// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of which each instance is given another argument, as far as the places show that start them:
//
//   for (i = 0; i < n; i++) create(&t[i], work, &slot[i]);      by the counter of the loop
//   for (s = all; s; s = s->next) create(&s->t, work, s);       by the element of a list
//   create(&a, work, &left);  create(&b, work, &right);         by the place
//
// A doubt rests on it (`OwnArgument`), no proof: a loop may begin again.
#pragma once
#include <vector>

#include "scan/reach/reach.h"

namespace heddle::scan {

/// Sets Root::owns_argument of those.
void find_own_arguments(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach);

}  // namespace heddle::scan
