// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/scan.h"

#include <algorithm>
#include <optional>

#include "race/build_report.h"
#include "scan/blind_spots.h"
#include "scan/calls/assumed_calls.h"
#include "scan/cases/evidence.h"
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

/// What somebody outside calls; all that a library exports, where there is nothing else to begin with.
std::vector<threads::OutsideEntry> entries_of(const Program& program, const api::ApiModels& models,
                                              const SystemFacts* system, const std::vector<FunctionId>& mains,
                                              bool& is_library) {
  std::vector<threads::OutsideEntry> entries =
      system != nullptr ? system->entries : threads::find_outside_entries(program, models);
  is_library = mains.empty() && entries.empty();
  return is_library ? exported_entries(program) : entries;
}

std::vector<FunctionId> functions_of(const std::vector<threads::OutsideEntry>& entries) {
  std::vector<FunctionId> out;
  for (const threads::OutsideEntry& entry : entries) out.push_back(entry.function);
  return out;
}

/// Who asks for everything gets everything that one can read.
CandidateOptions options_for(const ScanOptions& options) {
  constexpr std::uint32_t enough = 2000;
  CandidateOptions out = options.candidates;
  if (!(options.assumptions == Assumptions::none())) return out;
  for (std::uint32_t* most : {&out.pairs_of_a_bucket, &out.pairs_of_two_groups, &out.pairs_of_a_free})
    *most = std::max(*most, enough);
  return out;
}

}  // namespace

/// In the order in which they are made; each holds on to those before it.
struct Scan::Stages {
  Stages(const Program& program, const api::ApiModels& models, const ScanOptions& options, ScanStats& stats,
         StageClock& clock)
      : options(options),
        mains_of_program(mains(program)),
        entries(entries_of(program, models, options.system, mains_of_program, is_library)),
        // which pointers may lead to the same objects
        aliases(finish(clock, "aliases", alias::find_aliases(program, models, options.assumptions.for_aliases()))),
        // which functions a call may reach
        targets(program, aliases, options.assumptions),
        input(
            make_input(program, models, targets, aliases, options.limits, options.assumptions, functions_of(entries))),
        // what each function does to locks and memory, in terms of its parameters
        summaries((clock.finish("call graph"), summarise(stats))),
        // which locks are known by other names
        lock_aliases((clock.finish("summaries"), alias::LockAliases(program, models, aliases))),
        settled(settle(program, models)),
        names(finish(clock, "lock aliases",
                     LockNames(options.assumptions, &lock_aliases, settled ? &*settled : nullptr))),
        dying(input),
        // which threads get there, with which locks
        reach(find_reach(input, summaries, mains_of_program, entries, options.system != nullptr, names, dying)),
        last_owner(input, summaries, reach),
        wide_ways(input, summaries, reach),
        // which memory never gets to another thread
        own_objects(program, input.models, aliases, targets, input.assumptions, entered()),
        // which of them can interrupt which
        preemption(options.system != nullptr && options.assumptions.described_system
                       ? options.system->make(reached_calls())
                       : nullptr),
        scanned{input, summaries, aliases, reach, names, dying, last_owner, wide_ways, own_objects, preemption.get()} {
    for (std::size_t i = 0; i < summaries.size(); ++i)
      if (!reach.is_reached(FunctionId(i))) summaries[i] = {};  // nobody asks for it any more
    clock.finish("threads");
    // pairs that nothing separates
    suspicions = find_suspicions(scanned, options_for(options), options.stop);
    clock.finish("pairs");
    evidence.emplace(scanned, suspicions);
  }

  template <class T>
  static T finish(StageClock& clock, const char* stage, T made) {
    clock.finish(stage);
    return made;
  }

  std::vector<FunctionSummary> summarise(ScanStats& stats) const {
    BottomUpOptions bottom_up;
    bottom_up.jobs = options.jobs;
    bottom_up.stop = &options.stop;
    if (options.progress)
      bottom_up.progress = [this](std::size_t done, std::size_t total) { options.progress("summaries", done, total); };
    bottom_up.shuffle = options.shuffle;
    std::optional<SummaryStore> store;
    if (options.records != nullptr) bottom_up.store = &store.emplace(input, *options.records);
    std::vector<FunctionSummary> out = summarise_all(input, bottom_up);
    if (store) stats.summaries_reused = store->reused();
    for (const FunctionSummary& summary : out) {
      stats.summary_accesses += summary.own.size() + summary.inherited.size();
      stats.summary_nodes += summary.nodes.size();
    }
    return out;
  }

