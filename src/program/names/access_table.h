// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the numbers mean that the hooks of an instrumented program hand over (runtime/heddle_runtime.h): one row per
// access, as a text file beside the program.
//
//   heddle accesses 1
//   5f1c0a…  write      src/ring.c  41  12  ring_put  r->slots[i].len
//   93a0b2…  call-read  src/ring.c  44  3   ring_put  r->name
//
// Fields are separated by tabs, rows sorted by number. Both constructors of a class share their rows, as they share
// their source text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle {

struct AccessRow {
  std::uint64_t number = 0;  ///< access_number() of its name
  std::string kind = {};     ///< as in the name: `write`, `update`, `call-read`
  std::string file = {};     ///< empty: made by the compiler, without a place
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string function = {};
  std::string path = {};  ///< what the source calls the memory; empty if it does not say

  friend auto operator<=>(const AccessRow&, const AccessRow&) = default;
};

class AccessTable {
 public:
  /// A number that is there already stays as it is.
  void add(AccessRow row) { rows_.push_back(std::move(row)); }
  /// Sorts; call once after the last add.
  void finish();

  [[nodiscard]] const AccessRow* find(std::uint64_t number) const;
  [[nodiscard]] const std::vector<AccessRow>& rows() const { return rows_; }

  [[nodiscard]] std::string to_text() const;
  /// `name` is for messages.
  static Result<AccessTable> from_text(std::string_view text, const std::string& name);

 private:
  std::vector<AccessRow> rows_;
};

}  // namespace heddle
