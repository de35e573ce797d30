// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which masks and locks are surely in force at each point of a run of an entry, and where they may end.
//
//   cli(); f(); sei();      in f, and all that it calls, interrupts are off; if f is also called without cli(), they
//                           are not surely off
//
// A function's own part is relative to its beginning (MaskChange) and found once; for each entry the masks at the
// beginning of a function are those that all its calls in that entry have in common. A mask that is ended by a call of
// unknown meaning is ended. Recursion: a call of a function that is under way changes nothing, and may end everything.
#pragma once
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "depend/access/call_graph.h"
#include "depend/risk/lock_steps.h"
#include "depend/system/system.h"

namespace heddle::depend {

/// Begins that are surely in force, the latest last.
using Masks = std::vector<MaskStep>;

struct MaskChange {
  std::vector<MaskStep> ends;  ///< may have taken place, whichever way
  Masks begun;                 ///< behind them, and still in force
};

class MaskFlow {
 public:
  MaskFlow(const Program& program, const System& system, const CallGraph& calls, LockSteps& locks);

  /// At an instruction of a function, in a run of an entry that reaches it.
  [[nodiscard]] const Masks& at(FunctionId entry, FunctionId function, std::size_t instruction);
  /// Instructions of a function that may end masks, as steps themselves or by what they call; with what they may end.
  using Ends = std::vector<std::pair<std::size_t, std::vector<MaskStep>>>;
  [[nodiscard]] const Ends& ends_in(FunctionId function);
  /// What a run of the function may end.
  [[nodiscard]] const std::vector<MaskStep>& ends_of(FunctionId function);
  /// Surely before main lets interrupts in for the first time, on a processor that starts without them: what main does
  /// there is initialisation.
  [[nodiscard]] bool is_start_up(FunctionId entry, FunctionId function, std::size_t instruction);
  [[nodiscard]] bool has_masks() const { return has_masks_; }

 private:
  using State = std::optional<MaskChange>;  ///< none: nothing gets there
  struct Relative {
    std::vector<State> blocks;  ///< at the beginning of each
    MaskChange whole;           ///< at the return
  };

  const Relative& relative(FunctionId function);
  void settle(FunctionId function, Relative& found);
  void step(FunctionId function, std::size_t instruction, MaskChange& change);
  [[nodiscard]] std::optional<MaskStep> step_of(FunctionId function, std::size_t instruction);
  [[nodiscard]] bool calls_back(FunctionId function, std::size_t instruction) const;
  [[nodiscard]] MaskChange behind_named(FunctionId target, MaskChange change) const;
  [[nodiscard]] MaskStep called(MaskStep step, FunctionId caller, std::size_t call) const;
  [[nodiscard]] MaskChange change_at(FunctionId function, std::size_t instruction);
  const std::map<FunctionId, Masks>& beginnings(FunctionId entry);
  Masks masks_at_start(FunctionId entry);

  const Program& program_;
  const System& system_;
  const CallGraph& calls_;
  LockSteps& locks_;
  bool has_masks_ = false;
  std::map<FunctionId, Relative> relative_;
  std::vector<FunctionId> under_way_;
  std::map<FunctionId, std::map<FunctionId, Masks>> beginnings_;  ///< of each entry
  std::map<FunctionId, Ends> ends_;
  std::map<std::tuple<FunctionId, FunctionId, std::size_t>, Masks> at_;
};

/// They are of one mask, or one lock; which interrupts were let in again may differ.
[[nodiscard]] bool is_same_mask(const MaskStep& a, const MaskStep& b);

/// `masks` behind the end.
void end_mask(Masks& masks, const MaskStep& end);

}  // namespace heddle::depend
