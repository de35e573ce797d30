// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that is only ever one of a few numbers, as one for each number: 1 if it is that one, 0 if not. So domains
// of convex sets can tell what belongs to which number.
//
//   state := FULL           state is FREE := 0; state is FULL := 1; state is DRAINING := 0
//   [state != FULL]         [state is FULL = 0]
#pragma once
#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Of a model that is not numbered yet (finish_model.h). False: there is no such variable.
bool take_numbers_apart(Model& model);

}  // namespace heddle::judge::transaction
