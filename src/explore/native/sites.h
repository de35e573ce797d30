// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sites: what the source says of each hook of an instrumented program, by the number that the hook carries. The table
// is written when the program is built (instrument/) and read by the driver.
//
//   5f1c03a2b9d87e10 <tab> write <tab> src/ring.c <tab> 41 <tab> 12 <tab> ring_put <tab> r->head
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "explore/executor/deed.h"

namespace heddle::explore {

struct Site {
  std::string kind;  ///< of the access: "write", "call-read"
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function;
  std::string path;  ///< what it accesses, as the source writes it; empty: not known
};

class Sites {
 public:
  static Result<Sites> read(const std::string& file);
  static Result<Sites> parse(const std::string& text, const std::string& name);

  [[nodiscard]] const Site* find(AccessKey key) const;
  /// `file:line:column`.
  [[nodiscard]] std::string where(AccessKey key) const;

 private:
  std::unordered_map<AccessKey, Site> sites_;
};

}  // namespace heddle::explore
