// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a sum is of which some terms may be addresses.
//
//   &a + 8·i + 4        an address in a, every 8 bytes
//   p - q               a number, if p and q may mean the same objects: a distance
//   &a + 4·(p - q)      an address in a, every 4 bytes
//   p + (q - r)         an address anywhere in what the three may mean: p - q may be the distance, too
//   p + q, 2·p, p - &a  not known, if p and a have nothing in common
//
// It rests on `defined-behaviour`: an address stays in the object it was made from, and only addresses of one object
// have a distance.
#pragma once
#include <vector>

#include "topdown/domain/universe.h"

namespace heddle::topdown {

struct AddressTerm {
  InfoId info;
  std::int64_t factor = 1;
};

/// Numbers to move by. `first` is one of them that did not wrap around: the others are whole steps away.
struct Distances {
  Interval range;
  numeric::Wide first = 0;
  std::uint64_t step = 0;
};

/// `number`: the sum if no term is an address.
InfoId sum_of_addresses(Universe& u, const std::vector<AddressTerm>& terms, Distances by, Interval number,
                        unsigned bits);

}  // namespace heddle::topdown
