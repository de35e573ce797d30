// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Race freedom by looking at everything: optimal DPOR over the visible operations of a closed program, vector clocks on
// each of its traces.
//
// A proof needs all of: the program has no open ends (open_ends.h: input, time, weak orders, addresses as numbers, …),
// the search ended, no thread was left out, no execution cut, no undefined behaviour and no misused lock met. Threads
// that spin are stopped (spin.h); threads are numbered alike on every schedule. Why that is enough: as long as there is
// no race, plain accesses are ordered by visible operations, so every execution up to its first race is one of the
// traces, in some order of its steps; and in a trace that has two accesses enabled at once, no visible operation lies
// between them, so the clocks see them (machine_executor.h has the semantics). Programs with sequentially consistent
// atomics only and no race behave so on every machine. Otherwise the answer says what is missing.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "explore/evidence/confirm.h"
#include "explore/search/search.h"

namespace heddle::explore {

/// Only prove_by_exhaustion makes one.
class ExhaustionProof {
 public:
  [[nodiscard]] std::uint64_t traces() const { return traces_; }
  /// Names from docs/assumptions.md.
  [[nodiscard]] const std::set<std::string>& assumptions() const { return assumptions_; }

 private:
  friend struct ExhaustionMaker;
  ExhaustionProof(std::uint64_t traces, std::set<std::string> assumptions)
      : traces_(traces), assumptions_(std::move(assumptions)) {}
  std::uint64_t traces_;
  std::set<std::string> assumptions_;
};

struct ExhaustOptions {
  std::uint64_t instruction_budget = 30'000'000;
  std::uint64_t event_budget = 400'000;
  std::uint64_t work = 30'000'000;         ///< pairs of events compared, about: long executions cost their square
  std::uint64_t work_with_gaps = 300'000;  ///< once no proof can come of it any more
  std::uint64_t unconfirmed_races = 20;    ///< before the search gives up: they need a spurious wake-up, say
};

struct ExhaustResult {
  std::optional<ExhaustionProof> proof;
  std::optional<ConfirmedRace> race;
  std::string why;  ///< neither: what is missing
  SearchStatistics statistics;
};

ExhaustResult prove_by_exhaustion(const Program& program, const api::ApiModels& models, const ExhaustOptions& options);

}  // namespace heddle::explore
