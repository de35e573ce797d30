// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of numbers that is asked and emptied very often: no allocation an element, and clear() costs nothing.
//
//   NumberSet seen;
//   if (seen.insert(name)) …
#pragma once
#include <cstdint>
#include <vector>

namespace heddle {

class NumberSet {
 public:
  /// Whether it is new.
  bool insert(std::uint64_t number) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = slots_[find(slots_, number)];
    if (slot.round == round_) return false;
    slot = {number, round_};
    ++size_;
    return true;
  }
  [[nodiscard]] bool contains(std::uint64_t number) const {
    return size_ != 0 && slots_[find(slots_, number)].round == round_;
  }
  void clear() {
    size_ = 0;
    if (++round_ != 0) return;
    slots_.assign(slots_.size(), {});  // after four thousand million rounds
    round_ = 1;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t number = 0;
    std::uint32_t round = 0;  ///< in which it was put there
  };

  [[nodiscard]] std::size_t find(const std::vector<Slot>& slots, std::uint64_t number) const {
    std::uint64_t at = number * 0x9e3779b97f4a7c15ULL;
    at ^= at >> 32;
    const std::size_t mask = slots.size() - 1;
    while (slots[at & mask].round == round_ && slots[at & mask].number != number) ++at;
    return at & mask;
  }
  void grow() {
    std::vector<Slot> larger(slots_.empty() ? 64 : 2 * slots_.size());
    for (const Slot& slot : slots_)
      if (slot.round == round_) larger[find(larger, slot.number)] = slot;
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;  ///< a power of two of them
  std::size_t size_ = 0;
  std::uint32_t round_ = 1;
};

}  // namespace heddle
