// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which edge is missing between two accesses that nothing orders: the message from one thread to the other that would
// order them if its memory orders were stronger. Words only: clocks have decided.
//
//   T1: x = 1; store(&f, relaxed)       T2: load(&f, acquire); x = 2
//   "thread 2 reads at a.c:9:10 what thread 1 wrote at a.c:4:3, but that write does not release"
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "explore/clocks/race_detector.h"
#include "explore/executor/subject.h"

namespace heddle::explore {

class WeakMessages {
 public:
  void follow(std::span<const Deed> deeds);
  [[nodiscard]] std::string missing_edge(const DetectedRace& pair, const Subject& subject) const;

 private:
  struct Message {
    Deed write, read;
  };
  std::map<std::uint64_t, Deed> written_;  ///< the last atomic write, by address
  std::vector<Message> messages_;          ///< that order nothing, oldest first
};

}  // namespace heddle::explore
