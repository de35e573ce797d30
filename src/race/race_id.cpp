// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/race_id.h"

#include <tuple>

#include "base/content_hash.h"

namespace heddle::race {

std::string race_id(const IdSide& first, const IdSide& second) {
  const auto parts = [](const IdSide& side) {
    return std::tuple(side.variable, side.function, without_updates(side.kind), side.ordinal);
  };
  const bool in_order = parts(first) <= parts(second);
  Hasher hash;
  for (const IdSide* side : {in_order ? &first : &second, in_order ? &second : &first})
    hash.add(side->variable)
        .add(side->function)
        .add(static_cast<std::uint64_t>(without_updates(side->kind)))
        .add(side->ordinal);
  return hash.finish().hex().substr(0, 12);
}

}  // namespace heddle::race
