// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic lvalues as the source would write them: `server.lock`, `d->priv->stats.rx_p`, `conns[*].m`.
#pragma once
#include <span>
#include <string>

#include "program/names/access_path.h"
#include "program/names/type_walk.h"
#include "scan/names/lvalue.h"

namespace heddle::scan {

class LvalueText {
 public:
  explicit LvalueText(const Program& program) : program_(program), walk_(program, paths_) {}

  /// `function`: whose parameters and values the nodes speak of. `size`: bytes that are touched, 0: a member as such.
  std::string print(std::span<const Node> nodes, FunctionId function, Lvalue lvalue, std::uint32_t size = 0);

 private:
  AccessPathId object(std::span<const Node> nodes, FunctionId function, NodeId node);
  [[nodiscard]] std::string value_name(FunctionId function, std::uint32_t value, bool of_memory) const;

  const Program& program_;
  AccessPathTable paths_;
  TypeWalk walk_;
};

}  // namespace heddle::scan
