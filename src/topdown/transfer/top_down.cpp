// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/top_down.h"

#include <algorithm>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

namespace {
// "call instructions" of what no instruction calls
constexpr std::uint32_t before_main = 0xffff0000;
constexpr std::uint32_t at_exit = 0xffff8000;
constexpr int most_exit_turns = 8;
}  // namespace

TopDownAnalysis::TopDownAnalysis(const Program& program, const api::ApiModels& models, const TopDownOptions& options,
                                 Universe& universe)
    : program_(program),
      models_(models),
      options_(options),
      u(universe),
      d(universe),
      shared_(universe),
      memory_(d, shared_, kinds_) {
  for (const Function& f : program.functions)
    for (const Instruction& i : f.instructions) has_landing_pads_ = has_landing_pads_ || i.opcode == Opcode::LandingPad;
}

State TopDownAnalysis::entry_state(ThreadId id) {
  State s;
  s.thread = id;
  const threads::Thread& thread = u.threads.threads[id];
  const Function& f = program_.functions[thread.entry];
  auto set = [&](std::size_t parameter, FormId form) {
    if (parameter < f.parameters.size())
      s.environment = u.maps.set(s.environment, u.environment_key(thread.root, ValueId(parameter)), form.index());
  };
  if (id == main_) {
    const ObjectId outside = u.object(ObjectKind::External, 0, {}, {}, false);
    const SymbolId argc =
        u.symbol({.kind = SymbolKind::Defined, .bits = 32, .a = thread.root.index(), .b = 0, .depends = {}});
    set(0, d.define(s, argc, u.any_number(32)));
    for (std::size_t k = 1; k < f.parameters.size(); ++k) set(k, u.opaque(u.addresses({{outside, 0, 0, 0}})));
    return s;
  }
  s.parallel = s.was_parallel = true;
  for (const ThreadId t : thread.joined_before) s.joined = u.maps.set(s.joined, t.index(), 1);
  const SymbolId argument =
      u.symbol({.kind = SymbolKind::Argument, .bits = u.pointer_bits(), .a = id.index(), .depends = {}});
  const auto known = thread_arguments_.find(id);
  set(0, d.define(s, argument, known == thread_arguments_.end() ? u.any_number(u.pointer_bits()) : known->second));
  return s;
}

void TopDownAnalysis::note_thread_end(ThreadId id, const State& s) {
  threads::Thread& thread = u.threads.threads[id];
  std::set<ThreadId> joined;
  u.maps.for_each(s.joined, [&](std::uint32_t t, std::uint32_t) { joined.insert(ThreadId(t)); });
  const std::set<ThreadId> before = thread.joined_at_exit;
  if (!thread.exit_known)
    thread.joined_at_exit = joined;
  else
    std::erase_if(thread.joined_at_exit, [&](ThreadId t) { return !joined.contains(t); });
  if (!thread.exit_known || before != thread.joined_at_exit) changed_ = true;
  thread.exit_known = true;
}

void TopDownAnalysis::run_thread(ThreadId id) {
  States states{entry_state(id)};
  const ContextId root = u.threads.threads[id].root;
  if (id == main_) {
    const FunctionId entry = u.threads.threads[id].entry;
    for (std::size_t k = 0; k < program_.constructors.size(); ++k) {
      const FunctionId constructor = program_.constructors[k];
      if (!program_.functions[constructor].has_body()) continue;
      States next;
      const ContextId context = u.threads.call(root, before_main + static_cast<std::uint32_t>(k), constructor);
      for (const State& s : states)
        for (State after : run_function(context, s).returns) next.push_back(after);
      const Site site{root, entry, &program_.functions[entry], before_main};
      compact(next, site);
      states = next;
    }
  }
  for (const State& s : states) {
    const Exits exits = run_function(root, s);
    for (const State& end : exits.returns) {
      note_thread_end(id, end);
      if (id == main_) run_at_exit(end);
      if (u.threads.threads[id].after) run_after(id, end);
    }
  }
}

/// What the thread calls when its entry has returned: with the same argument, from the state the entry left.
void TopDownAnalysis::run_after(ThreadId id, State s) {
  const threads::Thread& thread = u.threads.threads[id];
  const ContextId context = u.threads.call(thread.root, before_main, thread.after);
  const auto known = thread_arguments_.find(id);
  if (known != thread_arguments_.end())
    s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(0)), u.opaque(known->second).index());
  run_function(context, s);
}

