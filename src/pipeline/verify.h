// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle verify`: one whole program in, a verdict out.
//
//   load → top-down analysis → case files → judges → verdict → words
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/stop.h"
#include "pipeline/judges.h"
#include "pipeline/load.h"
#include "topdown/transfer/top_down.h"

namespace heddle::pipeline {

struct VerifyOptions {
  std::uint64_t step_budget = 40'000'000;  ///< transfer-function steps; deterministic, unlike a time limit
  /// The same for programs of more than `large_program` instructions: what does not end soon there does not end.
  std::uint64_t large_step_budget = 200'000;
  std::uint64_t large_program = 100'000;
  unsigned jobs = 1;                         ///< threads of a scan, where the program is too large
  std::uint64_t search_budget = 20'000'000;  ///< interpreted instructions to look for a race with; 0: do not look
  Stop stop;                                 ///< the outer guard: half of its time is for the static stages
  bool static_proofs = true;      ///< false: a proof of the static stages does not count; for measuring the search
  bool histories = true;          ///< the judge `history` is asked
  bool transactions = true;       ///< the judge `transaction` is
  bool bounded = true;            ///< the judge `bmc` is, if the program may be searched
  std::uint64_t patience = 1;     ///< of that judge: so many times the effort that it makes by default
  bool bounded_alone = false;     ///< although it may not; for measuring that judge
  std::set<std::string> without;  ///< assumptions of docs/assumptions.md that no proof may use
  std::string race;               ///< the ID of the one race to decide (pipeline/verify_race.h); empty: the program
  std::string witness_file;   ///< where the witness of the verdict goes (pipeline/witness/witness.h); empty: nowhere
  std::string schedule_file;  ///< where the schedule of a race that was found goes; empty: nowhere
};

/// Assumptions of docs/assumptions.md that a proof can do without.
inline constexpr std::string_view optional_assumptions[] = {
    "allocation-succeeds",    "creation-succeeds",   "declared-locks", "locks-succeed",
    "sequential-consistency", "undefined-functions", "waits-return",
};

/// How far the top-down driver goes with this program, and what it may take undefined functions for.
topdown::TopDownOptions limits_for(const Program& program, const api::ApiModels& models, const VerifyOptions& options);

/// What judges a program, or the one race that is meant.
Judges judges_for(const Loaded& loaded, const api::ApiModels& models, const VerifyOptions& options,
                  const std::optional<race::Warning>& only);

/// Errors are bad input (exit code 2).
Result<RaceReport> verify(const Input& input, const VerifyOptions& options, const Tell& tell = {});

/// The same for a program that was read already.
Result<RaceReport> verify(const Input& input, const Loaded& loaded, const api::ApiModels& models,
                          const VerifyOptions& options);

}  // namespace heddle::pipeline
