// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/values/live_slots.h"

#include "program/model/function_queries.h"

namespace heddle::depend {

const std::vector<std::uint32_t>& LiveSlots::at(FunctionId id, std::size_t instruction,
                                                const interpret::DecodedProgram& decoded) {
  const auto [found, is_new] = known_.try_emplace({id, instruction});
  if (!is_new) return found->second;
  const Function& function = program_.functions[id];
  const std::vector<bool> live = live_before(id, instruction);
  std::uint32_t slot = 0;
  for (std::size_t v = 0; v < function.value_count(); ++v) {
    const TypeId type = function.is_parameter(ValueId(v)) ? function.parameters[v]
                                                          : function.instructions[function.definition(ValueId(v))].type;
    const std::uint32_t count = decoded.shapes[type.index()].slots;
    for (std::uint32_t i = 0; i < count; ++i)
      if (live[v] && relevance_.matters(id, ValueId(v))) found->second.push_back(slot + i);
    slot += count;
  }
  return found->second;
}

std::vector<bool> LiveSlots::live_before(FunctionId id, std::size_t instruction) {
  const Function& function = program_.functions[id];
  const auto known = cfgs_.find(id);
  const flow::Cfg& cfg =
      known != cfgs_.end() ? known->second : cfgs_.emplace(id, flow::build_cfg(function)).first->second;
  const BlockId block = block_of(function, instruction);
  std::vector<bool> live(function.value_count());
  const auto use = [&](Operand operand) {
    if (operand.is_value()) live[operand.as_value().index()] = true;
  };
  for (const BlockId next : cfg.successors[block.index()]) {
    for (const std::uint32_t value : cfg.live_in[next.index()]) live[value] = true;
    for (const Instruction& code : function.instructions_of(function.blocks[next.index()])) {
      const auto operands = function.operands_of(code);
      for (std::size_t k = 0; code.opcode == Opcode::Phi && k + 1 < operands.size(); k += 2)
        if (operands[k + 1].as_block() == block) use(operands[k]);
    }
  }
  const Block& own = function.blocks[block.index()];
  for (std::size_t i = own.first + own.count; i-- > own.first;) {
    const Instruction& code = function.instructions[i];
    if (code.opcode == Opcode::Phi) continue;  // was made on the way into the block
    if (i < instruction) continue;
    live[function.result_of(i).index()] = false;
    for (const Operand operand : function.operands_of(code)) use(operand);
  }
  return live;
}

}  // namespace heddle::depend
