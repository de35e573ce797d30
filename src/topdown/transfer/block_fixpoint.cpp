// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/block_fixpoint.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t widen_block_after = 4;
constexpr std::uint32_t widen_entry_after = 4;
constexpr std::uint32_t widen_fully_after = 24;
constexpr std::uint32_t widen_coarsely_after = 1;
const std::vector<std::int64_t> no_thresholds;
constexpr std::size_t most_states_kept = 2'000'000;  // some 150 bytes each
}  // namespace

void BlockFixpoint::start_round(bool is_final, bool keep) {
  if (!keep) {
    instances_.clear();
    entries_.clear();
    covers_.clear();
    states_kept_ = 0;
  }
  changed_ = false;
  ++round_;
  final_round_ = is_final;
}

bool BlockFixpoint::is_true(const Instance& instance) const {
  if (instance.round == round_) return true;  // what changed since then has another round follow this one
  return instance.round != 0 && !(final_round_ && instance.in.empty()) && reads_.is_current(instance.reads);
}

State BlockFixpoint::entry_for(ContextId context, const State& entry) {
  if (bounds_.coarse) return entry_of_round(context, entry);
  if (instances_.contains({context, entry})) return entry;
  threads::Context& called = u.threads.contexts[context];
  std::uint32_t& seen = entries_[{called.thread, called.function}];
  if (instances_.size() < bounds_.instances || seen < bounds_.entries) {
    ++seen;
    return entry;
  }
  Cover& cover = covers_[context];
  const State out = cover.states[take_in(context, cover, entry)];
  if (growths_ > bounds_.growths) throw TooLarge();
  return out;
}

/// Which of the states covers the entry now.
std::size_t BlockFixpoint::take_in(ContextId context, Cover& cover, const State& entry) {
  u.threads.contexts[context].covers_many = true;
  const States before = cover.states;
  const bool widen = cover.growths > (bounds_.coarse ? widen_coarsely_after : widen_entry_after);
  const MergePoint at{context, at_function_entry, true, widen, &no_thresholds};  // each would cost one more analysis
  const State& out = disjuncts_.take_in(cover.states, entry, at);
  if (cover.states != before) {
    ++cover.growths;
    ++growths_;
  }
  return static_cast<std::size_t>(&out - cover.states.data());
}

/// The first call in a round decides from where the function is analysed; who comes later with more gets that answer,
/// as with shared memory that has changed since, and another round follows. Otherwise each call that knows a little
/// more would have all below it analysed anew, at each level.
State BlockFixpoint::entry_of_round(ContextId context, const State& entry) {
  Cover& cover = covers_[context];
  const std::size_t at = take_in(context, cover, entry);
  cover.analysed.resize(cover.states.size());
  if (!cover.answers) cover.answers = u.object(ObjectKind::Hidden, 0, context, {}, false, "answers");
  Cover::Analysed& analysed = cover.analysed[at];
  const bool is_covered = analysed.from == cover.states[at];
  if (!is_covered || analysed.round == 0) reads_.changed(cover.answers);
  if (analysed.round != round_)
    analysed = {cover.states[at], round_};
  else if (!is_covered)
    changed_ = true;
  reads_.read(cover.answers);
  return analysed.from;
}

const Exits& BlockFixpoint::run_function(ContextId context, const State& entry) {
  Instance& instance = instances_[{context, entry}];
  if (is_true(instance))
    reads_.repeat(instance.reads);
  else
    find(context, entry, instance);
  instance.round = round_;
  if (recorder_.is_recording() && instance.recorded != round_) {
    instance.recorded = round_;
    record_instance(context, instance);
  }
  return instance.exits;
}

void BlockFixpoint::find(ContextId context, const State& entry, Instance& instance) {
  for (const States& states : instance.in) states_kept_ -= states.size();
  instance = {};
  const bool was_recording = recorder_.is_recording();
  recorder_.set_recording(false);
  reads_.begin();
  fixpoint(context, entry, instance);
  instance.reads = reads_.end();
  recorder_.set_recording(was_recording);
  keep_states(instance);
}

