// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judge: looks at the case files of a docket and gives opinions. The pipeline holds a list of judges and asks them in
// order; a judge never calls another and sees warnings through Evidence alone. Most judges look at one warning at a
// time and derive from WarningJudge:
//
//   Opinion look_at(const Warning& w, Evidence& evidence, Budget& budget) override {
//     if (!budget.take(1)) return NoOpinion{"its budget is used up"};
//     …
//   }
//
// docs/judges.md walks through a whole one with its test.
#pragma once
#include <cstdint>
#include <string_view>

#include "race/docket.h"
#include "race/evidence.h"

namespace heddle::race {

/// Steps a judge may still make; deterministic, unlike a time limit.
class Budget {
 public:
  explicit Budget(std::uint64_t steps) : left_(steps) {}
  /// False: used up. What was concluded so far may be told, and nothing refuted.
  [[nodiscard]] bool take(std::uint64_t steps) {
    if (steps > left_) return false;
    left_ -= steps;
    return true;
  }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
};

class Judge {
 public:
  Judge() = default;
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;
  virtual ~Judge() = default;

  /// The word of reports and test labels: `-> refuted(history)`.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Appends opinions to case files. It may add cases that it found itself, findings, a proof of the whole program, or
  /// an obstacle that says why it could not decide it.
  virtual void judge(Docket& docket, Evidence& evidence) = 0;
};

/// A judge of one warning at a time.
class WarningJudge : public Judge {
 public:
  explicit WarningJudge(std::uint64_t steps_per_warning = 1'000'000) : steps_(steps_per_warning) {}

  [[nodiscard]] virtual Opinion look_at(const Warning& warning, Evidence& evidence, Budget& budget) = 0;
  /// Every case that is still open. A bug of ours costs that opinion, and a proof of the program, not the run.
  void judge(Docket& docket, Evidence& evidence) final;

 private:
  std::uint64_t steps_;
};

}  // namespace heddle::race
