// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/reach.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "scan/calls/called_model.h"
#include "scan/calls/thread_states.h"
#include "scan/calls/trampolines.h"
#include "scan/reach/dying_code.h"
#include "scan/reach/late_calls.h"
#include "scan/reach/outside_contexts.h"
#include "scan/reach/own_arguments.h"
#include "scan/reach/thread_instances.h"

namespace heddle::scan {
namespace {

std::vector<NamedLock> both(const std::vector<NamedLock>& a, const std::vector<NamedLock>& b) {
  std::vector<NamedLock> out;
  for (const NamedLock& lock : a)
    if (const auto at = std::ranges::lower_bound(b, lock.name, {}, &NamedLock::name);
        at != b.end() && at->name == lock.name)
      out.push_back({lock.name, locks::weaker(lock.mode, at->mode)});
  return out;
}

class ReachWalk {
 public:
  ReachWalk(const ScanInput& input, const std::vector<FunctionSummary>& summaries, LockNames& names, DyingCode& dying)
      : in_(input), summaries_(summaries), names_(names), dying_(dying) {
    out_.visits.resize(input.program.functions.size());
    out_.is_wide_target.resize(input.program.functions.size());
    out_.ends_states.resize(input.program.functions.size());
    out_.root_sets.resize(2);
    out_.live_set({});
    set_ids_[{}] = 0;
    queued_.resize(input.program.functions.size());
  }

  Reach run(const std::vector<FunctionId>& mains, const std::vector<threads::OutsideEntry>& entries,
            bool from_the_start) {
    const std::uint32_t live = run_constructors();
    if (main_phase_ == Phase::Boot) out_.mains = mains;
    if (from_the_start && !entries.empty()) main_phase_ = Phase::Main;
    for (const FunctionId main : mains) enter(main, main_phase_, {}, {.live = live}, {}, {}, {});
    if (!from_the_start) contexts_ = OutsideContexts(entries, in_.assumptions);
    for (const threads::OutsideEntry& entry : entries)
      if (entry.context != api::EntryContext::Thread) start_from_outside(entry.function);
    follow_all();
    for (const threads::OutsideEntry& entry : entries)
      if (!root_ids_.contains(entry.function)) start_from_outside(entry.function);
    follow_all();
    start_unnamed();
    run_late_calls(mains);
    settle_instances(in_, summaries_, started_by_threads_, out_);
    find_own_arguments(in_, summaries_, out_);
    for (Root& root : out_.roots) root.runs_once &= !root.is_multiple;
    return std::move(out_);
  }

 private:
  /// What runs before main, one after the other; the threads that still run then.
  std::uint32_t run_constructors() {
    std::uint32_t live = 0;
    for (const FunctionId constructor : in_.program.constructors) {
      if (!in_.program.functions[constructor].has_body()) continue;
      enter(constructor, main_phase_, {}, {.live = live}, {}, {}, {});
      follow_all();
      const FunctionSummary& summary = summaries_[constructor.index()];
      if (!summary.thread_states[summary.exit_threads].spawned) continue;
      const Visit visit = out_.visit(constructor, main_phase_);
      live = live_with(live, out_.live_at(summary, visit, summary.exit_threads, names_));
      main_phase_ = Phase::Main;
    }
    return live;
  }

  struct Caller {
    FunctionId function;
    std::uint32_t instruction = 0;
    Phase phase = Phase::Boot;
  };

  void start_from_outside(FunctionId entry) {
    Root& root = root_of(entry);
    if (root.is_wide && !root.creator.valid()) return;  // for another reason
    const bool is_new = !root.creator.valid();
    root.runs_once = is_new && contexts_.runs_once(entry);
    root.is_multiple |= !root.runs_once;
    root.is_wide = true;
    root.owner = Root::several;
    root.owns_argument &= is_new && contexts_.owns_argument(entry);
    root.is_trampoline = false;
    start(entry);
  }

