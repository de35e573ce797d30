// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judges, in the order in which they are asked, and what both commands that ask them share.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/stop.h"
#include "judge/run/run_judge.h"
#include "judge/transaction/transaction_judge.h"
#include "pipeline/load.h"
#include "race/judge.h"
#include "topdown/transfer/top_down.h"

namespace heddle::pipeline {

struct JudgeOptions {
  std::uint64_t search_budget = 0;    ///< interpreted instructions; 0: the program is not searched
  std::set<std::string> without;      ///< assumptions that no proof may use
  Stop stop;                          ///< of the search
  std::optional<race::Warning> only;  ///< the one race that is to be decided
  judge::HuntPairs hunt = {};         ///< runs the real program; empty: it is not to be run
  /// Acquisition histories are compared; their proofs may not use these assumptions. None: they are not compared.
  std::optional<std::set<std::string>> history_without = {};
  /// Invariants over the transaction graph are looked for. None: they are not.
  std::optional<judge::TransactionOptions> transactions = {};
  /// All executions of few rounds are looked at as one question to a SAT solver.
  bool bounded = false;
  std::uint64_t patience = 1;  ///< of bounded model checking
  /// How far the analysis that decides goes as a judge of a scan's warnings. None: it is not asked.
  std::optional<topdown::TopDownOptions> values = {};
};

using Judges = std::vector<std::unique_ptr<race::Judge>>;

/// Cheap ones first. `program` and `models` must outlive them.
Judges make_judges(const Program& program, const api::ApiModels& models, const JudgeOptions& options);

/// `verify` stops when its question is answered, `check` settles as many warnings as it can.
enum class Until { TheProgramIsDecided, EveryJudgeWasAsked };
/// A judge that runs out of memory has not decided; `no_memory` says which limit that was.
void judge_all(const Judges& judges, race::Docket& docket, race::Evidence& evidence, Until until,
               const std::string& no_memory);

/// What `verify` does with a docket, of a program or of one race: judges until it is decided, names what a race rests
/// on, keeps schedules as keep_schedules does.
Result<void> decide(const Judges& judges, const Input& input, const Loaded& loaded, const std::string& schedule_file,
                    race::Docket& docket, race::Evidence& evidence, const Stop& stop);

/// Parts of the program that are missing or not certain.
void add_gaps(const std::vector<std::string>& gaps, race::Docket& docket);

/// Writes the schedule of the first confirmed case to `file`, those of findings to FILE.1, FILE.2, …; the words of
/// findings get the names. An empty name: nothing is written.
Result<void> keep_schedules(const Input& input, const std::string& file, race::Docket& docket);
/// Those of the other confirmed cases, to FILE.ID. `report`: of the docket.
Result<void> keep_further_schedules(const Input& input, const std::string& file, const race::Docket& docket,
                                    const RaceReport& report);

}  // namespace heddle::pipeline
