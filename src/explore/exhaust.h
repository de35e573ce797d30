// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Race freedom by looking at everything: optimal DPOR over the visible operations of a closed program, vector clocks on
// each of its traces.
//
// A proof needs all of: the search ended, no input was asked for, no thread left out, no execution cut, no call unknown, no
// undefined behaviour met, threads and addresses that do not depend on the schedule. Rests on sequential consistency and
// on plain accesses being ordered by synchronisation as long as no race was seen. Otherwise the answer says what is missing.
#pragma once
#include <optional>
#include <string>

#include "explore/confirm.h"
#include "explore/search.h"

namespace heddle::explore {

/// Only prove_by_exhaustion makes one.
class ExhaustionProof {
 public:
  [[nodiscard]] std::uint64_t traces() const { return traces_; }

 private:
  friend struct ExhaustionMaker;
  explicit ExhaustionProof(std::uint64_t traces) : traces_(traces) {}
  std::uint64_t traces_;
};

struct ExhaustOptions {
  std::uint64_t instruction_budget = 30'000'000;
  std::uint64_t event_budget = 400'000;
  std::uint64_t executions_with_gaps = 200;  ///< once no proof can come of it any more
};

struct ExhaustResult {
  std::optional<ExhaustionProof> proof;
  std::optional<ConfirmedRace> race;
  std::string why;  ///< neither: what is missing
  SearchStatistics statistics;
};

ExhaustResult prove_by_exhaustion(const Program& program, const api::ApiModels& models, const ExhaustOptions& options);

}  // namespace heddle::explore
