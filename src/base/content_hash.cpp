// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/content_hash.h"

#include <array>
#include <cstring>

namespace heddle {

Hasher& Hasher::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t take = text.size() < sizeof word ? text.size() : sizeof word;
    std::memcpy(&word, text.data(), take);
    add(word);
    text.remove_prefix(take);
  }
  return *this;
}

std::string ContentHash::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t word : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[(word >> shift) & 15];
  return out;
}

}  // namespace heddle
