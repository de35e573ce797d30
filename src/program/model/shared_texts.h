// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string_view>
#include <unordered_set>

#include "base/arena.h"

namespace heddle {

/// Copies texts into an arena, each once.
class SharedTexts {
 public:
  explicit SharedTexts(Arena& arena) : arena_(arena) {}
  std::string_view keep(std::string_view text) {
    if (text.empty()) return {};
    if (const auto it = known_.find(text); it != known_.end()) return *it;
    return *known_.insert(arena_.text(text)).first;
  }

 private:
  Arena& arena_;
  std::unordered_set<std::string_view> known_;  // only looked up
};

}  // namespace heddle
