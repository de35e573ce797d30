// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model as text, for those who look for a mistake in it:
//
//   busy = 0
//   thread worker
//     2* -> 3: take m; [busy = 0]; busy := 1; give m
#pragma once
#include <string>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

[[nodiscard]] std::string text_of(const Model& model);

}  // namespace heddle::judge::transaction