/// What is registered to run at the end runs in some order, each from what the others left: all orders are followed
/// until no new state appears.
void TopDownAnalysis::run_at_exit(const State& before) {
  const ContextId root = u.threads.threads[before.thread].root;
  std::map<FunctionId, InfoId> functions = at_exit_;
  for (const FunctionId f : program_.destructors)
    if (program_.functions[f].has_body()) functions.emplace(f, u.any_number(u.pointer_bits()));
  const FunctionId entry = u.threads.threads[before.thread].entry;
  const Site site{root, entry, &program_.functions[entry], at_exit};
  const MergePoint at{root, at_exit, false, false, nullptr};
  States states{before};
  bool grows = true;
  for (int turn = 0; grows; ++turn) {
    if (turn == most_exit_turns)
      return obstacle(site, "functions that run at the end of the program and do not settle");
    grows = false;
    std::uint32_t number = at_exit;
    for (const auto& [function, given] : functions) {
      const ContextId context = u.threads.call(root, number++, function);
      const std::uint32_t first = u.environment_key(context, ValueId(0));
      const std::uint32_t last = u.environment_key(context, ValueId(program_.functions[function].value_count()));
      const States from = states;
      for (State s : from) {
        if (!program_.functions[function].parameters.empty())
          s.environment = u.maps.set(s.environment, first, u.opaque(given).index());
        const States left = run_function(context, s).returns;
        for (State after : left) {
          for (std::uint32_t key = first; key <= last; ++key) after.environment = u.maps.erase(after.environment, key);
          grows = add_disjunct(states, after, at) || grows;
        }
      }
    }
  }
}

void TopDownAnalysis::round() {
  instances_.clear();
  changed_ = false;
  shared_.start_round(&all_thresholds_);
  memory_.start_round();
  for (std::size_t t = 0; t < u.threads.threads.size(); ++t) run_thread(ThreadId(t));
}

constexpr int most_recordings = 8;

void TopDownAnalysis::run(FunctionId main) {
  main_ = u.threads.main_thread(main);
  try {
    const auto is_stable = [&] { return !changed_ && !shared_.changed() && !memory_.changed(); };
    // Recording looks at more than the rounds before it, and may find one more change: then what it saw does not count.
    for (int attempt = 0; attempt < most_recordings; ++attempt) {
      final_round_ = recording_ = false;
      do {
        round();
      } while (!is_stable());
      final_round_ = recording_ = true;
      accesses_.clear();
      obstacles_.clear();
      round();
      if (is_stable()) return;
    }
    obstacles_.insert({u.threads.threads[main_].root, 0, "the analysis does not settle; please report this program"});
  } catch (const BudgetExceeded& budget) {
    obstacles_.insert({u.threads.threads[main_].root, 0, budget.what});
    gave_up_ = true;
  }
}

void TopDownAnalysis::deliver(TopDownResult& result) {
  result.accesses.assign(accesses_.begin(), accesses_.end());
  result.obstacles = obstacles_;
  result.reached = reached_;
  result.assumptions = assumptions_;
  result.steps = steps_;
  result.gave_up = gave_up_;
  for (const auto& [lock, use] : kinds_.semaphores)
    if (use.misused || !use.initialised_to_one || all_misused_.contains(lock.object)) result.false_locks.insert(lock);
  for (const auto& [lock, written] : kinds_.once)
    if (written) result.false_locks.insert(lock);
  for (const auto& [lock, use] : kinds_.flags)
    if (shared_.has_plain_write(lock.object, lock.offset, use.size)) result.false_locks.insert(lock);
}

TopDownResult analyse_top_down(const Program& program, const api::ApiModels& models, FunctionId main,
                               const TopDownOptions& options) {
  TopDownResult result;
  result.threads = std::make_unique<threads::ThreadTable>();
  result.universe = std::make_unique<Universe>(program, *result.threads);
  TopDownAnalysis analysis(program, models, options, *result.universe);
  analysis.run(main);
  analysis.deliver(result);
  return result;
}

}  // namespace heddle::topdown
