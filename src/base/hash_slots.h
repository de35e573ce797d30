// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HashSlots: a hash table of numbers from 1 on, whose meaning only its owner knows: rows of a table, say. It keeps
// nothing but the numbers (open addressing, at most half full), so rows are compared where they lie.
//
//   slots.make_room(rows.size(), [&](std::uint32_t n) { return hash(rows[n - 1]); });
//   std::uint32_t& slot = slots.find(hash(row), [&](std::uint32_t n) { return rows[n - 1] == row; });
//   if (slot == 0) { rows.push_back(row); slot = rows.size(); }
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

/// Mixes one more word into a hash, which may be a word too. The order counts: equal words do not cancel out.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (std::rotl(hash, 23) + word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

class HashSlots {
 public:
  /// For one number more than 1 to `count`, which are all in it.
  template <class HashOf>
  void make_room(std::size_t count, HashOf&& hash_of) {
    if (2 * (count + 1) <= slots_.size()) return;
    constexpr std::size_t fewest = 64;
    slots_.assign(slots_.empty() ? fewest : slots_.size() * 2, 0);
    for (std::uint32_t number = 1; number <= count; ++number)
      find(hash_of(number), [](std::uint32_t) { return false; }) = number;
  }
  /// The slot of the number of that hash for which `is_it`; if there is none, a free one (0), for it to be put there.
  template <class IsIt>
  [[nodiscard]] std::uint32_t& find(std::uint64_t hash, IsIt&& is_it) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash ^ (hash >> 32)) & mask;
    while (slots_[at] != 0 && !is_it(slots_[at])) at = (at + 1) & mask;
    return slots_[at];
  }
  /// Small again, so that emptying a table that was large once costs nothing; its memory stays.
  void clear() { slots_.clear(); }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> slots_;  ///< a power of two of them; 0: free
};

}  // namespace heddle
