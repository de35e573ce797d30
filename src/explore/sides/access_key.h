// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an AccessKey means in an interpreted program: a function and an instruction, as one number. All accesses of an
// instruction have the same.
#pragma once
#include <optional>
#include <utility>

#include "explore/executor/deed.h"
#include "program/model/program.h"

namespace heddle::explore {

inline AccessKey key_of(FunctionId function, std::uint32_t instruction) {
  return function.valid() ? (AccessKey{function.index()} << 32U) | instruction : no_access;
}

/// Nothing: the access has no place.
inline std::optional<std::pair<FunctionId, std::uint32_t>> place_of(AccessKey key) {
  if (key == no_access) return std::nullopt;
  return std::pair(FunctionId(static_cast<std::uint32_t>(key >> 32U)), static_cast<std::uint32_t>(key));
}

}  // namespace heddle::explore
