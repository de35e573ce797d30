// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

#include "program/model/type.h"

namespace heddle {

/// Bytes that a load or a store of the type touches. A bit-field of 24 bits has four bytes for itself and uses three of
/// them, an x86_fp80 has sixteen and uses ten: the others may belong to somebody else.
[[nodiscard]] inline std::uint64_t accessed_bytes(const Type& type) {
  const bool is_scalar = type.kind == TypeKind::Int || type.kind == TypeKind::Float;
  return is_scalar && type.value_bits != 0 ? (type.value_bits + 7) / 8 : type.size_bytes();
}

}  // namespace heddle
