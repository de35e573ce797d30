// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mac: 128 bits over words and texts that nobody can compute who does not have the key: SipHash-2-4 with its output of
// 128 bits (Aumasson, Bernstein: SipHash, 2012).
//
//   Mac(key).add("project.json").add(content).finish()
//
// Fed as a Hasher is: a text counts with its length, so "ab","c" differs from "a","bc".
#pragma once
#include <cstdint>
#include <string_view>

#include "base/content_hash.h"

namespace heddle::kept {

struct MacKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

class Mac {
 public:
  explicit Mac(const MacKey& key);
  Mac& add(std::uint64_t word);
  Mac& add(std::string_view text);
  [[nodiscard]] ContentHash finish() const;

 private:
  std::uint64_t v0_, v1_, v2_, v3_;
  std::uint64_t count_ = 0;
};

}  // namespace heddle::kept
