// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/thread_states.h"

#include <algorithm>
#include <set>

namespace heddle::scan {

std::vector<FunctionId> called_behind(const Program& program, const api::StartThread& start, FunctionId entry) {
  if (start.entry_slot < 0 || start.after_slot < 0) return {};
  const std::int64_t distance = std::int64_t{start.after_slot - start.entry_slot} * (program.layout.pointer_bits / 8);
  std::set<FunctionId> found;
  for (const Global& table : program.globals) {
    if (!table.is_constant) continue;
    for (const Relocation& word : table.relocations) {
      if (!word.target.is_function() || word.target.as_function() != entry) continue;
      for (const Relocation& other : table.relocations)
        if (static_cast<std::int64_t>(other.offset) == static_cast<std::int64_t>(word.offset) + distance &&
            other.target.is_function())
          found.insert(other.target.as_function());
    }
  }
  return {found.begin(), found.end()};
}

std::vector<FunctionId> entries_among(const Program& program, const api::StartThread& start,
                                      std::vector<FunctionId> functions) {
  std::set<FunctionId> ends, begins;
  for (const FunctionId one : functions)
    for (const FunctionId behind : called_behind(program, start, one))
      if (std::ranges::find(functions, behind) != functions.end()) {
        ends.insert(behind);
        begins.insert(one);
      }
  std::erase_if(functions, [&](FunctionId one) { return ends.contains(one) && !begins.contains(one); });
  return functions;
}

}  // namespace heddle::scan
