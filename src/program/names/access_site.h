// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of a function where it touches memory itself: loads, stores, atomics, block copies and fills, arguments
// passed by value. What a called function does is not listed here. A copy gives two sites, the write first.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "program/model/program.h"
#include "program/names/access_kind.h"

namespace heddle {

struct AccessSite {
  std::size_t instruction = 0;
  AccessKind kind = AccessKind::Read;
  std::uint32_t address_operand = 0;  ///< which operand of the instruction is the address
  std::optional<std::uint64_t> size;  ///< bytes; none if known at run time only
  bool is_atomic = false;
  bool is_volatile = false;
  friend bool operator==(const AccessSite&, const AccessSite&) = default;
};

/// In instruction order.
std::vector<AccessSite> access_sites(const Program& program, const Function& function);
std::vector<AccessSite> access_sites(const Program& program, const Function& function, std::size_t instruction);

}  // namespace heddle
