// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/separated_places.h"

#include "topdown/cases/racing_pairs.h"

namespace heddle::topdown {

SeparatedPlaces::SeparatedPlaces(const TopDownResult& result, const std::set<std::string>& without)
    : result_(result), may_interleave_(!without.contains(race::races_interleave)) {
  if (result.gave_up || !result.obstacles.empty()) return;
  PairLimits limits;
  limits.listed = limits.counted;
  const RacingPairs pairs = find_racing_pairs(result, limits);
  if (!pairs.is_complete()) return;
  are_known_ = true;
  for (const race::Warning& one : pairs.listed) {
    const Place first{one.first.function, one.first.instruction}, second{one.second.function, one.second.instruction};
    racing_.insert({first, second});
    racing_.insert({second, first});
  }
  for (const GuardedAccess& access : result.accesses)
    seen_.insert({result.threads->contexts[access.context].function, access.instruction});
}

/// What a function with a body does, or one that is called through a pointer, others may tell at its call.
bool SeparatedPlaces::is_told_here(const Place& place) const {
  const Function& function = result_.universe->program.functions[place.first];
  if (place.second >= function.instructions.size()) return false;
  const Instruction& instruction = function.instructions[place.second];
  if (!instruction.is_call()) return true;  // without an access there: no thread gets there beside others
  const Operand callee = function.operands_of(instruction)[0];
  return seen_.contains(place) && callee.is_function() &&
         !result_.universe->program.functions[callee.as_function()].has_body();
}

std::optional<race::Proof> SeparatedPlaces::prove(const race::Warning& warning) const {
  const Place first{warning.first.function, warning.first.instruction};
  const Place second{warning.second.function, warning.second.instruction};
  if (!are_known_) return std::nullopt;
  if (racing_.empty())
    return accept(race::Proof::Form::Values, "the analysis of the whole program finds no two accesses that may race",
                  result_.assumptions);
  if (!may_interleave_ || !is_told_here(first) || !is_told_here(second) || racing_.contains({first, second}))
    return std::nullopt;
  std::set<std::string> assumptions = result_.assumptions;
  assumptions.insert(race::races_interleave);
  return accept(race::Proof::Form::Values,
                "the analysis of the whole program separates all accesses at these two places", std::move(assumptions));
}

}  // namespace heddle::topdown
