// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/verify.h"

#include "api/models/declared_locks.h"
#include "pipeline/judges.h"
#include "pipeline/verify_race.h"
#include "race/build_report.h"
#include "scan/scan.h"
#include "topdown/cases/evidence.h"
#include "topdown/cases/find_cases.h"

namespace heddle::pipeline {
namespace {

/// The program is too large for the analysis that decides: it stays undecided, and the warnings are those of a scan.
race::Docket docket_of_scan(scan::Scan& scan, race::Docket undecided) {
  race::Docket docket = std::move(scan.docket());
  undecided.obstacles.push_back({race::Obstacle::Kind::Analysis,
                                 {},
                                 "the program is too large for the analysis that decides: the suspected races are "
                                 "those of a scan, the most suspicious first, and their absence would prove nothing"});
  docket.obstacles.insert(docket.obstacles.begin(), std::make_move_iterator(undecided.obstacles.begin()),
                          std::make_move_iterator(undecided.obstacles.end()));
  return docket;
}

}  // namespace

topdown::TopDownOptions limits_for(const Program& program, const api::ApiModels& models, const VerifyOptions& options) {
  topdown::TopDownOptions limits;
  std::uint64_t instructions = 0;
  for (const Function& f : program.functions) instructions += f.instructions.size();
  limits.step_budget = instructions > options.large_program ? options.large_step_budget : options.step_budget;
  limits.undefined_functions_only_return = models.is_closed(program);
  limits.without = options.without;
  limits.stop = options.stop.half();
  return limits;
}

Result<RaceReport> verify(const Input& input, const VerifyOptions& options, const Tell& tell) {
  // what library calls do
  Result<api::ApiModels> models = load_models(input);
  if (!models) return std::unexpected(models.error());
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  if (auto checked = check_one_program(*loaded); !checked) return std::unexpected(checked.error());
  models->add_missing(api::declared_locks(loaded->program));
  if (!options.race.empty()) return verify_race(input, *loaded, *models, options, tell);
  return verify(input, *loaded, *models, options);
}

Result<RaceReport> verify(const Input& input, const Loaded& loaded, const api::ApiModels& models,
                          const VerifyOptions& options) {
  const Program& program = loaded.program;
  const FunctionId main = main_of(program);
  if (!main) return error("no function main with a body in the given files; verify needs a whole program");
  // thread roots, locks, phases, values: one fixpoint over one product domain
  const topdown::TopDownResult result =
      topdown::analyse_top_down(program, models, main, limits_for(program, models, options));
  // pairs of accesses that nothing separates; beyond this line only judges add warnings
  race::Docket docket = topdown::find_cases(program, result);
  topdown::TopDownEvidence evidence(program, result);
  std::optional<scan::Scan> scan;
  if (result.gave_up) {
    scan::ScanOptions how;
    how.jobs = options.jobs;
    docket = docket_of_scan(scan.emplace(program, models, how), std::move(docket));
  }
  race::Evidence& known = scan ? scan->evidence() : evidence;
  docket.is_exhaustive &= options.static_proofs;
  docket.coverage = complete(docket.coverage, loaded.coverage);
  add_gaps(loaded.gaps, docket);
  // what is not proved is judged; beyond this line only words
  const Judges judges = make_judges(program, models, {options.search_budget, options.without, options.stop, {}});
  if (auto kept = decide(judges, input, loaded, options.schedule_file, docket, known); !kept)
    return std::unexpected(kept.error());
  return race::build_report(program, docket, known);
}

}  // namespace heddle::pipeline