/// Without them the last round finds them again.
void BlockFixpoint::keep_states(Instance& instance) {
  if (!final_round_ && states_kept_ > most_states_kept) return instance.in.clear();
  for (const States& states : instance.in) states_kept_ += states.size();
}

void BlockFixpoint::fixpoint(ContextId context, const State& entry, Instance& instance) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = u.program.functions[id];
  reached_.insert(id);
  const flow::Cfg& graph = flow_.cfg(id);
  const auto& limits = flow_.thresholds(id);
  instance.in.resize(f.blocks.size());
  instance.in[0].push_back(entry);
  const std::uint32_t few_visits = bounds_.coarse ? widen_coarsely_after : widen_block_after;
  std::vector<std::uint32_t> visits(f.blocks.size());
  std::vector<Exits> exits(f.blocks.size());
  std::set<std::uint32_t> work{graph.rank[0]};
  while (!work.empty()) {
    const BlockId block = graph.order[*work.begin()];
    work.erase(work.begin());
    ++visits[block.index()];
    const States in = instance.in[block.index()];
    exits[block.index()] = {};
    run_block(context, block, in, exits[block.index()], [&](BlockId to, const State& s) {
      const bool head = graph.is_loop_head[to.index()];
      const bool fully = !bounds_.coarse && visits[to.index()] > widen_fully_after;
      const MergePoint at{context, to.index(), head, head && visits[to.index()] > few_visits,
                          fully ? &no_thresholds : &limits};
      if (disjuncts_.add_disjunct(instance.in[to.index()], s, at)) work.insert(graph.rank[to.index()]);
    });
  }
  const MergePoint behind{context, at_function_exit, false, false, nullptr};
  for (const BlockId b : graph.order) {
    for (State s : exits[b.index()].returns) {
      d.collect_garbage(s);
      disjuncts_.add_disjunct(instance.exits.returns, s, behind);
    }
    for (State s : exits[b.index()].unwinds) {
      d.collect_garbage(s);
      disjuncts_.add_disjunct(instance.exits.unwinds, s, behind);
    }
  }
}

void BlockFixpoint::record_instance(ContextId context, Instance& instance) {
  for (std::size_t b = 0; b < instance.in.size(); ++b) {
    if (instance.in[b].empty()) continue;
    if (viewer_) viewer_(u, context, BlockId(b), instance.in[b]);
    Exits ignored;
    run_block(context, BlockId(b), instance.in[b], ignored, [](BlockId, const State&) {});
  }
}

void BlockFixpoint::take_edge(ContextId context, BlockId from, BlockId to, State s, const Edge& edge) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = u.program.functions[id];
  Site site{context, id, &f, 0};
  if (s.created != 0) phase_.complete_joins(s);
  std::vector<std::pair<std::uint32_t, FormId>> phis;
  const Block& target = f.blocks[to.index()];
  for (std::uint32_t i = target.first; i < target.first + target.count; ++i) {
    const Instruction& phi = f.instructions[i];
    if (phi.opcode != Opcode::Phi) break;
    site.instruction = i;
    const auto operands = f.operands_of(phi);
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
      if (operands[k + 1].as_block() == from) {
        phis.emplace_back(u.environment_key(context, f.result_of(i)), values_.evaluate(site, s, operands[k]));
        break;
      }
  }
  // Values nobody wants behind this edge only make joins slow.
  const flow::Cfg& graph = flow_.cfg(id);
  const std::uint32_t base = u.environment_key(context, ValueId(0));
  s.environment = u.maps.filter(s.environment, [&](std::uint32_t key, std::uint32_t) {
    return key < base || key >= base + f.value_count() || graph.is_live_in(to, ValueId(key - base));
  });
  for (const auto& [key, form] : phis) s.environment = u.maps.set(s.environment, key, form.index());
  edge(to, s);
}