  /// A thread is started by a function that only got the entry, and some caller could not say which: it may be each
  /// that the pointer can mean.
  void start_unnamed() {
    const auto has_no_name = [](const SummarySpawn& spawn) { return !spawn.entry.is_code(); };
    bool is_more = true;
    while (std::exchange(is_more, false)) {
      bool is_needed = false;
      for (std::uint32_t f = 0; f < summaries_.size() && !is_needed; ++f)
        is_needed =
            out_.is_reached(FunctionId(f)) &&
            std::ranges::any_of(summaries_[f].spawns, [](const SummarySpawn& s) { return s.entry.is_unknown(); });
      if (!is_needed) return;
      for (std::uint32_t f = 0; f < summaries_.size(); ++f) {
        if (!out_.is_reached(FunctionId(f))) continue;
        for (const SummarySpawn& spawn : summaries_[f].spawns | std::views::filter(has_no_name))
          is_more |= start_all(FunctionId(f), spawn.instruction);
      }
      follow_all();
    }
  }

  /// Whether there are new ones.
  bool start_all(FunctionId function, std::uint32_t instruction) {
    const Function& f = in_.program.functions[function];
    const Operand callee = f.operands_of(f.instructions[instruction])[0];
    if (!callee.is_function() || in_.program.functions[callee.as_function()].has_body()) return false;
    bool is_more = false;
    for (const FunctionId target : in_.targets.of(function, instruction)) {
      if (root_ids_.contains(target) || !in_.program.functions[target].has_body()) continue;
      start_from_outside(target);
      Root& root = root_of(target);
      root.creator = function;
      root.instruction = instruction;
      is_more = true;
    }
    return is_more;
  }

  void follow_all() {
    while (!queue_.empty()) {
      const auto [function, phase] = queue_.front();
      queue_.pop_front();
      queued_[function.index()][static_cast<std::size_t>(phase)] = false;
      follow(function, phase);
    }
  }

  struct Threads {
    std::uint32_t roots = 0, live = 0;
    bool is_early = false, is_dying = false;
    std::vector<Passed> passed = {};
    NamedHistory history = {};
  };

  /// What runs at the end of the program or of a thread; it may lead to more of both.
  void run_late_calls(const std::vector<FunctionId>& mains) {
    for (const FunctionId destructor : in_.program.destructors)
      late_.push_back({destructor, LateCall::When::ProgramEnd});
    looked_at_.resize(in_.program.functions.size());
    bool is_more = true;
    while (is_more) {
      look_for_late_calls();
      if (late_.empty() && state_ends_.empty()) return;
      for (const LateCall& late : late_) run_late(late, mains);
      for (const auto& [entry, end] : state_ends_) run_state_end(entry, end);
      is_more = !queue_.empty();
      follow_all();
    }
  }

  /// The thread that ran an object's function ends the object, wherever it ends itself.
  void run_state_end(FunctionId entry, FunctionId end) {
    const LateCall late{end, LateCall::When::ThreadEnd};
    out_.ends_states[end.index()] = true;
    run_behind_return(late, entry, first_phase(entry));
    const std::uint32_t root = root_ids_.at(entry);
    for (std::size_t i = 0; i < summaries_.size(); ++i)
      if (looked_at_[i])
        for (const SummaryCall& call : summaries_[i].calls)
          if (may_run_late(in_, call.callee, late.when))
            for (const Phase phase : {Phase::Early, Phase::Thread})
              if (comes_to(root, out_.visit(FunctionId(i), phase)))
                run_behind(late, {FunctionId(i), call.instruction, phase}, call.threads, false);
  }

  /// Whether threads of this root make the visit.
  [[nodiscard]] bool comes_to(std::uint32_t root, const Visit& visit) const {
    return visit.reached &&
           (visit.roots == Reach::any_root || std::ranges::binary_search(out_.root_sets[visit.roots], root));
  }

  void look_for_late_calls() {
    for (std::size_t i = 0; i < looked_at_.size(); ++i) {
      if (looked_at_[i] || !out_.is_reached(FunctionId(i))) continue;
      looked_at_[i] = true;
      for (const LateCall& late : late_calls(in_, FunctionId(i)))
        if (std::ranges::find(late_, late) == late_.end()) late_.push_back(late);
    }
  }

