// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PairWatch: all pairs of accesses that lacked an order in a run, where RaceDetector alone ends with the first one.
//
//   PairWatch watch(suspected);
//   clocks.watch(&watch);
//   …follow the run…
//   watch.met()        the pairs, each once: those that were suspected first
//
// Behind the first race of a run the values that it reads depend on the order of the racing accesses. So what is met
// here is a hint: whoever claims a race brings the program to it again (evidence/hunt.h).
//
// The clocks remember the last write to each byte; an earlier one of the same thread is hidden behind it. For suspected
// pairs the watch keeps the latest accesses of each thread itself, a few for each side.
#pragma once
#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/executor/deed.h"

namespace heddle::explore {

class PairWatch {
 public:
  explicit PairWatch(std::span<const AccessPair> suspected);

  /// A thread makes the access, and knows this much of the others. `is_controlled`: atomic, or inside a section.
  void see(const Deed& deed, bool is_controlled, std::span<const std::uint32_t> knows);
  /// Nothing orders the two.
  void meet(AccessKey a, AccessKey b);

  [[nodiscard]] std::vector<AccessPair> met() const;
  /// Threads that made a suspected access; empty: nobody did.
  [[nodiscard]] const std::set<ThreadIndex>& makers(AccessKey access) const;

 private:
  struct Made {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    std::uint32_t epoch = 0;  ///< 0: none
    bool writes = false;
    bool is_controlled = false;
  };
  static constexpr std::size_t memory = 8;
  struct Latest {
    std::array<Made, memory> made;
    std::size_t next = 0;
  };
  struct Side {
    std::vector<AccessKey> others;  ///< of the pairs that were not met yet
    std::vector<Latest> by_thread;
    std::set<ThreadIndex> makers;
  };

  [[nodiscard]] static bool lack_order(const Side& other, ThreadIndex thread, const Made& now,
                                       std::span<const std::uint32_t> knows);
  static void remember(Side& side, ThreadIndex thread, const Made& now);

  std::unordered_map<AccessKey, Side> sides_;
  std::vector<AccessPair> suspected_, others_;  ///< that were met
  std::set<std::pair<AccessKey, AccessKey>> known_;
};

}  // namespace heddle::explore
