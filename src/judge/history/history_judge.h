// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge `history`: two threads that took two locks in opposite orders, and each of which still holds its first, are
// never at these two accesses at the same time (CAV07 §4, stage I). It looks for such a pair of locks in every meeting
// that a warning stands for; the checker in src/proof/ decides whether that is a proof.
//
//   thread 1: lock(a); lock(b); unlock(b); x = 3;          thread 2: lock(b); lock(a); unlock(a); x = 2;
//
// The locks may be nested or not, the histories may be less than what happened; locks/consistency.h says why that is
// sound. Cost: the entries of one history times those of the other.
#pragma once
#include "race/judge.h"

namespace heddle::judge {

class HistoryJudge : public race::WarningJudge {
 public:
  /// `without`: assumptions that no proof may use.
  explicit HistoryJudge(std::set<std::string> without = {}) : without_(std::move(without)) {}

  [[nodiscard]] std::string_view name() const override { return "history"; }
  [[nodiscard]] race::Opinion look_at(const race::Warning& warning, race::Evidence& evidence,
                                      race::Budget& budget) override;

 private:
  std::set<std::string> without_;
};

}  // namespace heddle::judge
