// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sights: what a search through everything has seen, as far as its verdict depends on it. Pieces of a search (shares of
// search/share.h) have sights of their own, and together they are those of the whole.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "base/byte_stream.h"
#include "explore/prune/pruned_search.h"
#include "explore/shares/shared_counts.h"

namespace heddle::explore {

struct Sights {
  SearchStatistics statistics;
  PruneStatistics pruning;                                    ///< if it was asked for; `search` is not filled
  SharedCounts counts;                                        ///< of the first execution
  std::set<std::string> gaps;                                 ///< why it is not all that the program can do
  std::set<std::pair<std::uint64_t, std::uint64_t>> atomics;  ///< address and size, where memory orders count
  std::uint64_t work = 0;
  std::uint64_t unconfirmed = 0;  ///< races that no replay reached
  std::string unreached;          ///< the first of them, in words
  bool saw_race = false;
  bool saw_disorder = false;  ///< a pair without an order by the program's memory orders
  bool within_budget = true;

  /// A proof may still come of it.
  [[nodiscard]] bool may_prove() const { return gaps.empty() && !saw_race && !saw_disorder; }
  void add(const Sights& other);
  void add_atomic(std::uint64_t address, std::uint64_t size);
};

void write(ByteWriter& out, const Sights& sights);
[[nodiscard]] Sights read_sights(ByteReader& in);

}  // namespace heddle::explore
