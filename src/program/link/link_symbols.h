// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which definition each symbol of each unit stands for: the part of linking (link.h) that knows the rules.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "program/link/link.h"
#include "program/model/program.h"

namespace heddle {

/// A function or global of a unit.
struct SymbolRow {
  std::uint32_t unit = 0;
  Operand symbol;
  friend bool operator==(SymbolRow, SymbolRow) = default;
};

struct Resolution {
  /// For each unit and each of its functions and globals, the row that it stands for; itself if it is kept.
  std::vector<std::vector<SymbolRow>> functions;
  std::vector<std::vector<SymbolRow>> globals;
  std::unordered_set<std::string_view>
      ambiguous;  ///< names that mean different things in different units; looked up only
  std::vector<LinkConflict> conflicts;

  [[nodiscard]] SymbolRow& operator[](SymbolRow row) {
    return (row.symbol.is_function() ? functions : globals)[row.unit][row.symbol.index()];
  }
  [[nodiscard]] SymbolRow operator[](SymbolRow row) const {
    return (row.symbol.is_function() ? functions : globals)[row.unit][row.symbol.index()];
  }
};

Resolution resolve_symbols(const std::vector<Program>& units, const std::vector<std::string>& labels);

/// Lets internal functions of headers that are the same in several units stand for the first of them.
void share_inline_functions(const std::vector<Program>& units, Resolution& resolution);

}  // namespace heddle
