// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading: from a Core whose image is empty to one whose main thread stands before its first instruction. Functions and
// globals get addresses, globals their initial bytes, the code is decoded, objects of the library that the program
// names (stdin, std::cout, virtual tables of exceptions) are made.
#pragma once
#include "api/models/api_models.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

void set_up(Core& core, const api::ApiModels& models);

}  // namespace heddle::interpret
