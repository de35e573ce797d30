// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of functions, as CallGraph::may_follow sees them: an edge that goes back in the order of the blocks goes round.
#pragma once
#include <map>
#include <vector>

#include "depend/risk/call_graph.h"

namespace heddle::depend {

class Loops {
 public:
  explicit Loops(const Program& program, const CallGraph& calls) : program_(program), calls_(calls) {}

  /// The jump from the one instruction to the other goes round a loop.
  [[nodiscard]] bool goes_round(FunctionId function, std::size_t from, std::size_t to) const;
  /// The loop that begins with the block of `head` holds the instruction too.
  [[nodiscard]] bool holds(FunctionId function, std::size_t head, std::size_t instruction);
  /// Nothing leaves the loop that begins there.
  [[nodiscard]] bool is_endless(FunctionId function, std::size_t head);

 private:
  const std::vector<bool>& body(FunctionId function, BlockId head);

  const Program& program_;
  const CallGraph& calls_;
  std::map<std::pair<FunctionId, BlockId>, std::vector<bool>> bodies_;
};

}  // namespace heddle::depend
