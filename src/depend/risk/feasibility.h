// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether conditions allow a triple.
//
//   if (m == 1) y = x;  if (m == 2) y += x;         never both
//   busy = 1; y = x; y += x; busy = 0;              an interrupt that writes x only `if (!busy)` does not come between
//   int mode = 0; … if (mode == 3) y = x;           never, if nobody stores 3
//   if (a > b) { y = x; y += x; }                   an interrupt that writes x only `if (a < b)` does not come between,
//                                                   if nobody writes a and b meanwhile
//
// Says no only if it is certain: of values that are not defined anew on the way; of cells that nobody who can interrupt
// the entry writes, and the entry itself not before the second access; of numbers that a cell can hold at all. In the
// functions that call the one at hand conditions count as long as there is one call.
#pragma once
#include "depend/access/access_facts.h"
#include "depend/risk/openings.h"
#include "depend/risk/ways.h"
#include "depend/system/system.h"

namespace heddle::depend {

class Feasibility {
 public:
  Feasibility(AccessFacts& facts, WayFinder& ways)
      : program_(facts.program),
        system_(facts.system),
        calls_(facts.calls),
        accesses_(facts.accesses),
        reached_(facts.reached),
        conditions_(facts.conditions),
        values_(facts.values),
        ways_(ways) {}

  /// A run of the entry may come to the access at all.
  bool allows(std::size_t entry, const Access& access);
  /// One run of the entry may make both accesses this way.
  bool allows(std::size_t entry, const Way& way, const Access& first, const Access& second);
  /// Between them, the other entry may make its access.
  bool allows(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first, const Access& second,
              const Access& between);
  /// The same, where one of these has to have let it in.
  bool allows(std::size_t entry, std::size_t interrupter, const std::vector<Lifter>& lifters, const Access& second,
              const Access& between);

 private:
  struct Facts {
    std::vector<CellFact> cells;
    std::vector<Relation> relations;
  };
  void add(const Conditions& conditions, Facts& to) const;
  const Facts& above(std::size_t entry, FunctionId function);
  [[nodiscard]] Facts facts_at(std::size_t entry, const Access& access);
  [[nodiscard]] Facts facts_at(std::size_t entry, const Way& way, std::size_t point, const Access& access);
  [[nodiscard]] bool are_possible(const Facts& facts);
  [[nodiscard]] bool are_apart(std::size_t entry, const Facts& before, const Facts& later, const Access& second);
  [[nodiscard]] bool values_allow(const Way& way);
  [[nodiscard]] bool counts_from(const Way& way, ValueId value, const Range& first, const Range& second) const;
  [[nodiscard]] bool is_redefined(const Way& way, ValueId value) const;
  [[nodiscard]] bool relations_allow(std::size_t entry, const Way& way, const Access& second);
  [[nodiscard]] bool writes(std::size_t entry, const FixedCell& cell) const;
  [[nodiscard]] bool interrupters_write(std::size_t entry, const FixedCell& cell);
  /// From when it was read until the second access.
  [[nodiscard]] bool is_steady(std::size_t entry, const ReadCell& read, const Access& second);

  using Number = std::optional<std::int64_t>;  ///< none: not known
  [[nodiscard]] Number value_on_way(std::size_t entry, const FixedCell& cell, const Access& first,
                                    const Access& second);
  [[nodiscard]] Number value_at(std::size_t entry, const FixedCell& cell, const Point& point, int depth);
  [[nodiscard]] Number value_at_begin(std::size_t entry, const FixedCell& cell, FunctionId function, int depth);
  [[nodiscard]] std::map<std::size_t, Number> stores_in(const FixedCell& cell, FunctionId function);
  [[nodiscard]] Numbered values_behind(std::size_t entry, const Lifter& lifter, const FixedCell& cell,
                                       const Access& second);

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  const SharedAccesses& accesses_;
  const std::vector<std::vector<bool>>& reached_;
  ConditionFinder& conditions_;
  KnownValues& values_;
  WayFinder& ways_;
  std::map<std::pair<std::size_t, FunctionId>, Facts> above_;
  std::map<std::pair<std::size_t, FixedCell>, bool> interrupters_write_;
};

}  // namespace heddle::depend
