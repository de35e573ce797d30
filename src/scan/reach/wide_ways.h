// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions to which threads perhaps never come: all their ways there lead through a call by a pointer that may mean
// very many functions, and main comes there as well. A server's table of commands is an example: its helper threads run
// a part of the code that looks a command up, and main alone runs the commands.
//
//   main ── call(c) ── c->cmd->proc(c)  any of 400        helper ── read(c) ── … ── call(c)
#pragma once
#include <vector>

#include "scan/reach/reach.h"

namespace heddle::scan {

class WideWays {
 public:
  WideWays(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach);

  /// Whether a thread that main started comes to the function in no other way, and main does.
  [[nodiscard]] bool are_the_only_ones(FunctionId function) const { return is_doubtful_[function.index()]; }

 private:
  std::vector<bool> is_doubtful_;  ///< by function
};

}  // namespace heddle::scan
