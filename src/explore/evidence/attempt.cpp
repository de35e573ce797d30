// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/attempt.h"

#include <algorithm>

namespace heddle::explore {

Attempt attempt_number(std::uint64_t n) {
  constexpr std::uint32_t all_instances = 10'000;
  static constexpr Attempt opening[] = {
      {StrategyKind::Sequential, ValuePolicy::Zero, 2, 100'000},
      {StrategyKind::RoundRobin, ValuePolicy::One, 2, 100'000},
      {StrategyKind::Reverse, ValuePolicy::Candidates, 2, 100'000},
      {StrategyKind::Random, ValuePolicy::Small, 3, 200'000},
      {StrategyKind::Sequential, ValuePolicy::One, 5, 200'000},
      {StrategyKind::RoundRobin, ValuePolicy::Candidates, 5, 200'000},
      {StrategyKind::Sequential, ValuePolicy::Candidates, all_instances, 1'000'000},
      {StrategyKind::Reverse, ValuePolicy::Zero, all_instances, 1'000'000},
  };
  if (n < std::size(opening)) return opening[n];
  static constexpr StrategyKind strategies[] = {StrategyKind::Priorities, StrategyKind::Random,
                                                StrategyKind::Priorities, StrategyKind::Sticky,
                                                StrategyKind::RoundRobin};
  static constexpr ValuePolicy policies[] = {ValuePolicy::Candidates, ValuePolicy::Small, ValuePolicy::One,
                                             ValuePolicy::Random,     ValuePolicy::One,   ValuePolicy::Zero,
                                             ValuePolicy::Small};
  static constexpr std::uint32_t instances[] = {2, 3, 5, all_instances};
  const std::uint64_t length = n < 60 ? 200'000 : n % 16 == 15 ? 5'000'000 : n % 4 == 3 ? 1'000'000 : 200'000;
  return {strategies[n % 5], policies[n % 7], instances[n % 4], length};
}

Attempt attempt_number(std::uint64_t number, std::uint64_t length) {
  constexpr std::uint64_t short_runs = 3, times_shorter = 20;
  Attempt attempt = attempt_number(number);
  attempt.instructions *= number < short_runs ? std::max<std::uint64_t>(length / times_shorter, 1) : length;
  return attempt;
}

RunLimits limits_of(const Attempt& attempt, std::uint64_t number) {
  RunLimits limits;
  limits.instructions = attempt.instructions;
  limits.step_instructions = std::min<std::uint64_t>(20'000, attempt.instructions / 20);
  limits.instances = attempt.instances;
  // Many programs create 10 000 threads before they do anything else; only a few runs can afford that.
  if (number % 8 == 7) limits.threads = 12'000;
  return limits;
}

}  // namespace heddle::explore