  void run_late(const LateCall& late, const std::vector<FunctionId>& mains) {
    if (late.when != LateCall::When::Terminate)
      for (const FunctionId main : mains) run_behind_return(late, main, main_phase_);
    // By the thread that caught an exception, at the latest at its end.
    const bool is_of_thread = late.when == LateCall::When::ThreadEnd || late.when == LateCall::When::ExceptionEnd;
    if (is_of_thread)
      for (std::uint32_t root = 0; root < out_.roots.size(); ++root)
        run_behind_return(late, out_.roots[root].entry, first_phase(out_.roots[root].entry));
    // Nobody binds its parameter: what it does to the object it was registered with counts as it is.
    if (late.when == LateCall::When::ProgramEnd) out_.is_wide_target[late.function.index()] = true;
    for (std::size_t i = 0; i < summaries_.size(); ++i)
      if (looked_at_[i])
        for (const SummaryCall& call : summaries_[i].calls)
          if (may_run_late(in_, call.callee, late.when)) run_behind_call(late, FunctionId(i), call);
  }

  static bool is_end_of_program(LateCall::When when) {
    return when == LateCall::When::ProgramEnd || when == LateCall::When::Terminate;
  }

  void run_behind_return(const LateCall& late, FunctionId function, Phase phase) {
    const FunctionSummary& summary = summaries_[function.index()];
    run_behind(late, {function, last_return(in_.program.functions[function]), phase}, summary.exit_threads, false);
  }

  void run_behind_call(const LateCall& late, FunctionId function, const SummaryCall& call) {
    for (const Phase phase : all_phases)
      if (out_.visit(function, phase).reached)
        run_behind(late, {function, call.instruction, phase}, call.threads, is_end_of_program(late.when));
  }

  /// In the thread that comes to `from`, with the threads that it has running there.
  void run_behind(const LateCall& late, const Caller& from, std::uint32_t threads, bool is_dying) {
    const Visit visit = out_.visit(from.function, from.phase);
    const FunctionSummary& summary = summaries_[from.function.index()];
    const std::uint32_t live = out_.live_at(summary, visit, threads, names_);
    const bool has_spawned = threads != 0 && summary.thread_states[threads].spawned;
    if (std::ranges::find(out_.late, late.function) == out_.late.end()) out_.late.push_back(late.function);
    enter(late.function, behind(from.phase, has_spawned), {},
          {.roots = visit.roots, .live = live, .is_dying = is_dying}, from, false, false);
  }

  Root& root_of(FunctionId entry) {
    const auto [at, is_new] = root_ids_.try_emplace(entry, static_cast<std::uint32_t>(out_.roots.size()));
    if (is_new) out_.roots.push_back({.entry = entry, .creator = {}});
    return out_.roots[at->second];
  }

  void start(FunctionId entry) {
    const std::uint32_t id = root_ids_.at(entry);
    enter(entry, first_phase(entry), {}, {.roots = set_of({id})}, {}, {}, {});
  }

  /// What a thread begins in.
  [[nodiscard]] Phase first_phase(FunctionId entry) const {
    return summaries_[entry.index()].may_spawn ? Phase::Early : Phase::Thread;
  }

  std::uint32_t set_of(std::vector<std::uint32_t> all) {
    if (all.size() > Reach::most_roots) return Reach::any_root;
    const auto [at, is_new] = set_ids_.try_emplace(all, static_cast<std::uint32_t>(out_.root_sets.size()));
    if (is_new) out_.root_sets.push_back(std::move(all));
    return at->second;
  }

  std::uint32_t both_sets(std::uint32_t a, std::uint32_t b) {
    if (a == Reach::any_root || b == Reach::any_root) return Reach::any_root;
    std::vector<std::uint32_t> all;
    std::ranges::set_union(out_.root_sets[a], out_.root_sets[b], std::back_inserter(all));
    return set_of(std::move(all));
  }

