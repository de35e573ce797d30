// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that main sets before it starts anybody, and nobody afterwards: they are what main made of them. And what
// is handed to a thread, if it is always the same.
//
//   tty->port = &ports[0]; pthread_create(…, run, tty); …     in the threads, `tty->port` is `&ports[0]`
#pragma once
#include <set>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Of a model that is not finished. `arguments`: its variables that are handed over.
void replace_settled_variables(Model& model, const std::set<VariableIndex>& arguments);

/// Of threads that there are several of, each takes what it is handed when it begins: later it belongs to another one.
void take_arguments_at_begin(Model& model, const std::set<VariableIndex>& arguments);

}  // namespace heddle::judge::transaction
