// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "topdown/transfer/top_down_analysis.h"

namespace heddle::topdown {

namespace {
constexpr std::uint32_t widen_after = 4;
constexpr std::uint32_t inside_block = 0x40000000;  ///< merge points within a block, behind instruction n
}  // namespace

void TopDownAnalysis::step() {
  ++steps_;
  if (steps_ > options_.step_budget)
    throw BudgetExceeded{"the step budget (" + std::to_string(options_.step_budget) +
                         " steps, --step-budget) was used up"};
  if (steps_ % 4096 == 0 && u.bytes() > options_.byte_budget) throw BudgetExceeded{"the memory budget was used up"};
}

const flow::Cfg& TopDownAnalysis::cfg(FunctionId f) {
  const auto it = cfgs_.find(f);
  if (it != cfgs_.end()) return it->second;
  return cfgs_.emplace(f, flow::build_cfg(program_.functions[f])).first->second;
}

/// Numbers a loop may be compared with; widening stops there before it gives up.
const std::vector<std::int64_t>& TopDownAnalysis::thresholds(FunctionId id) {
  const auto it = thresholds_.find(id);
  if (it != thresholds_.end()) return it->second;
  std::set<std::int64_t> found{-1, 0, 1};
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    const Interval all = Interval::of_width(bits);
    found.insert({all.low, all.high});
  }
  const Function& f = program_.functions[id];
  for (const Operand o : f.operands) {
    if (!o.is_constant()) continue;
    const Constant& c = program_.constants[o.as_constant()];
    if (c.kind != Constant::Kind::Int) continue;
    const std::int64_t v = numeric::sign_extend(c.bits, static_cast<unsigned>(program_.types[c.type].value_bits));
    found.insert(v);
    if (v < std::numeric_limits<std::int64_t>::max()) found.insert(v + 1);
    if (v > std::numeric_limits<std::int64_t>::min()) found.insert(v - 1);
  }
  all_thresholds_.insert(all_thresholds_.end(), found.begin(), found.end());
  std::sort(all_thresholds_.begin(), all_thresholds_.end());
  all_thresholds_.erase(std::unique(all_thresholds_.begin(), all_thresholds_.end()), all_thresholds_.end());
  return thresholds_.emplace(id, std::vector<std::int64_t>(found.begin(), found.end())).first->second;
}

bool TopDownAnalysis::add_disjunct(States& states, const State& s, const MergePoint& at) {
  for (State& old : states) {
    if (old.signature() != s.signature()) continue;
    const State merged = d.merge(old, s, at, memory_.absent());
    if (merged == old) return false;
    old = merged;
    return true;
  }
  if (states.size() < options_.disjuncts) {
    states.push_back(s);
    return true;
  }
  State& last = states.back();
  State x = last;
  State y = s;
  if (x.parallel != y.parallel || x.was_parallel != y.was_parallel) {
    memory_.go_parallel(x);
    memory_.go_parallel(y);
  }
  const State merged = d.merge(x, y, at, memory_.absent());
  if (merged == last) return false;
  last = merged;
  return true;
}

void TopDownAnalysis::compact(States& states, const Site& site) {
  if (states.size() < 2) return;
  MergePoint at{site.context, inside_block | site.instruction, false, false, nullptr};
  States out;
  for (const State& s : states) add_disjunct(out, s, at);
  states = std::move(out);
}

const Exits& TopDownAnalysis::run_function(ContextId context, const State& entry) {
  const auto [it, inserted] = instances_.try_emplace({context, entry});
  Instance& instance = it->second;
  if (inserted) {
    const bool was_recording = recording_;
    recording_ = false;
    fixpoint(context, entry, instance);
    recording_ = was_recording;
  }
  if (recording_ && !instance.recorded) {
    instance.recorded = true;
    record_instance(context, instance);
  }
  return instance.exits;
}

void TopDownAnalysis::fixpoint(ContextId context, const State& entry, Instance& instance) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = program_.functions[id];
  reached_.insert(id);
  const flow::Cfg& graph = cfg(id);
  const auto& limits = thresholds(id);
  instance.in.resize(f.blocks.size());
  instance.in[0].push_back(entry);
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
      const MergePoint at{context, to.index(), head, head && visits[to.index()] > widen_after, &limits};
      if (add_disjunct(instance.in[to.index()], s, at)) work.insert(graph.rank[to.index()]);
    });
  }
  const MergePoint at_exit{context, inside_block - 1, false, false, nullptr};
  for (const BlockId b : graph.order) {
    for (State s : exits[b.index()].returns) {
      d.collect_garbage(s);
      add_disjunct(instance.exits.returns, s, at_exit);
    }
    for (State s : exits[b.index()].unwinds) {
      d.collect_garbage(s);
      add_disjunct(instance.exits.unwinds, s, at_exit);
    }
  }
  if (!final_round_) instance.in.clear();
}

