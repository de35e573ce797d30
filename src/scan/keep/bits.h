// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

namespace heddle::scan {

/// A number or an enumerator as it is hashed and kept on disk.
template <class Number>
constexpr std::uint64_t bits(Number number) {
  return static_cast<std::uint64_t>(number);
}

}  // namespace heddle::scan
