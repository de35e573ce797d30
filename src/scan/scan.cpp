// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/scan.h"

#include <optional>

#include "scan/calls/assumed_calls.h"
#include "scan/pairs/build_report.h"
#include "scan/reach/dying_code.h"

namespace heddle::scan {
namespace {

/// A project may be several programs: redis-server and redis-cli are one build.
std::vector<FunctionId> mains(const Program& program) {
  std::vector<FunctionId> out;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& f = program.functions[FunctionId(i)];
    if (f.has_body() && (f.name == "main" || (f.source_name == "main" && f.name.starts_with("main"))))
      out.push_back(FunctionId(i));
  }
  return out;
}

}  // namespace

ScanResult scan(const Program& program, const api::ApiModels& models, const ScanOptions& options) {
  ScanResult out;
  StageClock clock(out.stats.stages);
  // which pointers may lead to the same objects
  const alias::AliasFacts aliases = alias::find_aliases(program, models, {});
  clock.finish("aliases");
  // whom a call may reach
  const CallTargets targets(program, aliases, options.assumptions);
  ScanInput input = make_input(program, models, targets, options.limits);
  input.assumptions = options.assumptions;
  if (options.assumptions.semaphores_lock) input.semaphores = SemaphoreLocks(program, input.models, aliases);
  clock.finish("call graph");
  // what each function does to locks and memory, in terms of its parameters
  BottomUpOptions bottom_up;
  bottom_up.jobs = options.jobs;
  bottom_up.stop = options.stop;
  if (options.progress)
    bottom_up.progress = [&](std::size_t done, std::size_t total) { options.progress("summaries", done, total); };
  bottom_up.shuffle = options.shuffle;
  std::optional<SummaryStore> store;
  if (options.records != nullptr) bottom_up.store = &store.emplace(input, *options.records);
  std::vector<FunctionSummary> summaries = summarise_all(input, bottom_up);
  if (store) out.stats.summaries_reused = store->reused();
  for (const FunctionSummary& summary : summaries) {
    out.stats.summary_accesses += summary.own.size() + summary.inherited.size();
    out.stats.summary_nodes += summary.nodes.size();
  }
  clock.finish("summaries");
  // which threads get there, with which locks
  LockNames names(options.assumptions);
  DyingCode dying(input);
  Reach reach =
      find_reach(input, summaries, mains(program), threads::find_outside_entries(program, models), names, dying);
  for (std::size_t i = 0; i < summaries.size(); ++i)
    if (!reach.is_reached(FunctionId(i))) summaries[i] = {};  // nobody asks for it any more
  clock.finish("threads");
  // pairs that nothing separates
  const Suspicions suspicions = find_suspicions(input, summaries, reach, aliases, names, dying, options.candidates);
  clock.finish("pairs");
  out.report = build_report(input, summaries, reach, names, suspicions);
  Assumptions made = options.assumptions;
  made.marked_volatile &= models.volatile_is_marked();
  std::vector<bool> reached(program.functions.size());
  for (std::size_t i = 0; i < reached.size(); ++i) reached[i] = reach.is_reached(FunctionId(i));
  out.report.assumptions = listed(made, count_assumed_calls(program, input.models, reached));
  clock.finish("report");
  out.stats.candidates = suspicions.stats;
  out.stats.functions = out.report.coverage.functions;
  out.stats.functions_reached = out.report.coverage.functions_reached;
  out.stats.instructions = out.report.coverage.instructions;
  out.stats.roots = reach.roots.size();
  return out;
}

}  // namespace heddle::scan
