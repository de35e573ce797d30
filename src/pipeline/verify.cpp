// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/verify.h"

#include <new>
#include <optional>

#include "pipeline/verify_race.h"
#include "pipeline/witness/witness.h"
#include "race/build_report.h"
#include "scan/cases/lock_orders.h"
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

constexpr std::uint64_t slices_of_verify = 100'000;  // the search decides most of what is left then

/// Nobody knows more of an access than the search that has seen it.
class NoEvidence : public race::Evidence {
 public:
  std::vector<race::CallStep> stack(const race::Access&) override { return {}; }
  std::vector<race::HeldLock> locks(const race::Access&) override { return {}; }
  std::string thread_name(const race::Access&) override { return {}; }
  std::vector<ReportThread> threads(const race::Access&) override { return {}; }
  std::string object_name(const race::Access&) override { return {}; }
  std::string why_parallel(const race::Warning&) override { return {}; }
  std::vector<std::string> reasons(const race::Warning&) override { return {}; }
  std::vector<race::ConsideredPair> considered(const std::function<bool(const race::Access&)>&) override { return {}; }
};

/// What a driver says of the program: the one that decides, or a scan if that gave up, or nobody if there is no memory
/// for either.
class Findings {
 public:
  Findings(const Program& program, const api::ApiModels& models, const VerifyOptions& options)
      : program_(program), models_(models), options_(options) {}

  race::Docket find(FunctionId main) {
    race::Docket docket = decided(main);
    if (result_) return docket;
    options_.stop.begin_stage();
    try {
      scan::ScanOptions how;
      how.jobs = options_.jobs;
      how.stop = options_.stop.for_last_words();
      docket = docket_of_scan(scan_.emplace(program_, models_, how), std::move(docket));
    } catch (const std::bad_alloc&) {
      scan_.reset();
      docket.obstacles.push_back(
          {race::Obstacle::Kind::Analysis, {}, "a scan did not end either: " + options_.stop.why_no_memory()});
    }
    options_.stop.begin_stage();
    return docket;
  }

  race::Evidence& evidence() {
    if (scan_) return scan_->evidence();
    if (evidence_) return *evidence_;
    return nothing_;
  }

 private:
  /// Thread roots, locks, phases, values: one fixpoint over one product domain; pairs that nothing separates. Memory of
  /// an analysis that gave up is free again.
  race::Docket decided(FunctionId main) {
    try {
      result_ = topdown::analyse_top_down(program_, models_, main, limits_for(program_, models_, options_));
      race::Docket docket = topdown::find_cases(program_, *result_);
      evidence_.emplace(program_, *result_);
      if (result_->gave_up) forget();
      return docket;
    } catch (const std::bad_alloc&) {
      forget();
    }
    race::Docket docket;
    docket.is_exhaustive = false;
    docket.coverage = race::coverage_of(program_);
    docket.obstacles.push_back(
        {race::Obstacle::Kind::Analysis, {}, "the analysis ended early: " + options_.stop.why_no_memory()});
    return docket;
  }

  void forget() {
    evidence_.reset();
    result_.reset();
  }

  const Program& program_;
  const api::ApiModels& models_;
  const VerifyOptions& options_;
  std::optional<topdown::TopDownResult> result_;
  std::optional<topdown::TopDownEvidence> evidence_;
  std::optional<scan::Scan> scan_;
  NoEvidence nothing_;
};

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

Judges judges_for(const Loaded& loaded, const api::ApiModels& models, const VerifyOptions& options,
                  const std::optional<race::Warning>& only) {
  JudgeOptions out{options.search_budget, options.without, options.stop, only};
  // Code that is missing may give locks back, and a scan's claims rest on what no verdict may rest on.
  if (options.histories && options.static_proofs && loaded.gaps.empty()) {
    out.history_without = options.without;
    for (const scan::AssumptionName& row : scan::assumption_names) out.history_without->emplace(row.name);
    out.history_without->emplace(scan::always_assumed_of_orders);
  }
  if (options.transactions && options.static_proofs && loaded.gaps.empty())
    out.transactions = {
        .look = {.effort_of_slices = slices_of_verify}, .without = options.without, .has_all_pairs = true};
  out.patience = options.patience;
  out.bounded = options.bounded && (options.search_budget > 0 || options.bounded_alone);
  return make_judges(loaded.program, models, out);
}

Result<RaceReport> verify(const Input& input, const VerifyOptions& options, const Tell& tell) {
  if (auto checked = check_chosen_models(input); !checked) return std::unexpected(checked.error());
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  if (auto checked = check_one_program(*loaded); !checked) return std::unexpected(checked.error());
  // what library calls do
  const Result<api::ApiModels> models = load_models(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  if (!options.race.empty()) return verify_race(input, *loaded, *models, options, tell);
  return verify(input, *loaded, *models, options);
}

Result<RaceReport> verify(const Input& input, const Loaded& loaded, const api::ApiModels& models,
                          const VerifyOptions& options) {
  const Program& program = loaded.program;
  const FunctionId main = main_of(program);
  if (!main) return error("no function main with a body in the given files; verify needs a whole program");
  // pairs of accesses that nothing separates; beyond this line only judges add warnings
  Findings findings(program, models, options);
  race::Docket docket = findings.find(main);
  race::Evidence& known = findings.evidence();
  docket.is_exhaustive &= options.static_proofs;
  docket.coverage = complete(docket.coverage, loaded.coverage);
  add_gaps(loaded.gaps, docket);
  // what is not proved is judged; beyond this line only words
  const Judges judges = judges_for(loaded, models, options, {});
  if (auto kept = decide(judges, input, loaded, options.schedule_file, docket, known, options.stop); !kept)
    return std::unexpected(kept.error());
  if (auto kept = keep_witness(input, program, models, docket, options.witness_file); !kept)
    return std::unexpected(kept.error());
  return race::build_report(program, docket, known);
}

}  // namespace heddle::pipeline
