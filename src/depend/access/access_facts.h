// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a program's accesses, found once for everything that asks: who calls whom, who reaches what, where
// addresses lead.
#pragma once
#include <vector>

#include "alias/global_places.h"
#include "depend/access/call_graph.h"
#include "depend/access/conditions.h"
#include "depend/access/global_classes.h"
#include "depend/access/known_values.h"
#include "depend/access/numbers.h"
#include "depend/access/pointees.h"
#include "depend/access/shared_accesses.h"

namespace heddle::depend {

struct AccessFacts {
  AccessFacts(const Program& of, const System& its_system, const alias::AliasFacts& its_aliases)
      : program(of),
        system(its_system),
        aliases(its_aliases),
        calls(of, its_aliases),
        reached(reached_by()),
        places(of, alias::GlobalPlaces::Callers::AreSeen),
        classes(of, its_aliases, places),
        pointees(of, its_system, calls, places, classes, reached),
        numbers(of, calls),
        conditions(of, calls, places, numbers),
        accesses(of, its_system.models(), calls, places, classes, pointees, numbers, conditions),
        values(of, accesses, numbers) {}
  AccessFacts(const AccessFacts&) = delete;
  AccessFacts& operator=(const AccessFacts&) = delete;

  const Program& program;
  const System& system;
  const alias::AliasFacts& aliases;
  CallGraph calls;
  std::vector<std::vector<bool>> reached;  ///< by entry and function
  alias::GlobalPlaces places;
  GlobalClasses classes;
  Pointees pointees;
  Numbers numbers;
  ConditionFinder conditions;
  SharedAccesses accesses;
  KnownValues values;

 private:
  [[nodiscard]] std::vector<std::vector<bool>> reached_by() const {
    std::vector<std::vector<bool>> found;
    for (const SystemEntry& entry : system.entries()) found.push_back(calls.reached_from(entry.function));
    return found;
  }
};

}  // namespace heddle::depend
