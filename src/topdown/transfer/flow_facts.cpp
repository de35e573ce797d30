// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/flow_facts.h"

#include <algorithm>
#include <limits>
#include <set>

#include "numeric/interval.h"

namespace heddle::topdown {

using numeric::Interval;

const flow::Cfg& FlowFacts::cfg(FunctionId f) {
  const auto it = cfgs_.find(f);
  if (it != cfgs_.end()) return it->second;
  return cfgs_.emplace(f, flow::build_cfg(program_.functions[f])).first->second;
}

const std::vector<std::int64_t>& FlowFacts::thresholds(FunctionId id) {
  if (few_) return all_thresholds_;
  const auto it = thresholds_.find(id);
  if (it != thresholds_.end()) return it->second;
  std::set<std::int64_t> found{-1, 0, 1};
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    const Interval all = Interval::of_width(bits);
    found.insert({all.low, all.high});
  }
  const Function& f = program_.functions[id];
  for (const Operand o : f.operands) {
    if (!o.is_constant()) continue;
    const Constant& c = program_.constants[o.as_constant()];
    if (c.kind != Constant::Kind::Int) continue;
    const std::int64_t v = numeric::sign_extend(c.bits, static_cast<unsigned>(program_.types[c.type].value_bits));
    found.insert(v);
    if (v < std::numeric_limits<std::int64_t>::max()) found.insert(v + 1);
    if (v > std::numeric_limits<std::int64_t>::min()) found.insert(v - 1);
  }
  all_thresholds_.insert(all_thresholds_.end(), found.begin(), found.end());
  std::sort(all_thresholds_.begin(), all_thresholds_.end());
  all_thresholds_.erase(std::unique(all_thresholds_.begin(), all_thresholds_.end()), all_thresholds_.end());
  return thresholds_.emplace(id, std::vector<std::int64_t>(found.begin(), found.end())).first->second;
}

}  // namespace heddle::topdown
