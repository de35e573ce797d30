// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions in which threads begin, and which nobody calls: the first parameter is what the creator gave, for all of
// the thread's life. By function.
#pragma once
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::explore {

[[nodiscard]] std::vector<bool> only_entries(const Program& program, const api::ApiModels& models);

}  // namespace heddle::explore
