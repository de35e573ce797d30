// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/last_owner.h"

#include <algorithm>

#include "base/contains.h"
#include "flow/cfg.h"
#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

/// Which values of one function tell a count, and the branches on them. Linear in its instructions.
class CountTests {
 public:
  CountTests(const ScanInput& input, FunctionId id, LastOwner::Counters& counters)
      : in_(input), f_(input.program.functions[id]), counters_(counters), told_(f_.value_count(), CountWord::Nothing) {
    for (const Instruction& code : f_.instructions) {
      if (is_count(code)) counted_.push_back(base_of(f_, f_.operands_of(code)[0]));
      if (code.is_call() && returned_by(code) != CountWord::Nothing)
        for (const Operand argument : f_.arguments_of(code))
          if (argument.is_value()) counted_.push_back(base_of(f_, argument));
    }
    if (counted_.empty()) return;
    for (int pass = 0; pass < 2; ++pass)  // a phi may stand before what it chooses from
      for (std::uint32_t i = 0; i < f_.instructions.size(); ++i)
        if (const CountWord word = word_of(f_.instructions[i]); word != CountWord::Nothing)
          told_[f_.result_of(i).index()] = word;
  }

  /// The way that a branch goes if the count says that this was the last owner; none if it does not ask.
  [[nodiscard]] std::optional<std::size_t> way_of_last(const Instruction& branch) const {
    const CountWord word = told(f_.operands_of(branch)[0]);
    if (word == CountWord::IsLast) return 0;
    if (word == CountWord::IsNotLast) return 1;
    return std::nullopt;
  }

  [[nodiscard]] CountWord returned() const {
    for (const Instruction& code : f_.instructions)
      if (code.opcode == Opcode::Return && !f_.operands_of(code).empty())
        if (const CountWord word = told(f_.operands_of(code)[0]); word != CountWord::Nothing) return word;
    return CountWord::Nothing;
  }

 private:
  static bool is_count(const Instruction& code) {
    return code.opcode == Opcode::AtomicRmw && (code.rmw_op() == RmwOp::Add || code.rmw_op() == RmwOp::Sub);
  }
  static CountWord negated(CountWord word) {
    if (word == CountWord::IsLast) return CountWord::IsNotLast;
    return word == CountWord::IsNotLast ? CountWord::IsLast : word;
  }
  [[nodiscard]] CountWord told(Operand value) const {
    return value.is_value() ? told_[value.index()] : CountWord::Nothing;
  }
  [[nodiscard]] CountWord word_of(const Instruction& code) const {
    if (is_count(code)) return CountWord::Count;
    if (code.is_call()) return returned_by(code);
    const auto operands = f_.operands_of(code);
    switch (code.opcode) {
      case Opcode::Load:
        return code.is_atomic() && contains(counted_, base_of(f_, operands[0])) ? CountWord::Count : CountWord::Nothing;
      case Opcode::Cast:
      case Opcode::Freeze: return told(operands[0]);
      case Opcode::Binary: {
        if (operands[1].is_value()) return CountWord::Nothing;
        return code.binary_op() == BinaryOp::Xor ? negated(told(operands[0])) : told(operands[0]);
      }
      case Opcode::Compare: return compared(told(operands[0]), code.predicate(), operands[1]);
      case Opcode::Phi:
        for (const Operand one : operands)
          if (told(one) != CountWord::Nothing) return told(one);
        return CountWord::Nothing;
      default: return CountWord::Nothing;
    }
  }
  /// With a number: a count is the one it must be, or it is not; what says so already is compared with 0.
  static CountWord compared(CountWord word, Predicate predicate, Operand with) {
    if (with.is_value() || (predicate != Predicate::Eq && predicate != Predicate::Ne)) return CountWord::Nothing;
    const bool is_equal = predicate == Predicate::Eq;
    if (word == CountWord::Count) return is_equal ? CountWord::IsLast : CountWord::IsNotLast;
    return is_equal ? negated(word) : word;
  }
  [[nodiscard]] CountWord returned_by(const Instruction& call) const {
    const Operand callee = f_.operands_of(call)[0];
    if (!callee.is_function() || !in_.program.functions[callee.as_function()].has_body()) return CountWord::Nothing;
    std::optional<CountWord>& known = counters_[callee.index()];
    if (!known) {
      known = CountWord::Nothing;  // while it is looked at: it may call itself
      known = CountTests(in_, callee.as_function(), counters_).returned();
    }
    return *known;
  }

