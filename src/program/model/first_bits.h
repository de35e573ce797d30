// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in a variable when the program begins, as a number.
#pragma once
#include <optional>

#include "program/model/program.h"

namespace heddle {

/// Up to eight bytes in the order of the machine, without a sign. None: the variable is defined elsewhere, the bytes
/// are not all in it, or an address is among them.
[[nodiscard]] inline std::optional<std::uint64_t> first_bits(const Program& program, const Global& global,
                                                             std::int64_t offset, std::uint64_t bytes) {
  const auto begin = static_cast<std::uint64_t>(offset);
  if (global.is_declaration() || bytes == 0 || bytes > 8 || offset < 0 || begin + bytes > global.size)
    return std::nullopt;
  for (const Relocation& word : global.relocations)
    if (word.offset < begin + bytes && begin < word.offset + word.size) return std::nullopt;
  std::uint64_t out = 0;
  for (std::uint64_t i = 0; i < bytes && begin + i < global.bytes.size(); ++i)
    out |= std::uint64_t{global.bytes[begin + i]} << (8 * (program.layout.little_endian ? i : bytes - 1 - i));
  return out;
}

}  // namespace heddle
