// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SideTable: what OtherSides has to know of a program's code, in numbers only. It is made from the Program when a
// program gets its hooks (sides/table_of_sides.h), lies beside the program as a text file, and is read by the driver
// inside of the running program, which knows no code.
//
//   heddle sides 3
//   symbol x 4                         addresses of globals are `symbol + offset` until the program runs
//   origin …   side …                  as other_sides.h has them, numbered in order
//   access KEY …                       of each access: on what its address depends, where it may lead
//   branch PLACE FUNCTION MEETING …    by the value that decided: the side that holds what else could have run
//   ask PLACE …                        library calls that need not answer the same in another execution
//
// What has no row here is not known: it may lead anywhere and do anything.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explore/executor/other_sides.h"

namespace heddle::explore {

struct SideTable {
  static constexpr std::uint32_t no_side = ~std::uint32_t{0};

  struct Symbol {
    std::string name;
    std::uint64_t size = 0;  ///< 0: a function
  };
  struct AccessFacts {
    AccessKey key = no_access;
    std::uint32_t origin = 0;
    bool is_answer = false;
    std::vector<Region> regions;
  };
  struct Way {
    std::uint64_t value = 0;  ///< of the condition; of a call: the number of the symbol that was called
    std::uint32_t side = no_side;
  };
  struct Branch {
    std::uint64_t place = 0;
    std::uint64_t function = 0;
    std::uint64_t meeting = 0;
    bool is_call = false;
    std::uint32_t otherwise = no_side;  ///< for other values
    std::vector<Way> ways;
  };
  struct Ask {
    std::uint64_t place = 0;
    bool calls_back = false;        ///< to nobody knows whom
    bool is_unknown = false;        ///< nobody knows what it does
    AccessKey written = no_access;  ///< what it writes
  };

  std::string obstacle;
  std::uint64_t unknown_calls = 0;                   ///< places where a function is called that nobody knows
  std::map<std::string, std::size_t> unknown_sides;  ///< why sides may do anything, how many each; not in the text
  std::vector<Symbol> symbols;
  std::vector<Origin> origins;
  std::vector<Side> sides;
  std::vector<AccessFacts> accesses;  ///< sorted by key
  std::vector<Branch> branches;       ///< sorted by place
  std::vector<Ask> asks;              ///< sorted by place

  [[nodiscard]] std::string to_text() const;
  /// `name` is for messages.
  static Result<SideTable> from_text(std::string_view text, const std::string& name);
};

/// The address `offset` bytes behind a symbol whose place is not known yet.
std::uint64_t symbol_address(std::size_t symbol, std::int64_t offset);
struct SymbolPlace {
  std::size_t symbol = 0;
  std::int64_t offset = 0;
};
/// Nothing: it is no such address.
std::optional<SymbolPlace> symbol_place(std::uint64_t address, std::size_t symbols);

}  // namespace heddle::explore