  [[nodiscard]] std::optional<alias::SettledPointers> settle(const Program& program,
                                                             const api::ApiModels& models) const {
    if (!options.assumptions.settled_pointers) return std::nullopt;
    return std::optional<alias::SettledPointers>(std::in_place, program, models, aliases);
  }

  /// Whose parameters nobody in sight passes.
  [[nodiscard]] std::vector<FunctionId> entered() const {
    std::vector<FunctionId> out = reach.late;
    for (std::uint32_t f = 0; f < summaries.size(); ++f)
      if (std::ranges::any_of(reach.visits[f], &Visit::is_root)) out.emplace_back(f);
    return out;
  }

  /// As the walk over the calls went, and what pointers may lead to without a body.
  [[nodiscard]] ReachedCalls reached_calls() const {
    ReachedCalls out{.of = {}, .late = reach.late, .trusts_paths = options.assumptions.stable_paths};
    out.of.resize(summaries.size());
    for (std::uint32_t f = 0; f < summaries.size(); ++f) {
      for (const SummaryCall& call : summaries[f].calls) out.of[f].push_back({call.instruction, call.callee});
      for (const CallTargets::Indirect& row : targets.indirect(FunctionId(f)))
        if (!input.program.functions[FunctionId(f)]
                 .operands_of(input.program.functions[FunctionId(f)].instructions[row.instruction])[0]
                 .is_function())
          for (const FunctionId target : row.targets) out.of[f].push_back({row.instruction, target});
      std::ranges::sort(out.of[f], {}, &ReachedCalls::Call::instruction);
    }
    return out;
  }

  /// Threads, main among them, that may give back a lock which they do not hold.
  [[nodiscard]] std::size_t count_givers() const {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < summaries.size(); ++i) {
      const FunctionSummary& summary = summaries[i];
      const auto gives = [&](std::uint32_t lockset) { return !summary.locksets[lockset].released.empty(); };
      if (std::ranges::none_of(reach.visits[i], &Visit::is_root) || summary.locksets.empty()) continue;
      if (gives(summary.exit) || std::ranges::any_of(summary.groups, gives, &AccessGroup::lockset) ||
          std::ranges::any_of(summary.calls, gives, &SummaryCall::lockset))
        ++count;
    }
    return count;
  }

  ScanOptions options;
  std::vector<FunctionId> mains_of_program;
  bool is_library = false;
  std::vector<threads::OutsideEntry> entries;
  alias::AliasFacts aliases;
  CallTargets targets;
  ScanInput input;
  std::vector<FunctionSummary> summaries;
  alias::LockAliases lock_aliases;
  std::optional<alias::SettledPointers> settled;
  LockNames names;
  DyingCode dying;
  Reach reach;
  LastOwner last_owner;
  WideWays wide_ways;
  OwnObjects own_objects;
  std::unique_ptr<Preemption> preemption;
  ScanFacts scanned;
  Suspicions suspicions;
  std::optional<ScanEvidence> evidence;
};

