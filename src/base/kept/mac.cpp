// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/kept/mac.h"

#include <bit>
#include <cstring>

namespace heddle::kept {
namespace {

/// The state in registers while a text is read.
struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32);
    v2 += v1;
    v0 += v3;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  std::uint64_t result() {
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

/// The bytes of a file mean the same on every machine.
std::uint64_t word_at(const char* at, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, size);
  return std::endian::native == std::endian::little ? word : std::byteswap(word);
}

}  // namespace

Mac::Mac(const MacKey& key)
    : v0_(key.first ^ 0x736f6d6570736575ULL),
      v1_(key.second ^ 0x646f72616e646f6dULL ^ 0xee),  // 0xee: 128 bits are wanted
      v2_(key.first ^ 0x6c7967656e657261ULL),
      v3_(key.second ^ 0x7465646279746573ULL) {}

Mac& Mac::add(std::uint64_t word) {
  State s{v0_, v1_, v2_, v3_};
  s.take(word);
  v0_ = s.v0, v1_ = s.v1, v2_ = s.v2, v3_ = s.v3;
  ++count_;
  return *this;
}

Mac& Mac::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  State s{v0_, v1_, v2_, v3_};
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), at += sizeof(std::uint64_t))
    s.take(word_at(at, sizeof(std::uint64_t)));
  if (left != 0) s.take(word_at(at, left));
  v0_ = s.v0, v1_ = s.v1, v2_ = s.v2, v3_ = s.v3;
  count_ += (text.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
  return *this;
}

ContentHash Mac::finish() const {
  State s{v0_, v1_, v2_, v3_};
  // SipHash's last word: the number of bytes, of which it takes the lowest eight bits, above what is left of them.
  s.take((count_ * sizeof(std::uint64_t)) << 56);
  s.v2 ^= 0xee;
  const std::uint64_t first = s.result();
  s.v1 ^= 0xdd;
  return {first, s.result()};
}

}  // namespace heddle::kept
