// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

#include "race/access.h"

namespace heddle::race {

/// Two accesses that a driver could not keep apart: they may touch the same bytes, one of them writes, not both are
/// atomic, their threads may run at the same time, and no lock that both surely hold excludes one of them (RELAY §3.4).
/// One warning stands for a pair of program locations.
struct Warning {
  Access first;  ///< a write
  Access second;
  std::uint32_t number = 0;  ///< the driver's own, for its Evidence
};

/// The same two places, in either order.
inline bool is_same_pair(const Warning& a, const Warning& b) {
  return (is_same_place(a.first, b.first) && is_same_place(a.second, b.second)) ||
         (is_same_place(a.first, b.second) && is_same_place(a.second, b.first));
}

}  // namespace heddle::race
