// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions the model has to look into: those that read or write cells or the places of handles, lock, start and
// join threads, end the thread or the program, do what nobody understands, hold an access that a warning is about, or
// call such a function.
#pragma once
#include <set>
#include <vector>

#include "judge/thread_graphs/model.h"
#include "judge/thread_model/names.h"

namespace heddle::judge::transaction {

/// Calling it changes nothing that the model knows but memory: nobody is waited for, started or kept out.
[[nodiscard]] bool is_plain(const api::Model& model);

/// By function. `names`: its cells count; none: all memory of single objects does.
[[nodiscard]] std::vector<bool> relevant_functions(const Program& program, const api::ApiModels& models,
                                                   const PointedMemory& memory, const Names* names,
                                                   const std::set<Place>& places);

}  // namespace heddle::judge::transaction
