// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether masks let an entry in between two accesses of another one.
//
//   off(2); y = x; y += x;        interrupt 2 does not come, unless interrupt 1 does, and says on(2)
//
// Locks keep out whoever wants the same one. A mask that is in force at the first access holds until something on the
// way to the second may end it; entries that are let in meanwhile may end it too, and so let others in (*lifters*).
#pragma once
#include <map>
#include <tuple>
#include <vector>

#include "depend/access/shared_accesses.h"
#include "depend/risk/mask_flow.h"
#include "depend/risk/ways.h"

namespace heddle::depend {

/// Lets another one in by ending its mask.
struct Lifter {
  std::size_t entry = 0;
  std::vector<Point> ends;    ///< where it does that; none: not only in its own function
  std::vector<Point> begins;  ///< where the one that is interrupted masked it
};

struct Opening {
  bool is_open = false;
  Masks locks;                  ///< that are held all the way
  std::vector<Lifter> lifters;  ///< one of them has to come first; none: nobody needs to, or it is not known who
};

class Openings {
 public:
  Openings(const Program& program, const System& system, const CallGraph& calls,
           const std::vector<std::vector<bool>>& reached, LockSteps& locks)
      : program_(program), system_(system), calls_(calls), reached_(reached), masks_(program, system, calls, locks) {}

  [[nodiscard]] Opening find(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first,
                             const Access& second);
  /// While an entry is at this point the other one does not come: the mask that keeps it out. Nothing: it may come.
  [[nodiscard]] std::optional<MaskStep> keeps_out(std::size_t entry, std::size_t interrupter, Point at);
  /// The masks and locks that are surely in force at a point of an entry.
  [[nodiscard]] Masks in_force(std::size_t entry, Point at) {
    return masks_.at(system_.entries()[entry].function, at.function, at.instruction);
  }
  /// The other entry makes its access without any of the locks.
  [[nodiscard]] bool allows(const Opening& opening, std::size_t interrupter, const Access& between);
  /// Surely before main lets interrupts in for the first time.
  [[nodiscard]] bool is_start_up(std::size_t entry, const Access& access) {
    return masks_.is_start_up(system_.entries()[entry].function, access.function, access.instruction);
  }

 private:
  [[nodiscard]] bool is_kept_out(const Masks& masks, std::size_t interrupter) const;
  [[nodiscard]] bool is_masked_round(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first,
                                     const Access& second);
  [[nodiscard]] Masks left_on(std::size_t entry, const Way& way, const Point& first, const Point& second);
  [[nodiscard]] Opening lifted(std::size_t entry, std::size_t interrupter, const Masks& held, const Point& at);
  [[nodiscard]] bool may_stay(const Point& begin, const Point& at) const;
  const Masks& older_at(std::size_t entry, std::size_t interrupter, const Point& at);
  [[nodiscard]] Masks find_older(std::size_t entry, std::size_t interrupter, const Point& at);
  /// All of these are in force at once.
  [[nodiscard]] Opening lifted(std::size_t entry, std::size_t interrupter, const Masks& held);
  [[nodiscard]] Lifter lifter(std::size_t entry, std::size_t by, std::size_t interrupter);
  const std::vector<Point>& steps(std::size_t entry, std::size_t interrupter, MaskStep::Step step);

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  const std::vector<std::vector<bool>>& reached_;
  MaskFlow masks_;
  std::map<std::tuple<std::size_t, std::size_t, Point>, Masks> older_;
  std::map<std::tuple<std::size_t, std::size_t, MaskStep::Step>, std::vector<Point>> steps_;
};

}  // namespace heddle::depend
