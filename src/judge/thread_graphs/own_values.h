// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OwnValues: what a thread's own values can be, whenever others write what they can write. Edges that no such value
// lets it take go:
//
//   for (i = 0; i < 16; i++) tty->buffer[i] = c;      never a write to what lies behind `buffer`
#pragma once
#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Of a model that is not finished.
void drop_impossible_edges(Model& model);

}  // namespace heddle::judge::transaction
