// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions the model has to look into: those that touch followed memory, lock, start and join threads, end the
// thread or the program, do what nobody understands, hold an access that a warning is about, or call such a function.
#pragma once
#include <set>
#include <vector>

#include "judge/transaction/followed_memory.h"
#include "judge/transaction/model.h"

namespace heddle::judge::transaction {

/// Calling it changes nothing that the model knows: nobody is waited for, started or kept out.
[[nodiscard]] bool is_plain(const api::Model& model);

/// By function.
[[nodiscard]] std::vector<bool> relevant_functions(const Program& program, const api::ApiModels& models,
                                                   const FollowedMemory& memory, const std::set<Place>& places);

}  // namespace heddle::judge::transaction