  void enter(FunctionId function, Phase phase, std::vector<NamedLock> locks, Threads threads, const Caller& from,
             bool many, bool again) {
    if (!in_.program.functions[function].has_body()) return;
    Visit& visit = out_.visits[function.index()][static_cast<std::size_t>(phase)];
    bool changed = false;
    visit.is_root |= !from.function;
    if (!visit.reached) {
      visit.reached = changed = true;
      visit.locks = std::move(locks);
      visit.passed = std::move(threads.passed);
      visit.history = std::move(threads.history);
      visit.roots = threads.roots;
      visit.live = threads.live;
      visit.is_early = threads.is_early;
      visit.is_dying = threads.is_dying;
      visit.many = many;
      come_from(visit, from);
      visit.calls = 1;
    } else {
      // A second way there, other than the first seen once more.
      if (!again && (visit.caller != from.function || visit.call != from.instruction)) many = true;
      // The way that is shown: with few locks, and one on which the program goes on.
      std::vector<NamedLock> common = both(visit.locks, locks);
      const bool is_better = threads.is_dying == visit.is_dying ? common != visit.locks : visit.is_dying;
      if (is_better && visit.caller && !leads_to(from, function, phase)) come_from(visit, from);
      changed |= common != visit.locks;
      visit.locks = std::move(common);
      if (visit.history != threads.history) {
        NamedHistory history = either_history(visit.history, threads.history);
        changed |= history != visit.history;
        visit.history = std::move(history);
      }
      if (visit.passed != threads.passed) {
        std::vector<Passed> all = either_passed(visit.passed, threads.passed);
        changed |= all != visit.passed;
        visit.passed = std::move(all);
      }
      changed |= visit.is_early && !threads.is_early;
      visit.is_early &= threads.is_early;
      changed |= visit.is_dying && !threads.is_dying;
      visit.is_dying &= threads.is_dying;
      if (visit.live != threads.live) {
        const std::uint32_t all = live_with(visit.live, threads.live);
        changed |= all != visit.live;
        visit.live = all;
      }
      if (visit.roots != threads.roots) {
        const std::uint32_t all = both_sets(visit.roots, threads.roots);
        changed |= all != visit.roots;
        visit.roots = all;
      }
      if (many && !visit.many) visit.many = changed = true;
    }
    if (changed) push(function, phase);
  }

  void push(FunctionId function, Phase phase) {
    if (queued_[function.index()][static_cast<std::size_t>(phase)]) return;
    queued_[function.index()][static_cast<std::size_t>(phase)] = true;
    queue_.emplace_back(function, phase);
  }

  static void come_from(Visit& visit, const Caller& from) {
    visit.caller = from.function;
    visit.call = from.instruction;
    visit.caller_phase = from.phase;
  }

  /// Whether the way to a caller, as it is shown, passes a function.
  [[nodiscard]] bool leads_to(Caller at, FunctionId function, Phase phase) const {
    while (at.function) {
      if (at.function == function && at.phase == phase) return true;
      const Visit& visit = out_.visits[at.function.index()][static_cast<std::size_t>(at.phase)];
      at = {visit.caller, visit.call, visit.caller_phase};
    }
    return false;
  }

  std::uint32_t live_with(std::uint32_t a, std::uint32_t b) {
    std::vector<LiveThread> all;
    std::ranges::set_union(out_.live_sets[a], out_.live_sets[b], std::back_inserter(all));
    return out_.live_set(std::move(all));
  }

  std::vector<NamedLock> locks_at(const FunctionSummary& summary, const Visit& visit, std::uint32_t lockset) {
    const RelativeLockset& relative = summary.locksets[lockset];
    std::vector<NamedLock> out = visit.locks;
    names_.give_back(in_, summary, relative.released, out);
    const auto add = [&](std::uint32_t name, const HeldLock& held) {
      if (name == LockNames::none) return;
      const auto at = std::ranges::lower_bound(out, name, {}, &NamedLock::name);
      if (at == out.end() || at->name != name)
        out.insert(at, {name, held.mode});
      else
        at->mode = locks::stronger(at->mode, held.mode);
    };
    for (const HeldLock& held : relative.acquired) {
      add(names_.fixed(summary, held.lock), held);
      add(names_.bound(summary, held.lock, visit.passed), held);
      add(names_.kind_of(in_.program, summary, held.lock), held);
    }
    return out;
  }

  /// What a call passes, as far as the callee asks for it.
  std::vector<Passed> passed_at(const FunctionSummary& summary, const Visit& visit, const SummaryCall& call) {
    std::vector<Passed> out;
    for (const auto& [index, given] : call.arguments) add_passed(summary, visit, index, given, out);
    std::ranges::sort(out);
    return out;
  }

