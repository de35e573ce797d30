// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/scan.h"

#include <algorithm>
#include <optional>

#include "base/build_identity.h"
#include "base/contains.h"
#include "pipeline/judges.h"
#include "pipeline/scan_store.h"
#include "pipeline/system/oil_file.h"
#include "pipeline/system/system_of_scan.h"
#include "pipeline/verify.h"
#include "race/build_report.h"
#include "topdown/cases/separated_places.h"

namespace heddle::pipeline {
namespace {

// What is beyond needs longer than the scan itself.
constexpr std::uint64_t small_program = 20'000;  // instructions
constexpr std::uint64_t small_steps = 300'000;

bool is_system(const Input& input, const api::ApiModels& models) {
  if (contains(input.profiles, std::string("firmware")) || models.system().is_said) return true;
  return models.describes_system() && !contains(input.profiles, std::string("kernel"));
}

/// What decides about the report: another profile, or another OIL file, is another question.
Input asked_with(Input input, const ScanModels& models) {
  input.profiles = models.profiles;
  if (const std::string oil = oil_path("", models.models.system()); models.oil) input.model_files.push_back(oil);
  return input;
}

}  // namespace

std::optional<std::set<std::string>> history_of_scan(const scan::ScanOptions& how) {
  return how.histories ? std::optional<std::set<std::string>>(std::in_place) : std::nullopt;
}

bool is_whole(const Loaded& loaded, const ScanModels& models) {
  return loaded.programs.empty() && loaded.gaps.empty() && main_of(loaded.program).valid() &&
         models.system == std::nullopt && models.models.entries().empty();
}

namespace {

/// What judges may not assume: of a sound scan nothing that can be switched off.
std::set<std::string> without(const scan::ScanOptions& how) {
  const auto is_on = [&](const scan::AssumptionName& row) { return how.assumptions.*row.is_on; };
  if (std::ranges::any_of(scan::assumption_names, is_on)) return {};
  std::set<std::string> out(std::begin(optional_assumptions), std::end(optional_assumptions));
  out.insert(race::races_interleave);
  return out;
}

}  // namespace

std::optional<topdown::TopDownOptions> values_of_scan(const Program& program, const api::ApiModels& models,
                                                      const scan::ScanOptions& how, std::uint64_t steps) {
  if (!how.values) return std::nullopt;
  VerifyOptions verify;
  verify.step_budget = verify.large_step_budget = steps;
  verify.stop = how.stop;
  verify.without = without(how);
  return limits_for(program, models, verify);
}

std::optional<judge::TransactionOptions> transactions_of_scan(const scan::ScanOptions& how) {
  if (!how.transactions) return std::nullopt;
  return judge::TransactionOptions{.without = without(how), .declared_arrays = how.assumptions.pointer_arithmetic};
}

scan::ScanResult scan_program(const Program& program, const api::ApiModels& models, const scan::ScanOptions& how,
                              bool is_whole) {
  scan::Scan scan(program, models, how);
  JudgeOptions judges;
  judges.history_without = history_of_scan(how);
  if (is_whole && race::coverage_of(program).instructions <= small_program) {
    judges.values = values_of_scan(program, models, how, small_steps);
    judges.transactions = transactions_of_scan(how);
  }
  judge_all(make_judges(program, models, judges), scan.docket(), scan.evidence(), Until::EveryJudgeWasAsked,
            how.stop.why_no_memory());
  scan.place_covered_cases();
  scan.finish_stage("judges");
  scan::ScanResult out;
  out.report = race::build_report(program, scan.docket(), scan.evidence());
  scan.finish_stage("report");
  out.stats = std::move(scan.stats());
  return out;
}

Result<std::unique_ptr<const ScanModels>> ScanModels::load(const Input& input, const Program& program) {
  auto out = std::make_unique<ScanModels>();
  Result<api::ApiModels> models = load_models(input, program);
  if (!models) return std::unexpected(models.error());
  out->profiles = input.profiles;
  const bool has_system = is_system(input, *models);
  if (has_system && !contains(input.profiles, std::string("firmware"))) {
    Input with_firmware = input;
    with_firmware.profiles.insert(with_firmware.profiles.begin(), "firmware");
    out->profiles = with_firmware.profiles;
    models = load_models(with_firmware, program);
    if (!models) return std::unexpected(models.error());
  }
  out->models = std::move(*models);
  if (!has_system) return out;
  auto oil = load_oil("", out->models.system());
  if (!oil) return std::unexpected(oil.error());
  out->oil = std::move(*oil);
  auto system = depend::System::make(program, out->models, out->oil ? &*out->oil : nullptr);
  if (!system) return std::unexpected(system.error());
  out->system = std::move(*system);
  out->for_scan = system_of_scan(program, *out->system);
  return out;
}

void tell_of_programs(const Loaded& loaded, std::vector<ReportObstacle>& obstacles) {
  if (loaded.programs.size() <= 1) return;
  obstacles.push_back({{},
                       "the project has " + std::to_string(loaded.programs.size()) +
                           " programs and all were taken as one; choose with --program, such as --program " +
                           loaded.programs.front()});
}

void tell_of_gaps(const Loaded& loaded, ReportCoverage& coverage) {
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, loaded.gaps.size()); ++i)
    coverage.blind_spots.push_back({loaded.gaps[i], true});
  if (loaded.gaps.size() > most)
    coverage.blind_spots.push_back(
        {"and " + std::to_string(loaded.gaps.size() - most) + " gaps of this kind more", true});
}

Result<scan::ScanResult> scan(const Input& input, const ScanOptions& options, const Tell& tell) {
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  // what library calls do, and who can interrupt whom
  const auto models = ScanModels::load(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  // what earlier scans kept
  scan::ScanOptions how = options.how;
  how.system = (*models)->facts();
  std::optional<ScanStore> store;
  if (options.keep_summaries && loaded->coverage.is_project && !build_identity().empty())
    store.emplace(asked_with(input, **models), options, *loaded);
  // aliases, summaries, threads, pairs, words; or the report of a program that did not change
  scan::ScanResult result;
  if (std::optional<RaceReport> kept = store ? store->report() : std::nullopt) {
    result.report = std::move(*kept);
  } else {
    if (store) how.records = &store->records();
    result = scan_program(loaded->program, (*models)->models, how, is_whole(*loaded, **models));
    if (store && !result.stats.was_stopped) store->keep(result);
  }
  if (store && tell) tell(store->notes());
  result.report.coverage = complete(result.report.coverage, loaded->coverage);
  tell_of_gaps(*loaded, result.report.coverage);
  tell_of_programs(*loaded, result.report.obstacles);
  return result;
}

Result<SharedList> list_shared(const Input& input, const SharedOptions& options, const Tell& tell) {
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  const auto models = ScanModels::load(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  scan::ScanOptions how = options.how;
  how.system = (*models)->facts();
  scan::Scan scan(loaded->program, (*models)->models, how);
  const scan::SharedVariables found = scan.shared_variables();
  const auto write = options.as_json ? scan::shared_json : scan::shared_text;
  const auto& spots = scan.docket().coverage.blind_spots;
  return SharedList{write(loaded->program, found, options.listed), scan::shared_count(found),
                    found.shared.empty() && std::ranges::any_of(spots, &ReportBlindSpot::may_hide)};
}

}  // namespace heddle::pipeline
