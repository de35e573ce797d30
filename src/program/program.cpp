// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/program.h"

namespace heddle {

std::vector<BlockId> Function::successors(BlockId b) const {
  std::vector<BlockId> out;
  const Block& block = blocks[b.index()];
  if (block.count == 0) return out;
  const Instruction& last = instructions[block.first + block.count - 1];
  if (!last.is_terminator()) return out;
  for (const Operand operand : operands_of(last))
    if (operand.is_block()) out.push_back(operand.as_block());
  return out;
}

void Program::index_names() {
  function_by_name_.clear();
  global_by_name_.clear();
  for (std::size_t i = 0; i < functions.size(); ++i)
    function_by_name_.emplace(functions[FunctionId(i)].name, FunctionId(i));
  for (std::size_t i = 0; i < globals.size(); ++i) global_by_name_.emplace(globals[GlobalId(i)].name, GlobalId(i));
}

FunctionId Program::find_function(std::string_view name) const {
  const auto it = function_by_name_.find(name);
  return it == function_by_name_.end() ? FunctionId() : it->second;
}

GlobalId Program::find_global(std::string_view name) const {
  const auto it = global_by_name_.find(name);
  return it == global_by_name_.end() ? GlobalId() : it->second;
}

std::string Program::where(LocationId id) const {
  if (!id.valid()) return "<unknown>";
  const Location& at = locations[id];
  const std::string path = at.file.valid() ? files[at.file].path : std::string("<unknown>");
  return path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace heddle
