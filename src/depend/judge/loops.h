// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the loops of functions (access/loops.h) that a run asks at every jump.
#pragma once
#include "depend/access/call_graph.h"

namespace heddle::depend {

class Loops {
 public:
  explicit Loops(const Program& program, const CallGraph& calls) : program_(program), calls_(calls) {}

  /// The jump from the one instruction to the other goes round a loop.
  [[nodiscard]] bool goes_round(FunctionId function, std::size_t from, std::size_t to) const;
  /// The loop that begins with the block of `head` holds the instruction too.
  [[nodiscard]] bool holds(FunctionId function, std::size_t head, std::size_t instruction) const;
  /// Its rounds are runs of their own.
  [[nodiscard]] bool is_service(FunctionId function, std::size_t head) const;
  /// Nothing leaves the loop that begins there.
  [[nodiscard]] bool is_endless(FunctionId function, std::size_t head) const;

 private:
  [[nodiscard]] const Loop* loop_at(FunctionId function, std::size_t head) const;

  const Program& program_;
  const CallGraph& calls_;
};

}  // namespace heddle::depend