void BlockFixpoint::run_block(ContextId context, BlockId block, const States& in, Exits& exits, const Edge& edge) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = u.program.functions[id];
  const Block& b = f.blocks[block.index()];
  States states = in;
  for (std::uint32_t i = b.first; i < b.first + b.count && !states.empty(); ++i) {
    const Site site{context, id, &f, i};
    if (site.code().opcode == Opcode::Phi) continue;
    if (site.code().is_terminator()) return leave_block(site, block, states, exits, edge);
    transfer(site, states, exits);
  }
}

/// The last instruction of a block: which edges are taken, and in which part of the states.
void BlockFixpoint::leave_block(const Site& site, BlockId block, States& states, Exits& exits, const Edge& edge) {
  const auto operands = site.operands();
  const ContextId context = site.context;
  switch (site.code().opcode) {
    case Opcode::Return:
      for (State s : states) {
        if (!operands.empty())
          s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(site.function->value_count())),
                                     values_.evaluate(site, s, operands[0]).index());
        frames_.end_frame(site, s);
        exits.returns.push_back(s);
      }
      return;
    case Opcode::Branch:
      for (const State& s : states) take_edge(context, block, operands[0].as_block(), s, edge);
      return;
    case Opcode::CondBranch:
      for (const State& s : states)
        for (const bool truth : {true, false}) {
          State taken = s;
          if (d.assume(taken, values_.evaluate(site, taken, operands[0]), 1, truth))
            take_edge(context, block, operands[truth ? 1 : 2].as_block(), taken, edge);
        }
      return;
    case Opcode::Switch:
      for (const State& s : states) take_switch(site, block, s, edge);
      return;
    case Opcode::IndirectBranch:
      for (const State& s : states)
        for (const Operand o : operands.subspan(1)) take_edge(context, block, o.as_block(), s, edge);
      return;
    case Opcode::Invoke: {
      Exits from_call;
      calls_.call(site, states, from_call);
      const BlockId normal = operands[operands.size() - 2].as_block();
      const BlockId unwind = operands[operands.size() - 1].as_block();
      for (const State& s : states) take_edge(context, block, normal, s, edge);
      for (const State& s : from_call.unwinds) take_edge(context, block, unwind, s, edge);
      return;
    }
    case Opcode::Resume:
      for (State& s : states) {
        frames_.end_frame(site, s);
        exits.unwinds.push_back(s);
      }
      return;
    default: return;  // unreachable
  }
}

void BlockFixpoint::take_switch(const Site& site, BlockId block, const State& s, const Edge& edge) {
  const auto operands = site.operands();
  const unsigned bits = values_.operand_bits(site, operands[0]);
  State rest = s;
  bool feasible = true;
  for (std::size_t k = 2; k + 1 < operands.size(); k += 2) {
    State taken = rest;
    const FormId value = values_.evaluate(site, rest, operands[0]);
    const FormId label = values_.evaluate(site, rest, operands[k]);
    if (feasible && d.assume_compare(taken, Predicate::Eq, value, label, bits))
      take_edge(site.context, block, operands[k + 1].as_block(), taken, edge);
    feasible = feasible && d.assume_compare(rest, Predicate::Ne, value, label, bits);
  }
  if (feasible) take_edge(site.context, block, operands[1].as_block(), rest, edge);
}

void BlockFixpoint::transfer(const Site& site, States& states, Exits& exits) {
  if (site.code().is_call()) {
    const std::size_t first = exits.unwinds.size();
    calls_.call(site, states, exits);
    for (std::size_t k = first; k < exits.unwinds.size(); ++k) frames_.end_frame(site, exits.unwinds[k]);
    return;
  }
  const Instruction& code = site.code();
  if (code.opcode == Opcode::CmpXchg || (code.opcode == Opcode::AtomicRmw && code.rmw_op() == RmwOp::Xchg)) {
    States out;
    for (const State& s : states) {
      budget_.step();
      atomics_.exchange(site, s, out);
    }
    disjuncts_.compact(out, site);
    states = std::move(out);
    return;
  }
  std::erase_if(states, [&](State& s) {
    budget_.step();
    return !instructions_.transfer_one(site, s);
  });
}

}  // namespace heddle::topdown
