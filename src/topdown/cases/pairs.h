// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs of accesses that could race: accesses meet by the object that they touch, in the order of their numbers. An
// access also meets itself, since two instances of a thread may run. Quadratic in the accesses to one object.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

/// `look(a, b)` for every pair of numbers of `result.accesses`, a <= b.
template <class Look>
void for_each_pair(const TopDownResult& result, const Look& look) {
  std::map<ObjectId, std::vector<std::uint32_t>> by_object;
  for (std::uint32_t i = 0; i < result.accesses.size(); ++i) by_object[result.accesses[i].target.object].push_back(i);
  for (const auto& [object, accesses] : by_object)
    for (std::size_t i = 0; i < accesses.size(); ++i)
      for (std::size_t k = i; k < accesses.size(); ++k) look(accesses[i], accesses[k]);
}

}  // namespace heddle::topdown