  void add_passed(const FunctionSummary& summary, const Visit& visit, std::uint32_t index, const SymbolicValue& given,
                  std::vector<Passed>& out) {
    if (given.is_number()) return out.push_back({index, Passed::Kind::Number, given.number});
    if (given.is_code()) return out.push_back({index, Passed::Kind::Code, std::int64_t{given.code.index()}});
    const Node* formal = given.is_address() ? &summary.nodes[given.address.node.index()] : nullptr;
    if (formal != nullptr && formal->kind != NodeKind::Formal) {
      if (const std::uint32_t name = names_.fixed(summary, given.address); name != LockNames::none)
        out.push_back({index, Passed::Kind::Place, std::int64_t{name}});
      return;
    }
    // What it was passed itself.
    const std::int32_t distance = formal != nullptr ? given.address.offset : 0;
    const auto parameter = formal != nullptr ? formal->index : static_cast<std::uint32_t>(given.number);
    const auto rows = std::ranges::equal_range(visit.passed, parameter, {}, &Passed::parameter);
    const auto is_place = [](const Passed& row) { return row.kind == Passed::Kind::Place; };
    if (distance != 0 && !std::ranges::all_of(rows, is_place)) return;
    for (const Passed& row : rows) {
      const auto name = static_cast<std::uint32_t>(row.value);
      out.push_back({index, row.kind, is_place(row) ? std::int64_t{names_.moved(name, distance)} : row.value});
    }
  }

  void follow(FunctionId function, Phase phase) {
    const FunctionSummary& summary = summaries_[function.index()];
    const Visit visit = out_.visit(function, phase);
    const auto entry = root_ids_.find(function);
    const bool is_trampoline = entry != root_ids_.end() && out_.roots[entry->second].is_trampoline && !visit.caller;
    for (const SummaryCall& call : summary.calls) {
      if (is_trampoline && calls_first_parameter(in_.program.functions[function], call.instruction)) continue;
      if (!may_hold(call.when, visit.passed)) continue;
      const bool has_spawned = summary.thread_states[call.threads].spawned;
      const std::uint32_t live = out_.live_at(summary, visit, call.threads, names_);
      if (call.is_opaque) out_.is_wide_target[call.callee.index()] = true;
      const bool is_early =
          is_thread(phase) && !has_spawned &&
          (visit.is_early || (summary.may_spawn && starts_threads_behind(summaries_, function, call.instruction)));
      const bool is_dying = visit.is_dying || dying_.at(function, call.instruction);
      enter(call.callee, behind(phase, has_spawned), locks_at(summary, visit, call.lockset),
            {visit.roots, live, is_early, is_dying, passed_at(summary, visit, call),
             history_at(in_, names_, {summary, call.lockset, call.history}, visit)},
            {function, call.instruction, phase}, visit.many || call.in_loop, false);
    }
    for (const SummarySpawn& spawn : summary.spawns)
      if (spawn.entry.is_code() && in_.program.functions[spawn.entry.code].has_body())
        follow_spawn({function, spawn.instruction, phase}, visit, spawn);
  }

  void follow_spawn(const Caller& from, const Visit& visit, const SummarySpawn& spawn) {
    const FunctionId entry = spawn.entry.code;
    if (const auto start = object_start(from)) {
      if (!is_entry(from, *start, entry)) return;
      for (const FunctionId end : called_behind(in_.program, *start, entry))
        if (in_.program.functions[end].has_body()) state_ends_.emplace(entry, end);
    }
    const bool is_new = !root_ids_.contains(entry);
    Root& root = root_of(entry);
    const bool is_first_site = is_new || (root.creator == from.function && root.instruction == from.instruction);
    if (is_new) {
      root.creator = from.function;
      root.instruction = from.instruction;
    }
    if (is_thread(from.phase))
      note_start_by_thread(root, from, visit, spawn, is_first_site);
    else
      note_start_by_main(root, from, visit, spawn, is_first_site);
    root.is_multiple |= root.runs_once;  // from outside, and here
    root.owns_argument &= spawn.fresh_argument;
    const bool is_followed_now = root.is_trampoline && !spawn.is_trampoline;
    root.is_trampoline &= spawn.is_trampoline;
    start(entry);
    if (is_followed_now && !is_new) push(entry, first_phase(entry));
  }