Scan::Scan(const Program& program, const api::ApiModels& models, const ScanOptions& options)
    : clock_(stats_.stages), stages_(std::make_unique<Stages>(program, models, options, stats_, clock_)) {
  docket_ = make_docket(stages_->scanned, stages_->suspicions);
  docket_.coverage.blind_spots = find_blind_spots(stages_->input, stages_->reach);
  if (const Stop& stop = options.stop; stop.is_asked()) {
    stats_.was_stopped = true;
    docket_.coverage.blind_spots.push_back(
        {"the scan ended early: " + stop.why() + "; what it did not look at is missing", true});
  }
  if (const std::uint64_t large = stages_->suspicions.stats.large_classes; large != 0)
    docket_.coverage.blind_spots.push_back(
        {std::to_string(large) + (large == 1 ? " class" : " classes") +
             " of pointers to plain numbers or characters, too large to compare (--sound does)",
         true});
  if (stages_->is_library)
    docket_.coverage.blind_spots.insert(
        docket_.coverage.blind_spots.begin(),
        {"there is no main: taken for a library whose " + std::to_string(stages_->entries.size()) +
             " exported functions are called by several threads at once",
         stages_->entries.empty()});
  Assumptions made = options.assumptions;
  made.marked_volatile &= models.volatile_is_marked();
  std::vector<bool> reached(program.functions.size());
  for (std::size_t i = 0; i < reached.size(); ++i) reached[i] = stages_->reach.is_reached(FunctionId(i));
  docket_.assumptions = listed(made, count_assumed_calls(program, stages_->input.models, stages_->targets, reached));
  const auto once = static_cast<std::size_t>(std::ranges::count_if(stages_->reach.roots, &Root::runs_once));
  list_count("described-system", stages_->preemption != nullptr ? stages_->entries.size() : once, "entry", "entries");
  // There masks keep somebody away.
  if (stages_->preemption != nullptr && options.system->has_one_core)
    std::erase_if(docket_.assumptions, [](const std::string& text) { return text.starts_with("processor-masks"); });
  list_count("small-classes", stages_->suspicions.stats.large_classes, "class", "classes");
  list_users("local-ends", &FunctionSummary::gives_locals_away);
  list_users("closures", &FunctionSummary::leaves_copies);
  list_count("thread-states", static_cast<std::uint64_t>(std::ranges::count(stages_->reach.ends_states, true)),
             "thread", "threads");
  if (const std::size_t count = program.unseen.size(); count != 0)
    docket_.assumptions.push_back("unseen-code (" + std::to_string(count) + (count == 1 ? " place)" : " places)"));
  stats_.candidates = stages_->suspicions.stats;
  if (const std::uint64_t cut = stats_.candidates.cut_groups; cut != 0)
    docket_.assumptions.push_back("bounded-groups (" + std::to_string(cut) + (cut == 1 ? " group)" : " groups)"));
  if (const std::size_t givers = stages_->count_givers(); givers != 0)
    docket_.assumptions.push_back("owner-unlocks (" + std::to_string(givers) +
                                  (givers == 1 ? " thread)" : " threads)"));
  stats_.functions = docket_.coverage.functions;
  stats_.functions_reached = docket_.coverage.functions_reached;
  stats_.instructions = docket_.coverage.instructions;
  stats_.roots = stages_->reach.roots.size();
}

void Scan::list_count(std::string_view name, std::uint64_t count, const std::string& one, const std::string& many) {
  const auto at = std::ranges::find(docket_.assumptions, name);
  if (at == docket_.assumptions.end()) return;
  if (count == 0)
    docket_.assumptions.erase(at);
  else
    *at += " (" + std::to_string(count) + " " + (count == 1 ? one : many) + ")";
}

void Scan::list_users(std::string_view name, bool FunctionSummary::* is_user) {
  const auto count = std::ranges::count_if(stages_->summaries, [&](const FunctionSummary& s) { return s.*is_user; });
  list_count(name, static_cast<std::uint64_t>(count), "function", "functions");
}

Scan::~Scan() = default;

void Scan::place_covered_cases() {
  place_covered(docket_, find_covers(stages_->scanned, stages_->suspicions, stages_->options.cover));
}

race::Evidence& Scan::evidence() { return *stages_->evidence; }
const std::vector<FunctionSummary>& Scan::summaries() const { return stages_->summaries; }
SharedVariables Scan::shared_variables() const {
  return find_shared_variables(stages_->scanned, stages_->entries, options_for(stages_->options));
}

ScanResult scan(const Program& program, const api::ApiModels& models, const ScanOptions& options) {
  Scan scan(program, models, options);
  ScanResult out;
  out.report = race::build_report(program, scan.docket(), scan.evidence());
  scan.finish_stage("report");
  out.stats = std::move(scan.stats());
  return out;
}

}  // namespace heddle::scan
