// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/live_slots.h"

#include <set>

#include "flow/cfg.h"

namespace heddle::interpret {
namespace {

using Values = std::set<std::uint32_t>;

void add_value(Values& live, Operand operand) {
  if (operand.is_value()) live.insert(operand.as_value().index());
}

/// What the next blocks need, and what their phis take on the way there.
Values live_behind(const Function& function, const flow::Cfg& cfg, BlockId block) {
  Values live;
  for (const BlockId next : cfg.successors[block.index()]) {
    live.insert(cfg.live_in[next.index()].begin(), cfg.live_in[next.index()].end());
    for (std::size_t i = function.blocks[next.index()].first; function.instructions[i].opcode == Opcode::Phi; ++i) {
      const std::span<const Operand> operands = function.operands_of(function.instructions[i]);
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
        if (operands[k + 1].as_block() == block) add_value(live, operands[k]);
    }
  }
  return live;
}

/// What is live in front of each instruction that can be reached, in no order.
template <typename Use>
void each_live(const Function& function, const Use& use) {
  const flow::Cfg cfg = flow::build_cfg(function);
  for (const BlockId block : cfg.order) {
    Values live = live_behind(function, cfg, block);
    const Block& code = function.blocks[block.index()];
    for (std::size_t i = code.first + code.count; i-- > code.first;) {
      const Instruction& instruction = function.instructions[i];
      if (instruction.opcode != Opcode::Phi) {
        live.erase(function.result_of(i).index());
        for (const Operand operand : function.operands_of(instruction)) add_value(live, operand);
      }
      use(i, live);
    }
  }
}

}  // namespace

LiveSlots::OfFunction LiveSlots::work_out(const FunctionCode& code, const std::vector<Shape>& shapes) const {
  const Function& function = program_.functions[code.id];
  std::vector<std::uint32_t> first;  // of each value; then the end
  std::uint32_t next = 0;
  const auto number = [&](TypeId type) {
    first.push_back(next);
    next += shapes[type.index()].slots;
  };
  for (const TypeId type : function.parameters) number(type);
  for (const Instruction& instruction : function.instructions) number(instruction.type);
  first.push_back(next);
  std::vector<std::vector<std::uint32_t>> lists(function.instructions.size());
  each_live(function, [&](std::size_t i, const Values& live) {
    for (const std::uint32_t value : live)
      for (std::uint32_t slot = first[value]; slot < first[value + 1]; ++slot) lists[i].push_back(slot);
    for (std::uint32_t slot = next; slot < code.frame_slots; ++slot) lists[i].push_back(slot);  // of thread-locals
  });
  OfFunction out;
  for (const std::vector<std::uint32_t>& list : lists) {
    out.slots.insert(out.slots.end(), list.begin(), list.end());
    out.ends.push_back(out.slots.size());
  }
  return out;
}

std::span<const std::uint32_t> LiveSlots::at(const FunctionCode& code, const std::vector<Shape>& shapes,
                                             std::uint32_t pc) const {
  auto known = known_.find(code.id);
  if (known == known_.end()) known = known_.emplace(code.id, work_out(code, shapes)).first;
  const OfFunction& of = known->second;
  const std::size_t begin = pc == 0 ? 0 : of.ends[pc - 1];
  return std::span(of.slots).subspan(begin, of.ends[pc] - begin);
}

}  // namespace heddle::interpret
