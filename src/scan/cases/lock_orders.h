// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockOrders: what a scan claims of the orders in which threads took their locks (race/claims/lock_order.h), for the
// judge `history`. A suspicion stands for every way in which its two accesses meet; these are looked for once, and only
// for suspicions whose own two ways took locks in opposite orders.
//
// Whether a lock is held, and by which name, rests on what the scan assumes. A lock that some thread gives back which
// does not hold it is not claimed: its holder cannot say that it has held it all the time. Nothing is claimed of a
// program that leaves functions by jumps, where locks are given back and taken on ways that no summary knows.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "race/claims/lock_order.h"
#include "scan/names/lvalue_text.h"
#include "scan/pairs/asked_pairs.h"

namespace heddle::scan {

/// Named with every claim: a scan looks at so many accesses of a group and no more.
inline constexpr const char* always_assumed_of_orders = "bounded-groups";

class LockOrders {
 public:
  LockOrders(const ScanFacts& facts, const Suspicions& suspicions);

  /// Of a suspicion, by its place in Suspicions::all.
  [[nodiscard]] race::Meetings meetings(std::uint32_t suspicion);
  /// Of two accesses as they are made on these two ways; none if their orders do not separate them.
  [[nodiscard]] std::optional<race::Separation> between(const Candidate& a, const Candidate& b);

 private:
  [[nodiscard]] NamedHistory history_of(const Candidate& c) const;
  void find_encounters_of_all();
  void find_given_away();
  /// Nothing is claimed of this program.
  [[nodiscard]] bool is_off();
  [[nodiscard]] bool jumps() const;
  void keep_own(NamedHistory& history);
  [[nodiscard]] bool is_given_away(std::uint32_t name);
  [[nodiscard]] race::LockOrder order_of(const NamedHistory& history, std::map<std::uint32_t, std::uint32_t>& numbers);
  [[nodiscard]] std::string text_of(std::uint32_t name);

  const ScanFacts& facts_;
  const Suspicions& suspicions_;
  LvalueText text_;
  bool is_ready_ = false;
  std::optional<bool> is_off_;                                  ///< once asked for
  std::map<std::uint32_t, std::vector<Encounter>> encounters_;  ///< by suspicion
  std::vector<FunctionId> givers_;                              ///< that give back what their threads do not hold
  std::map<std::uint32_t, bool> given_away_;                    ///< by name, once asked for
};

}  // namespace heddle::scan