  void note_start_by_thread(Root& root, const Caller& from, const Visit& visit, const SummarySpawn& spawn,
                            bool is_first_site) {
    root.is_wide = true;
    const auto& by = out_.root_sets[visit.roots];
    const std::uint32_t owner = by.size() == 1 ? by[0] : Root::several;
    root.owner = root.owner == Root::nobody || root.owner == owner ? owner : Root::several;
    // A thread that comes there once before and once after it has started another comes there twice.
    const Phase other = from.phase == Phase::Early ? Phase::Thread : Phase::Early;
    bool by_many = visit.many || visit.roots == Reach::any_root || out_.visit(from.function, other).reached;
    for (const std::uint32_t r : by) by_many |= out_.roots[r].is_multiple;
    root.is_multiple |= spawn.in_loop || by_many || !is_first_site || by.size() > 1;
    root.is_repeated |= root.is_multiple;
    started_by_threads_.insert({from.function, from.phase, root_ids_.at(spawn.entry.code)});
  }

  void note_start_by_main(Root& root, const Caller& from, const Visit& visit, const SummarySpawn& spawn,
                          bool is_first_site) {
    // If its handle has a name, what runs already tells whether another one does. One without a name may be it, where
    // this is not the first time that it is started.
    const bool may_repeat = !is_first_site || spawn.in_loop || visit.many;
    const std::uint32_t live = out_.live_at(summaries_[from.function.index()], visit, spawn.threads, names_);
    const bool runs_already = std::ranges::any_of(out_.live_sets[live], [&](const LiveThread& t) {
      return t.entry == spawn.entry.code.index() || (t.entry >= LiveThread::detached && may_repeat);
    });
    root.is_multiple |= runs_already || (!spawn.has_handle && may_repeat);
    root.is_repeated |= root.is_multiple || may_repeat;
    root.beside = live_with(root.beside, live);
    root.by_main = true;
  }

  /// Of a call that starts a thread with an object, which has one function to begin and one to end with.
  [[nodiscard]] std::optional<api::StartThread> object_start(const Caller& at) const {
    const Function& f = in_.program.functions[at.function];
    const api::Model* model = called_model(in_.models, f, f.instructions[at.instruction]);
    if (model == nullptr) return std::nullopt;
    for (const api::Effect& effect : model->effects)
      if (const auto start = api::get<api::StartThread>(effect); start && start->after_slot >= 0) return start;
    return std::nullopt;
  }

  /// Where only the class of the object's table is known, the functions of both slots are among the targets.
  [[nodiscard]] bool is_entry(const Caller& at, const api::StartThread& start, FunctionId function) const {
    const auto targets = in_.targets.of(at.function, at.instruction);
    const auto entries = entries_among(in_.program, start, {targets.begin(), targets.end()});
    return std::ranges::find(targets, function) == targets.end() ||
           std::ranges::find(entries, function) != entries.end();
  }

  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  LockNames& names_;
  DyingCode& dying_;
  Reach out_;
  Phase main_phase_ = Phase::Boot;  ///< Main if what runs before main starts threads
  std::map<FunctionId, std::uint32_t> root_ids_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> set_ids_;
  std::deque<std::pair<FunctionId, Phase>> queue_;
  std::vector<std::array<bool, phase_count>> queued_;
  std::set<StartByThread> started_by_threads_;
  std::set<std::pair<FunctionId, FunctionId>> state_ends_;  ///< entries, and what their threads call behind them
  std::vector<LateCall> late_;
  OutsideContexts contexts_;
  std::vector<bool> looked_at_;  ///< for them, by function
};

}  // namespace

bool starts_threads_behind(const std::vector<FunctionSummary>& summaries, FunctionId function,
                           std::uint32_t instruction) {
  const FunctionSummary& summary = summaries[function.index()];
  return std::ranges::any_of(summary.spawns, [&](const SummarySpawn& s) { return s.instruction > instruction; }) ||
         std::ranges::any_of(summary.calls, [&](const SummaryCall& call) {
           return call.instruction > instruction && summaries[call.callee.index()].may_spawn;
         });
}

Reach find_reach(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                 const std::vector<FunctionId>& mains, const std::vector<threads::OutsideEntry>& entries,
                 bool from_the_start, LockNames& names, DyingCode& dying) {
  Reach out = ReachWalk(input, summaries, names, dying).run(mains, entries, from_the_start);
  out.has_main = !mains.empty();
  return out;
}

}  // namespace heddle::scan