void TopDownAnalysis::record_instance(ContextId context, Instance& instance) {
  for (std::size_t b = 0; b < instance.in.size(); ++b) {
    if (instance.in[b].empty()) continue;
    if (options_.see_block) options_.see_block(u, context, BlockId(b), instance.in[b]);
    Exits ignored;
    run_block(context, BlockId(b), instance.in[b], ignored, [](BlockId, const State&) {});
  }
}

void TopDownAnalysis::take_edge(ContextId context, BlockId from, BlockId to, State s, const Edge& edge) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = program_.functions[id];
  Site site{context, id, &f, 0};
  if (s.created != 0) complete_joins(site, s);
  std::vector<std::pair<std::uint32_t, FormId>> phis;
  const Block& target = f.blocks[to.index()];
  for (std::uint32_t i = target.first; i < target.first + target.count; ++i) {
    const Instruction& phi = f.instructions[i];
    if (phi.opcode != Opcode::Phi) break;
    site.instruction = i;
    const auto operands = f.operands_of(phi);
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
      if (operands[k + 1].as_block() == from) {
        phis.emplace_back(u.environment_key(context, f.result_of(i)), evaluate(site, s, operands[k]));
        break;
      }
  }
  // Values nobody wants behind this edge only make joins slow.
  const std::vector<bool>& live = cfg(id).live_in[to.index()];
  const std::uint32_t base = u.environment_key(context, ValueId(0));
  MapId kept = s.environment;
  u.maps.for_each(s.environment, [&](std::uint32_t key, std::uint32_t) {
    if (key >= base && key < base + live.size() && !live[key - base]) kept = u.maps.erase(kept, key);
  });
  s.environment = kept;
  for (const auto& [key, form] : phis) s.environment = u.maps.set(s.environment, key, form.index());
  edge(to, s);
}

void TopDownAnalysis::run_block(ContextId context, BlockId block, const States& in, Exits& exits, const Edge& edge) {
  const FunctionId id = u.threads.contexts[context].function;
  const Function& f = program_.functions[id];
  const Block& b = f.blocks[block.index()];
  States states = in;
  for (std::uint32_t i = b.first; i < b.first + b.count && !states.empty(); ++i) {
    const Site site{context, id, &f, i};
    const Instruction& code = site.code();
    const auto operands = site.operands();
    if (code.opcode == Opcode::Phi) continue;
    if (!code.is_terminator()) {
      transfer(site, states, exits);
      continue;
    }
    switch (code.opcode) {
      case Opcode::Return:
        for (State s : states) {
          if (!operands.empty())
            s.environment = u.maps.set(s.environment, u.environment_key(context, ValueId(f.value_count())),
                                       evaluate(site, s, operands[0]).index());
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
            if (d.assume(taken, evaluate(site, taken, operands[0]), 1, truth))
              take_edge(context, block, operands[truth ? 1 : 2].as_block(), taken, edge);
          }
        return;
      case Opcode::Switch: {
        const unsigned bits = operand_bits(site, operands[0]);
        for (const State& s : states) {
          State rest = s;
          bool feasible = true;
          for (std::size_t k = 2; k + 1 < operands.size(); k += 2) {
            State taken = rest;
            const FormId value = evaluate(site, rest, operands[0]);
            const FormId label = evaluate(site, rest, operands[k]);
            if (feasible && d.assume_compare(taken, Predicate::Eq, value, label, bits))
              take_edge(context, block, operands[k + 1].as_block(), taken, edge);
            feasible = feasible && d.assume_compare(rest, Predicate::Ne, value, label, bits);
          }
          if (feasible) take_edge(context, block, operands[1].as_block(), rest, edge);
        }
        return;
      }
      case Opcode::IndirectBranch:
        for (const State& s : states)
          for (const Operand o : operands.subspan(1)) take_edge(context, block, o.as_block(), s, edge);
        return;
      case Opcode::Invoke: {
        Exits from_call;
        call(site, states, from_call);
        const BlockId normal = operands[operands.size() - 2].as_block();
        const BlockId unwind = operands[operands.size() - 1].as_block();
        for (const State& s : states) take_edge(context, block, normal, s, edge);
        for (const State& s : from_call.unwinds) take_edge(context, block, unwind, s, edge);
        return;
      }
      case Opcode::Resume: exits.unwinds.insert(exits.unwinds.end(), states.begin(), states.end()); return;
      default: return;  // unreachable
    }
  }
}

void TopDownAnalysis::transfer(const Site& site, States& states, Exits& exits) {
  if (site.code().is_call()) return call(site, states, exits);
  const Instruction& code = site.code();
  if (code.opcode == Opcode::CmpXchg || (code.opcode == Opcode::AtomicRmw && code.rmw_op() == RmwOp::Xchg)) {
    States out;
    for (const State& s : states) {
      step();
      exchange(site, s, out);
    }
    compact(out, site);
    states = std::move(out);
    return;
  }
  std::erase_if(states, [&](State& s) {
    step();
    return !transfer_one(site, s);
  });
}

}  // namespace heddle::topdown
