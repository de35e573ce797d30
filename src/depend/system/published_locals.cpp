// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/published_locals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::depend {
namespace {

/// The slot that the address lies in; nothing: in none.
std::optional<std::size_t> slot_of(const Function& function, Operand address) {
  while (address.is_value() && !function.is_parameter(address.as_value())) {
    const std::size_t at = function.definition(address.as_value());
    const Instruction& code = function.instructions[at];
    if (code.opcode == Opcode::Alloca) return at;
    if (code.opcode != Opcode::Gep && code.opcode != Opcode::Cast) return std::nullopt;
    address = function.operands_of(code)[0];
  }
  return std::nullopt;
}

/// Slots whose address is stored outside of the function's own slots.
std::vector<std::size_t> published(const Function& function) {
  std::vector<std::size_t> slots;
  for (const Instruction& code : function.instructions) {
    if (code.opcode != Opcode::Store) continue;
    const auto slot = slot_of(function, function.operands_of(code)[0]);
    if (slot && !slot_of(function, function.operands_of(code)[1])) slots.push_back(*slot);
  }
  std::ranges::sort(slots);
  const auto same = std::ranges::unique(slots);
  slots.erase(same.begin(), same.end());
  return slots;
}

GlobalId add_variable(Program& program, const Function& function, std::size_t slot) {
  const Instruction& code = function.instructions[slot];
  Global global;
  const auto named = std::ranges::find_if(function.names, [&](const ValueName& name) {
    return name.names_memory && name.value == function.result_of(slot);
  });
  const std::string shown = named != function.names.end() ? std::string(named->name) : "a local variable";
  global.source_name = program.arena.text(shown);
  global.name = program.arena.text(shown + "@" + std::string(function.name) + "." + std::to_string(slot));
  global.type = code.access_type;
  global.source_type = named != function.names.end() ? named->source_type : TypeId();
  global.size = program.types[code.access_type].size_bytes();
  global.linkage = Linkage::Internal;
  global.location = code.location;
  return program.globals.add(global);
}

}  // namespace

std::size_t publish_locals(Program& program) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    Function& function = program.functions[FunctionId(f)];
    std::map<ValueId, Operand> replaced;
    for (const std::size_t slot : published(function)) {
      const Operand elements = function.operands_of(function.instructions[slot])[0];
      const bool is_one = elements.is_constant() && program.constants[elements.as_constant()].bits == 1;
      if (is_one) replaced[function.result_of(slot)] = Operand::global(add_variable(program, function, slot));
    }
    if (replaced.empty()) continue;
    count += replaced.size();
    std::vector<Operand> operands(function.operands.begin(), function.operands.end());
    for (Operand& operand : operands)
      if (operand.is_value())
        if (const auto found = replaced.find(operand.as_value()); found != replaced.end()) operand = found->second;
    function.operands = program.arena.copy(std::span<const Operand>(operands));
  }
  if (count > 0) program.index_names();
  return count;
}

}  // namespace heddle::depend
