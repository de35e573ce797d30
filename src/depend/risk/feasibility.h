// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether conditions allow a triple. A *way* is a function with two of its points, each the access or a call that leads
// to it.
//
//   if (m == 1) y = x;  if (m == 2) y += x;         never both
//   busy = 1; y = x; y += x; busy = 0;              an interrupt that writes x only `if (!busy)` does not come between
//
// Says no only if it is certain: of values that are not defined anew on the way; of global variables that nobody who
// can interrupt the entry writes; and what the entry itself writes to a flag is followed inside of the way's function.
#pragma once
#include "depend/risk/conditions.h"
#include "depend/risk/shared_accesses.h"
#include "depend/system/system.h"

namespace heddle::depend {

struct Way {
  FunctionId function;
  std::size_t first = 0, second = 0;
};

class Feasibility {
 public:
  /// `reached`: by entry and function.
  Feasibility(const Program& program, const System& system, const CallGraph& calls, const SharedAccesses& accesses,
              const std::vector<std::vector<bool>>& reached)
      : program_(program),
        system_(system),
        calls_(calls),
        accesses_(accesses),
        reached_(reached),
        conditions_(program, calls, accesses.places()) {}

  /// One run of the entry may make both accesses this way.
  bool allows(std::size_t entry, const Way& way, const Access& first, const Access& second);
  /// Between them, the other access may be made.
  bool allows(std::size_t entry, const Way& way, const Access& between);

 private:
  using Places = std::map<alias::GlobalPlace, Range>;
  [[nodiscard]] Places places_at(const Way& way, std::size_t point, const Access& access);
  [[nodiscard]] bool is_between(const Way& way, std::size_t instruction) const;
  [[nodiscard]] bool writes(std::size_t entry, const alias::GlobalPlace& place) const;
  [[nodiscard]] bool interrupters_write(std::size_t entry, const alias::GlobalPlace& place) const;
  [[nodiscard]] std::optional<std::int64_t> value_on_way(std::size_t entry, const Way& way,
                                                         const alias::GlobalPlace& place);
  [[nodiscard]] std::map<std::size_t, std::optional<std::int64_t>> stores_to(std::size_t entry, FunctionId function,
                                                                             const alias::GlobalPlace& place,
                                                                             bool& is_all) const;
  [[nodiscard]] std::optional<std::int64_t> value_at(
      FunctionId function, std::size_t point, const std::map<std::size_t, std::optional<std::int64_t>>& stores) const;

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  const SharedAccesses& accesses_;
  const std::vector<std::vector<bool>>& reached_;
  ConditionFinder conditions_;
};

}  // namespace heddle::depend
