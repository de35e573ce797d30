// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns: accesses that threads could make at the same time, and entries of a system of tasks and interrupts cannot
// (preemption.h). Several entries may come to one access: then all of them have to be apart from all that come to the
// other. Without a system nothing is apart.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scan/objects/occurrences.h"
#include "scan/pairs/preemption.h"

namespace heddle::scan {

class Turns {
 public:
  /// `preemption`: null if there is no system.
  Turns(const std::vector<FunctionSummary>& summaries, const Reach& reach, Preemption* preemption)
      : summaries_(summaries), reach_(reach), preemption_(preemption) {}

  /// Whoever is at one side never interrupts who is at the other.
  [[nodiscard]] std::optional<race::Separation> between(const Reach::Side& a, const Reach::Side& b);
  /// The same of two accesses, where masks count as well.
  [[nodiscard]] std::optional<race::Separation> between(const Candidate& a, const Candidate& b);
  /// Who can interrupt whom there; empty without a system.
  [[nodiscard]] std::string why_together(const Candidate& a, const Candidate& b);

 private:
  using Entries = std::vector<FunctionId>;
  [[nodiscard]] std::optional<Entries> entries_at(Phase phase, std::uint32_t roots) const;
  [[nodiscard]] std::optional<Entries> entries_at(const Candidate& access) const;
  [[nodiscard]] EntryPoint point(FunctionId entry, const Candidate& access) const;
  [[nodiscard]] bool is_started_again(FunctionId entry) const;

  const std::vector<FunctionSummary>& summaries_;
  const Reach& reach_;
  Preemption* preemption_;
  using Threads = std::pair<bool, std::uint32_t>;  ///< of main or not, and which
  std::map<std::pair<Threads, Threads>, std::optional<std::string>> in_turn_;
};

}  // namespace heddle::scan
