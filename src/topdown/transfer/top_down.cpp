// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/top_down.h"

#include "topdown/transfer/library_calls.h"
#include "topdown/transfer/rounds.h"

namespace heddle::topdown {

namespace {

/// The collaborators of one analysis, each with what it needs of those above it. Two rings are closed by hand:
/// functions are run by BlockFixpoint, whose calls run functions; library functions are applied by Calls, whose actions
/// call back.
struct TopDownAnalysis {
  TopDownAnalysis(const api::ApiModels& models, const TopDownOptions& options, Universe& universe, ThreadId main)
      : d(universe),
        shared(universe),
        memory(d, shared, kinds),
        values(d),
        expressions(values),
        call_values(values),
        ledger(d, shared, changed),
        recorder(memory, ledger, kinds, options.without,
                 {outside_variables(universe.program, models), options.undefined_functions_only_return}),
        held(memory, kinds),
        phase(ledger, held, kinds, universe, main, changed),
        frames(values, recorder, phase),
        flags(held, memory, kinds, changed),
        semaphores(call_values, held, memory, recorder, kinds),
        locks(call_values, values, held, semaphores, memory, recorder, kinds, changed),
        once(call_values, held, recorder, kinds,
             [this](const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& given) {
               return calls.call_back(site, s, callee, given);
             }),
        flow(universe.program, options.bounds.coarse),
        threads(call_values, values, memory, recorder, ledger, phase, flow.all_thresholds(), changed),
        memory_actions(call_values, values, memory, recorder),
        teams(call_values, values, memory),
        own_values(call_values, values, memory, recorder, changed),
        disjuncts(memory, options.disjuncts, options.bounds.coarse),
        budget(universe, options.step_budget, options.byte_budget, options.stop, !options.bounds.coarse),
        ending(models, call_values, memory, recorder, phase, frames, own_values, disjuncts, blocks, changed),
        exceptions(models, call_values, memory, recorder, calls, changed),
        library(call_values, values, memory, recorder,
                {locks, semaphores, once, threads, memory_actions, teams, own_values, ending, exceptions}, calls),
        calls(models, {options.undefined_functions_only_return}, call_values, values, memory, recorder, ledger, held,
              disjuncts, budget, library, blocks),
        atomics(values, memory, recorder, flags),
        instructions(values, expressions, memory, recorder, flags, atomics),
        blocks(shared.reads(), values, recorder, phase, frames, flow, disjuncts, budget, instructions, atomics, calls,
               options.bounds),
        rounds(main, shared, memory, recorder, threads, phase, flow, disjuncts, blocks, ending, changed) {}

  bool changed = false;  ///< in this round something grew that all threads see
  LockKinds kinds;
  Domain d;
  SharedMemory shared;
  Memory memory;
  Values values;
  Expressions expressions;
  CallValues call_values;
  InstanceLedger ledger;
  Recorder recorder;
  HeldLocks held;
  ThreadPhase phase;
  FrameEnds frames;
  FlagLocks flags;
  Semaphores semaphores;
  LockActions locks;
  OnceActions once;
  FlowFacts flow;
  ThreadActions threads;
  MemoryActions memory_actions;
  TeamActions teams;
  ThreadValues own_values;
  Disjuncts disjuncts;
  StepBudget budget;
  ProgramEnd ending;
  ExceptionEnds exceptions;
  LibraryCalls library;
  Calls calls;
  Atomics atomics;
  Instructions instructions;
  BlockFixpoint blocks;
  Rounds rounds;
};

/// Locks that were conjectures and turned out to exclude nobody.
std::set<LockName> false_locks(const LockKinds& kinds, const SharedMemory& shared) {
  std::set<LockName> out;
  for (const auto& [lock, use] : kinds.semaphores)
    if (use.misused || !use.initialised_to_one || kinds.misused_somewhere.contains(lock.object)) out.insert(lock);
  for (const auto& [lock, written] : kinds.once)
    if (written) out.insert(lock);
  for (const auto& [lock, use] : kinds.flags)
    if (shared.has_plain_write(lock.object, lock.offset, use.size)) out.insert(lock);
  return out;
}

std::map<CellId, Interval> flags_of(const Universe& u, const SharedMemory& shared) {
  std::map<CellId, Interval> out;
  for (std::size_t i = 0; i < u.cells.size(); ++i)
    if (const auto lasting = shared.lasting(CellId(i))) out.emplace(CellId(i), *lasting);
  return out;
}

std::map<CellId, std::int64_t> counters_of(const Universe& u, const SharedMemory& shared) {
  std::map<CellId, std::int64_t> out;
  for (const Ticket& ticket : u.tickets)
    if (const std::int64_t step = shared.step(ticket.counter); step > 0) out.emplace(ticket.counter, step);
  return out;
}

TopDownResult analyse(const Program& program, const api::ApiModels& models, FunctionId main,
                      const TopDownOptions& options) {
  TopDownResult result;
  result.threads = std::make_unique<threads::ThreadTable>();
  result.universe = std::make_unique<Universe>(program, *result.threads);
  result.threads->shares_contexts = options.bounds.coarse;
  result.universe->lists_allocations = !options.bounds.coarse;
  TopDownAnalysis analysis(models, options, *result.universe, result.threads->main_thread(main));
  analysis.blocks.show_to(options.see_block);
  result.gave_up = !analysis.rounds.run();
  const ContextId root = result.threads->threads[ThreadId(0)].root;
  for (const std::string_view what : program.unseen) analysis.recorder.obstacle({root, 0, std::string(what)});
  const Recorder& recorder = analysis.recorder;
  result.accesses.assign(recorder.accesses().begin(), recorder.accesses().end());
  result.obstacles = recorder.obstacles();
  result.assumptions = recorder.assumptions();
  result.reached = analysis.blocks.reached();
  result.steps = analysis.budget.steps();
  result.false_locks = false_locks(analysis.kinds, analysis.shared);
  result.flags = flags_of(*result.universe, analysis.shared);
  result.counters = counters_of(*result.universe, analysis.shared);
  return result;
}

}  // namespace

TopDownResult analyse_top_down(const Program& program, const api::ApiModels& models, FunctionId main,
                               const TopDownOptions& options) {
  try {
    return analyse(program, models, main, options);
  } catch (const TooLarge&) {
    TopDownOptions coarsely = options;
    coarsely.bounds.coarse = true;
    return analyse(program, models, main, coarsely);
  }
}

}  // namespace heddle::topdown
