// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a program's accesses, found once: who calls whom, who reaches what, where addresses lead.
#pragma once
#include <vector>

#include "alias/global_places.h"
#include "depend/access/call_graph.h"
#include "depend/access/conditions.h"
#include "depend/access/numbers.h"
#include "depend/access/pointees.h"
#include "depend/access/shared_accesses.h"

namespace heddle::depend {

struct AccessFacts {
  AccessFacts(const Program& program, const System& system, const alias::AliasFacts& aliases)
      : calls(program, aliases),
        reached(reached_by(system)),
        places(program, alias::GlobalPlaces::Callers::AreSeen),
        pointees(program, system, calls, aliases, places, reached),
        numbers(program, calls),
        conditions(program, calls, places, numbers),
        accesses(program, aliases, calls, places, pointees, numbers, conditions) {}
  AccessFacts(const AccessFacts&) = delete;
  AccessFacts& operator=(const AccessFacts&) = delete;

  CallGraph calls;
  std::vector<std::vector<bool>> reached;  ///< by entry and function
  alias::GlobalPlaces places;
  Pointees pointees;
  Numbers numbers;
  ConditionFinder conditions;
  SharedAccesses accesses;

 private:
  [[nodiscard]] std::vector<std::vector<bool>> reached_by(const System& system) const {
    std::vector<std::vector<bool>> found;
    for (const SystemEntry& entry : system.entries()) found.push_back(calls.reached_from(entry.function));
    return found;
  }
};

}  // namespace heddle::depend
