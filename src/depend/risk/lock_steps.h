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
  LockSteps(const Program& program, const api::ApiModels& models, const alias::GlobalPlaces& places, Numbers& numbers)
      : program_(program), models_(models), places_(places), numbers_(numbers) {}

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
  /// What a variable is set to; equal where it is the same lock.
  struct Stored {
    enum class Kind : std::uint8_t {
      At,      ///< an address: `place`
      In,      ///< what lies in `place`
      Number,  ///< not zero
      Made,    ///< what a call gives, by one of several, but once
      Own,     ///< something else: of the store alone, by `number` in `by`
    };
    Kind kind = Kind::Own;
    alias::GlobalPlace place = {};
    std::int64_t number = 0;
    FunctionId by = {};
    friend auto operator<=>(const Stored&, const Stored&) = default;
  };
  void find_stored();
  void look_at_stores(FunctionId function);
  /// Nothing: no lock.
  [[nodiscard]] std::optional<Stored> stored_by(FunctionId function, Operand value, std::size_t instruction) const;
  [[nodiscard]] std::string lock_in(alias::GlobalPlace handle);

  const Program& program_;
  const api::ApiModels& models_;
  const alias::GlobalPlaces& places_;
  Numbers& numbers_;
  std::map<std::string, std::int64_t> locks_;
  std::map<alias::GlobalPlace, std::set<Stored>> stored_;  ///< in each variable
  bool has_stored_ = false;
};

}  // namespace heddle::depend
