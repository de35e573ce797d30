// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/place_number.h"

#include "base/content_hash.h"

namespace heddle {

std::uint64_t place_number(const Function& function, std::size_t instruction) {
  return Hasher()
      .add("place")
      .add(function.name.substr(0, function.name.find('@')))  // linking adds the unit's name to some
      .add(function.hash.high)
      .add(function.hash.low)
      .add(instruction)
      .finish()
      .low;
}

std::uint64_t place_number(const Function& function) { return place_number(function, ~std::size_t{0}); }

}  // namespace heddle
