// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AccessId: one access of the program, as a number. It is the same in every stage and in an instrumented program, where
// it is a constant argument of the hook, for one state of the sources: a hash of its name
// (program/names/access_name.h).
//
//   AccessId{0x5f1c…}   ring_put@src/ring.c:41:12:write:0
//
// Two accesses of one program share an id only where the source text is compiled twice (both constructors of a class).
#pragma once
#include <cstdint>
#include <string>

#include "race/access.h"

namespace heddle::race {

struct AccessId {
  std::uint64_t value = 0;
  friend auto operator<=>(const AccessId&, const AccessId&) = default;
  [[nodiscard]] std::string hex() const;
};

AccessId access_id(const Program& program, const Access& access);

}  // namespace heddle::race
