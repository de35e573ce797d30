// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks of operating systems as steps like those of masks: `xSemaphoreTake(m, …)` begins, `xSemaphoreGive(m)` ends. A
// lock keeps out whoever holds it at its own access (openings.h).
//
// Which lock it is, the argument says: the address of a variable, what a variable holds (a handle), or a number. A
// variable that is set to one lock here and to another there is no handle. A lock that is none of these protects
// nothing, and giving it back ends all. Taken for reading only, it is none either.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "alias/global_places.h"
#include "api/action.h"
#include "api/models/api_models.h"
#include "depend/access/numbers.h"
#include "depend/system/mask_step.h"

namespace heddle::depend {

class LockSteps {
 public:
  LockSteps(const Program& program, const api::ApiModels& models, const alias::GlobalPlaces& places, Numbers& numbers);

  /// What the call surely does.
  [[nodiscard]] std::optional<MaskStep> of_call(FunctionId function, std::size_t instruction);
  /// The call takes or gives a lock, or may.
  [[nodiscard]] bool is_step(FunctionId function, std::size_t instruction) {
    return step_of(function, instruction).has_value();
  }
  /// What a call that may fail has done where this edge is taken.
  [[nodiscard]] std::optional<MaskStep> of_edge(FunctionId function, BlockId from, BlockId to);

 private:
  struct Step {
    MaskStep step;
    api::Success success = api::Success::Always;
  };
  [[nodiscard]] std::optional<Step> step_of(FunctionId function, std::size_t instruction);
  [[nodiscard]] MaskStep named(FunctionId function, const Instruction& call, const api::LockRef& lock,
                               MaskStep::Step step);
  [[nodiscard]] std::string name_of(FunctionId function, const Instruction& call, const api::LockRef& lock);
  void look_at_stores(FunctionId function);
  /// Equal where the same lock is stored; empty: none is.
  [[nodiscard]] std::string stored_by(FunctionId function, Operand value, std::size_t instruction);
  [[nodiscard]] std::string lock_in(const alias::GlobalPlace& handle) const;

  const Program& program_;
  const api::ApiModels& models_;
  const alias::GlobalPlaces& places_;
  Numbers& numbers_;
  std::map<std::string, std::int64_t> locks_;
  std::map<alias::GlobalPlace, std::set<std::string>> stored_;  ///< in each variable, by `stored_by`
};

}  // namespace heddle::depend
