// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of linking: what was resolved (link_symbols.h) is copied into one Program, with ids of its own.
#pragma once
#include <string>
#include <vector>

#include "program/link/link_symbols.h"
#include "program/model/program.h"

namespace heddle {

/// For each unit, what its functions and globals are in the linked Program, and which of them are copied there.
struct SymbolIds {
  struct Row {
    Operand symbol;        ///< in the linked Program
    bool is_kept = false;  ///< it is this unit's own that is copied
  };
  std::vector<std::vector<Row>> functions;
  std::vector<std::vector<Row>> globals;

  /// None if the function became a variable, which some odd C allows.
  [[nodiscard]] FunctionId of(std::uint32_t unit, FunctionId function) const {
    const Operand symbol = functions[unit][function.index()].symbol;
    return symbol.is_function() ? symbol.as_function() : FunctionId();
  }
};

/// Makes a row for every symbol that stays, with its name and what all units say about it.
SymbolIds declare_symbols(const std::vector<Program>& units, const std::vector<std::string>& labels,
                          const Resolution& resolution, Program& out);

/// Fills those rows. Units are given back to the system one by one.
void copy_units(std::vector<Program> units, const SymbolIds& ids, Program& out);

}  // namespace heddle
