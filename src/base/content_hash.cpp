// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/content_hash.h"

#include <array>
#include <bit>
#include <cstring>

namespace heddle {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  return x ^ (x >> 32);
}

}  // namespace

Hasher& Hasher::add(std::uint64_t word) {
  a_ = mix(a_ ^ word) + std::rotl(b_, 23);
  b_ = mix(b_ + std::rotl(word, 31) + 0x165667b19e3779f9ULL) ^ a_;
  ++count_;
  return *this;
}

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

ContentHash Hasher::finish() const { return {mix(a_ ^ count_), mix(b_ + std::rotl(a_, 17) + count_)}; }

std::string ContentHash::hex() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t word : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[(word >> shift) & 15];
  return out;
}

}  // namespace heddle
