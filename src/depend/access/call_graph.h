// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom, and what may come behind what in one function. Calls through pointers go to all that the alias facts
// allow; functions without a body are not in it.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "alias/alias_facts.h"
#include "depend/access/loops.h"
#include "flow/cfg.h"
#include "program/model/program.h"

namespace heddle::depend {

struct CallPoint {
  FunctionId caller;
  std::size_t instruction = 0;
};

/// Of loops, in one run.
enum class Rounds : std::uint8_t {
  One,   ///< none goes round
  Many,  ///< those go round whose rounds belong to one run
  All,   ///< service loops too
};

class CallGraph {
 public:
  CallGraph(const Program& program, const alias::AliasFacts& aliases);
  /// The same where somebody else says what a call may reach; besides the function that it names.
  using Reached = std::function<std::vector<FunctionId>(FunctionId caller, std::size_t instruction)>;
  CallGraph(const Program& program, const Reached& reached);

  [[nodiscard]] const std::vector<CallPoint>& callers(FunctionId function) const { return callers_[function.index()]; }
  [[nodiscard]] const std::vector<FunctionId>& callees(FunctionId function) const { return callees_[function.index()]; }
  [[nodiscard]] const std::vector<FunctionId>& targets(FunctionId function, std::size_t call) const;
  /// Functions without a body that a call through a pointer may reach.
  [[nodiscard]] const std::vector<FunctionId>& outside_targets(FunctionId function, std::size_t call) const;
  /// The function itself and all that it may call; by index.
  [[nodiscard]] std::vector<bool> reached_from(FunctionId function) const;
  /// The function itself and all that may call it, with the calls that lead there.
  [[nodiscard]] std::map<FunctionId, std::vector<std::size_t>> above(FunctionId function) const;

  /// These functions, and all that may call one of them.
  [[nodiscard]] std::unordered_set<FunctionId> leading_to(std::span<const FunctionId> functions) const;

  /// In one run of the function `second` may come behind `first`. Rounds of a service loop are runs of their own
  /// (loops.h).
  [[nodiscard]] bool may_follow(FunctionId function, std::size_t first, std::size_t second,
                                Rounds rounds = Rounds::One) const;
  /// The one block may come behind the other, without a loop that goes round.
  [[nodiscard]] bool leads_to(FunctionId function, BlockId from, BlockId to) const {
    return blocks_behind(function, from, Rounds::One)[to.index()];
  }
  /// On a way of that kind from `first` to `second`, the point may be passed. Without rounds, loops that hold only one
  /// of the two still go round.
  [[nodiscard]] bool may_lie_between(FunctionId function, std::size_t first, std::size_t point, std::size_t second,
                                     Rounds rounds) const;
  /// Some loop whose rounds belong to one run has both points in it.
  [[nodiscard]] bool share_rounds(FunctionId function, std::size_t a, std::size_t b) const;
  /// The loop whose head has the point goes through its rounds once in a run of the function, and has both others in
  /// it.
  [[nodiscard]] bool is_passed_once(FunctionId function, std::size_t head, std::size_t a, std::size_t b) const;
  /// Some loop has both points in it, and not the third.
  [[nodiscard]] bool share_loop(FunctionId function, std::size_t a, std::size_t b, std::size_t without) const;
  /// The blocks that come next in one run.
  [[nodiscard]] std::vector<BlockId> next_blocks(FunctionId function, BlockId block, Rounds rounds) const;
  [[nodiscard]] const flow::Cfg& cfg(FunctionId function) const;
  [[nodiscard]] const std::vector<Loop>& loops(FunctionId function) const;
  [[nodiscard]] BlockId block_of(FunctionId function, std::size_t instruction) const;

 private:
  [[nodiscard]] const std::vector<bool>& blocks_behind(FunctionId function, BlockId block, Rounds rounds) const;

  const Program& program_;
  std::vector<std::vector<CallPoint>> callers_;
  std::vector<std::vector<FunctionId>> callees_;
  using Targets = std::map<std::pair<FunctionId, std::size_t>, std::vector<FunctionId>>;
  [[nodiscard]] static const std::vector<FunctionId>& at(const Targets& targets, FunctionId function, std::size_t call);
  Targets targets_, outside_targets_;
  mutable std::map<FunctionId, flow::Cfg> cfgs_;  ///< made when asked for
  mutable std::map<FunctionId, std::vector<Loop>> loops_;
  mutable std::map<std::tuple<FunctionId, BlockId, Rounds>, std::vector<bool>> behind_;  ///< by block
};

}  // namespace heddle::depend
