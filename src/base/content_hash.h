// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <bit>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

/// 128 bits that name a content. Not cryptographic: collisions are an accident of 2^-64, not an attack we defend
/// against.
struct ContentHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const ContentHash&, const ContentHash&) = default;
  [[nodiscard]] std::string hex() const;
};

/// Feeds bytes, integers and strings into a ContentHash. Lengths are hashed too, so "ab","c" differs from "a","bc".
class Hasher {
 public:
  Hasher& add(std::uint64_t word) {
    a_ = mix(a_ ^ word) + std::rotl(b_, 23);
    b_ = mix(b_ + std::rotl(word, 31) + 0x165667b19e3779f9ULL) ^ a_;
    ++count_;
    return *this;
  }
  Hasher& add(std::string_view text);
  [[nodiscard]] ContentHash finish() const { return {mix(a_ ^ count_), mix(b_ + std::rotl(a_, 17) + count_)}; }

 private:
  [[nodiscard]] static constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    return x ^ (x >> 32);
  }

  std::uint64_t a_ = 0x9e3779b97f4a7c15ULL;
  std::uint64_t b_ = 0xc2b2ae3d27d4eb4fULL;
  std::uint64_t count_ = 0;
};

}  // namespace heddle
