// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TouchedBytes: which bytes somebody read and which they wrote, as sorted ranges that do not meet.
//
//   TouchedBytes a; a.add({x, 4}, false); a.add({x + 4, 4}, false);    reads x to x + 8
//   a.conflicts_with(b)                                                both have a byte that one of them wrote
#pragma once
#include <vector>

#include "base/content_hash.h"
#include "explore/executor/deed.h"

namespace heddle::explore {

class TouchedBytes {
 public:
  void add(const Bytes& bytes, bool is_write) { insert(is_write ? writes_ : reads_, bytes); }
  void add(const TouchedBytes& other);
  void add_to(Hasher& hasher) const;
  [[nodiscard]] bool empty() const { return reads_.empty() && writes_.empty(); }
  [[nodiscard]] bool conflicts_with(const TouchedBytes& other) const;
  /// Whether both have a byte, whatever was done with it.
  [[nodiscard]] bool meets(const TouchedBytes& other) const;

 private:
  using Ranges = std::vector<Bytes>;  // ascending, with gaps between them
  static void insert(Ranges& ranges, const Bytes& bytes);
  static bool meet(const Ranges& a, const Ranges& b);

  Ranges reads_, writes_;
};

}  // namespace heddle::explore
