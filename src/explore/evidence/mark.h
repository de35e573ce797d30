// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mark: what a slice of a schedule did, in one number. The AccessIds of its steps are folded in, in their order, and
// nothing else: no addresses and no values, so the mark is the same wherever the program lies in memory. A replay whose
// marks differ went another way than the run that the schedule was made of. runtime/real_script.c does the same in C.
#pragma once
#include <cstdint>

namespace heddle::explore {

class Mark {
 public:
  void add(std::uint64_t access) {
    value_ = (value_ ^ access) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32;
  }
  /// Never 0.
  [[nodiscard]] std::uint64_t value() const { return value_ | 1; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

}  // namespace heddle::explore
