// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches of a function decide whether a block runs.
//
//   12: if (a || b) x = 1;       x = 1 is decided by the statement of line 12, which two branches make up
//
// A branch decides a block if one of its sides always comes to it and the branch does not. Branches of one line that
// share a target are parts of one condition: the first of them stands for all. Cost: the edges times the depth of the
// post-dominator tree, once a function.
#pragma once
#include <map>
#include <vector>

#include "depend/access/call_graph.h"

namespace heddle::depend {

class ControlDependence {
 public:
  ControlDependence(const Program& program, const CallGraph& calls) : program_(program), calls_(calls) {}

  /// The statements (by their first branch) that decide whether the block runs; ascending.
  const std::vector<std::size_t>& of_block(FunctionId function, BlockId block);
  /// Those that decide whether control goes this way and do not decide where it leads to.
  std::vector<std::size_t> of_edge(FunctionId function, BlockId from, BlockId to);
  /// All branches of a statement, the first of them included; ascending.
  std::vector<std::size_t> parts(FunctionId function, std::size_t statement);
  /// It decides about another round.
  bool is_loop(FunctionId function, std::size_t statement);

 private:
  struct Facts {
    std::vector<std::vector<std::size_t>> of_block;
    std::map<std::size_t, std::size_t> statement;  ///< of each branch
  };
  const Facts& facts(FunctionId function);
  void add_blocks(FunctionId function, Facts& facts) const;
  void join_parts(FunctionId function, Facts& facts) const;
  [[nodiscard]] std::vector<std::size_t> asked_before(FunctionId function, BlockId block) const;
  [[nodiscard]] bool is_on_one_line(const Function& function, std::size_t a, std::size_t b) const;
  [[nodiscard]] bool is_one_condition(FunctionId function, std::size_t outer, std::size_t inner) const;

  const Program& program_;
  const CallGraph& calls_;
  std::map<FunctionId, Facts> facts_;
};

}  // namespace heddle::depend
