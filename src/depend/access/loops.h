// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a function, of two sorts:
//
//   for (;;) { wait(); work(); }     a *service* loop: how often it goes round, others decide. Each round is a run of
//   while (!flag) ;                  its own: what the next one does has nothing to do with this one
//   for (i = 0; i < n; i++) …        any other loop counts, or changes what it asks: its rounds belong to one run
//
// Cost: linear in the function for each loop.
#pragma once
#include <vector>

#include "flow/cfg.h"
#include "program/model/program.h"

namespace heddle::depend {

struct Loop {
  BlockId head;
  std::vector<bool> body;      ///< by block, with the head
  std::vector<BlockId> exits;  ///< where it goes on when it is left
  bool is_service = false;
};

std::vector<Loop> find_loops(const Function& function, const flow::Cfg& cfg);

}  // namespace heddle::depend
