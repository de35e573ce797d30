// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a value has in every run: constants, what is computed from them, and a parameter that gets the same
// number at every call.
//
//   int p = 1, q = 2; a[p + q] = 0;      a[3]
//
// Cost: each value of a function once.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "depend/access/call_graph.h"

namespace heddle::depend {

class Numbers {
 public:
  Numbers(const Program& program, const CallGraph& calls) : program_(program), calls_(calls) {}

  [[nodiscard]] std::optional<std::int64_t> of(FunctionId function, Operand operand);

 private:
  using Key = std::pair<FunctionId, ValueId>;
  [[nodiscard]] std::optional<std::int64_t> compute(FunctionId function, ValueId value);
  [[nodiscard]] std::optional<std::int64_t> parameter(FunctionId function, std::size_t index);
  [[nodiscard]] std::optional<std::int64_t> same(FunctionId function, std::span<const Operand> operands);

  const Program& program_;
  const CallGraph& calls_;
  std::map<Key, std::optional<std::int64_t>> known_;
  std::set<Key> under_way_;
};

}  // namespace heddle::depend