  const ScanInput& in_;
  const Function& f_;
  LastOwner::Counters& counters_;
  std::vector<Operand> counted_;  ///< objects with a count
  std::vector<CountWord> told_;   ///< by value
};

/// Blocks that are only reached over one edge.
std::vector<bool> only_over(const flow::Cfg& cfg, std::size_t blocks, BlockId from, BlockId to) {
  std::vector<bool> seen(blocks);
  std::vector<BlockId> open{cfg.order[0]};
  seen[cfg.order[0].index()] = true;
  while (!open.empty()) {
    const BlockId at = open.back();
    open.pop_back();
    for (const BlockId next : cfg.successors[at.index()]) {
      if ((at == from && next == to) || seen[next.index()]) continue;
      seen[next.index()] = true;
      open.push_back(next);
    }
  }
  seen.flip();
  return seen;
}

}  // namespace

LastOwner::LastOwner(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach)
    : in_(input), behind_(input.program.functions.size()), is_reached_before_(input.program.functions.size()) {
  Counters counters(behind_.size());
  for (std::uint32_t f = 0; f < behind_.size(); ++f)
    if (reach.is_reached(FunctionId(f))) find_blocks(FunctionId(f), counters);
  spread(summaries, reach);
}

void LastOwner::find_blocks(FunctionId id, Counters& counters) {
  const Function& f = in_.program.functions[id];
  const auto is_branch = [](const Instruction& code) { return code.opcode == Opcode::CondBranch; };
  if (std::ranges::none_of(f.instructions, is_branch)) return;
  std::optional<CountTests> tests;
  std::optional<flow::Cfg> cfg;
  for (std::uint32_t b = 0; b < f.blocks.size(); ++b) {
    const auto code = f.instructions_of(f.blocks[b]);
    if (code.empty() || !is_branch(code.back())) continue;
    if (!tests) tests.emplace(in_, id, counters);
    const auto way = tests->way_of_last(code.back());
    if (!way) continue;
    if (!cfg) cfg = flow::build_cfg(f, flow::Liveness::Skip);
    if (cfg->rank[b] == flow::Cfg::none_rank) continue;
    const std::vector<bool> behind = only_over(*cfg, f.blocks.size(), BlockId(b), cfg->successors[b][*way]);
    behind_[id.index()].resize(f.blocks.size());
    for (std::size_t i = 0; i < behind.size(); ++i)
      if (behind[i]) behind_[id.index()][i] = true;
  }
}

/// Over the calls that are behind no test, from where threads begin.
void LastOwner::spread(const std::vector<FunctionSummary>& summaries, const Reach& reach) {
  std::vector<FunctionId> open;
  const auto reach_function = [&](FunctionId function) {
    if (is_reached_before_[function.index()]) return;
    is_reached_before_[function.index()] = true;
    open.push_back(function);
  };
  for (std::uint32_t f = 0; f < reach.visits.size(); ++f)
    if (std::ranges::any_of(reach.visits[f], &Visit::is_root)) reach_function(FunctionId(f));
  while (!open.empty()) {
    const FunctionId from = open.back();
    open.pop_back();
    for (const SummaryCall& call : summaries[from.index()].calls)
      if (!at(from, call.instruction)) reach_function(call.callee);
  }
}

bool LastOwner::at(FunctionId function, std::uint32_t instruction) const {
  if (!is_reached_before_[function.index()]) return true;
  const std::vector<bool>& behind = behind_[function.index()];
  return !behind.empty() && behind[block_of(in_.program.functions[function], instruction).index()];
}

}  // namespace heddle::scan
