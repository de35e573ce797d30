// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/block_conditions.h"

#include <optional>

#include "scan/execute/branch_test.h"

namespace heddle::scan {

std::uint32_t number_parameter(const Program& program, const Function& f, Operand operand, bool keeps_zero) {
  if (keeps_zero) operand = before_casts(program, f, operand);
  while (operand.is_value() && !f.is_parameter(operand.as_value())) {
    const Instruction& cast = f.instructions[f.definition(operand.as_value())];
    if (cast.opcode != Opcode::Freeze && (cast.opcode != Opcode::Cast || cast.cast_op() != CastOp::SExt))
      return no_parameter;
    operand = f.operands_of(cast)[0];
  }
  const bool is_number = operand.is_value() && program.types[f.parameters[operand.index()]].kind == TypeKind::Int;
  return is_number ? operand.index() : no_parameter;
}

namespace {

class BlockConditions {
 public:
  BlockConditions(const ScanInput& input, const FunctionBody& body, ValueNames& names)
      : program_(input.program), body_(body), f_(body.function), names_(names) {}

  std::vector<Condition> run() {
    const std::uint32_t blocks = body_.block_count();
    bool asks = false;
    for (std::uint32_t rank = 0; rank < blocks; ++rank) {
      ways_.push_back(ways_of(rank));
      for (const Condition& one : ways_.back()) asks |= !one.is_always();
    }
    if (!asks) return {};
    at_.assign(blocks, std::nullopt);
    at_[0] = Condition{};
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t rank = 0; rank < blocks; ++rank)
        if (at_[rank]) changed |= hand_on(rank);
    }
    std::vector<Condition> out;
    for (const auto& one : at_) out.push_back(one.value_or(Condition{}));
    return out;
  }

 private:
  bool hand_on(std::uint32_t rank) {
    bool changed = false;
    const auto& successors = body_.successors(rank);
    for (std::size_t way = 0; way < successors.size(); ++way) {
      Condition edge = ways_[rank].empty() ? Condition{} : ways_[rank][way];
      const Condition before = *at_[rank];
      if (edge.is_always() || (edge.kind() != Condition::Kind::Equal && before.kind() == Condition::Kind::Equal))
        edge = before;
      auto& to = at_[body_.cfg.rank[successors[way].index()]];
      if (to && (to->is_always() || *to == edge)) continue;
      to = to ? Condition{} : edge;
      changed = true;
    }
    return changed;
  }

  /// By successor; empty if the block's end asks for no parameter.
  std::vector<Condition> ways_of(std::uint32_t rank) {
    const Block& block = body_.block(rank);
    const auto& successors = body_.successors(rank);
    if (block.count == 0 || successors.size() < 2) return {};
    const Instruction& last = f_.instructions[block.first + block.count - 1];
    if (last.opcode == Opcode::Switch) return cases_of(last, successors);
    if (last.opcode != Opcode::CondBranch || successors.size() != 2 || successors[0] == successors[1]) return {};
    const Condition is_true = condition_of(f_.operands_of(last)[0], 8);
    if (is_true.is_always()) return {};
    const bool is_equal = is_true.kind() == Condition::Kind::Equal;
    return {is_true, Condition::if_equal(is_true.parameter(), is_true.number(), !is_equal)};
  }

  /// What it means that the value is not zero.
  Condition condition_of(Operand value, int steps) {
    value = before_casts(program_, f_, value);
    if (!value.is_value() || steps == 0) return {};
    if (f_.is_parameter(value.as_value())) {
      const std::uint32_t parameter = number_parameter(program_, f_, value, true);
      return parameter == no_parameter ? Condition{} : Condition::if_equal(parameter, 0, false);
    }
    const Instruction& source = f_.instructions[f_.definition(value.as_value())];
    if (source.opcode != Opcode::Compare) return {};
    const bool is_equal = source.predicate() == Predicate::Eq;
    if (!is_equal && source.predicate() != Predicate::Ne) return {};
    const auto operands = f_.operands_of(source);
    const SymbolicValue with = names_.value_of(operands[1]);
    if (!with.is_number() || !operands[1].is_constant()) return {};
    const std::uint32_t parameter = number_parameter(program_, f_, operands[0], with.number == 0);
    if (parameter != no_parameter) return Condition::if_equal(parameter, with.number, is_equal);
    if (with.number != 0) return {};
    // The value of another question is compared with zero.
    const Condition inner = condition_of(operands[0], steps - 1);
    if (inner.is_always() || !is_equal) return inner;
    return Condition::if_equal(inner.parameter(), inner.number(), inner.kind() != Condition::Kind::Equal);
  }

  std::vector<Condition> cases_of(const Instruction& choice, const std::vector<BlockId>& successors) {
    const auto operands = f_.operands_of(choice);
    const std::uint32_t parameter = number_parameter(program_, f_, operands[0], false);
    if (parameter == no_parameter) return {};
    std::vector<Condition> out(successors.size());
    for (std::size_t way = 0; way < successors.size(); ++way) {
      std::optional<std::int64_t> only;
      bool is_one = operands[1].as_block() != successors[way];
      for (std::size_t k = 2; k + 1 < operands.size(); k += 2) {
        if (operands[k + 1].as_block() != successors[way]) continue;
        const SymbolicValue number = names_.value_of(operands[k]);
        is_one &= number.is_number() && !only;
        only = number.number;
      }
      if (is_one && only) out[way] = Condition::if_equal(parameter, *only, true);
    }
    return out;
  }

  const Program& program_;
  const FunctionBody& body_;
  const Function& f_;
  ValueNames& names_;
  std::vector<std::vector<Condition>> ways_;  ///< by rank
  std::vector<std::optional<Condition>> at_;  ///< by rank; none: not reached yet
};

}  // namespace

std::vector<Condition> find_block_conditions(const ScanInput& input, const FunctionBody& body, ValueNames& names) {
  const Function& f = body.function;
  bool has_number = false;
  for (const TypeId type : f.parameters) has_number |= input.program.types[type].kind == TypeKind::Int;
  if (!has_number || body.block_count() == 0) return {};
  return BlockConditions(input, body, names).run();
}

}  // namespace heddle::scan
