// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FlowFacts: what the fixpoint asks of a function's text, worked out once: its control flow graph, and the numbers that
// a loop may be compared with, where widening stops before it gives up.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "flow/cfg.h"
#include "program/model/program.h"

namespace heddle::topdown {

class FlowFacts {
 public:
  /// `few`: widening stops at 0 only, since each number may cost one more round.
  FlowFacts(const Program& program, bool few) : program_(program), few_(few), all_thresholds_{0} {}

  const flow::Cfg& cfg(FunctionId function);
  const std::vector<std::int64_t>& thresholds(FunctionId function);
  /// Those of all functions asked for so far.
  [[nodiscard]] const std::vector<std::int64_t>& all_thresholds() const { return all_thresholds_; }

 private:
  const Program& program_;
  bool few_;
  std::map<FunctionId, flow::Cfg> cfgs_;
  std::map<FunctionId, std::vector<std::int64_t>> thresholds_;
  std::vector<std::int64_t> all_thresholds_;
};

}  // namespace heddle::topdown
