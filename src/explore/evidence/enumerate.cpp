// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/enumerate.h"

#include <algorithm>

#include "explore/interpreted/machine_executor.h"

namespace heddle::explore {
namespace {

ContentHash hash_of(const std::vector<std::uint64_t>& words) {
  Hasher hasher;
  for (const std::uint64_t word : words) hasher.add(word);
  return hasher.finish();
}

LocationId place_of(const Program& program, const interpret::Event& event) {
  if (!event.function.valid()) return {};
  const Function& function = program.functions[event.function];
  return event.instruction < function.instructions.size() ? function.instructions[event.instruction].location
                                                          : LocationId{};
}

std::optional<std::array<LocationId, 2>> places_of(const Program& program, const std::optional<DetectedRace>& race) {
  if (!race) return std::nullopt;
  return std::array{place_of(program, race->first.event), place_of(program, race->second.event)};
}

bool orders_matter(const Program& program) {
  for (const Function& function : program.functions)
    for (const Instruction& instruction : function.instructions)
      if (instruction.is_atomic() && instruction.order != AtomicOrder::SeqCst) return true;
  return false;
}

}  // namespace

Enumeration enumerate(const Program& program, const api::ApiModels& models, const EnumerateOptions& options) {
  MachineLimits machine_limits;
  machine_limits.at_accesses = options.at_accesses;
  machine_limits.weakest = options.weakest;
  MachineExecutor executor(program, models, machine_limits);
  SearchLimits limits;
  limits.events = options.event_budget;
  if (options.kind == SearchKind::Exhaustive) limits.preemption_bound = options.preemptions;
  Enumeration result;
  std::set<ContentHash> traces;
  const bool has_weak_atomics = orders_matter(program);
  result.statistics = search(executor, options.kind, limits, [&](const Trace& trace) {
    const bool is_new = traces.insert(hash_of(trace.fingerprint())).second;
    if (is_new && executor.is_deadlocked()) ++result.deadlocks;
    if (is_new && executor.is_livelocked()) ++result.livelocks;
    result.had_choices =
        result.had_choices || std::ranges::any_of(trace.events(), [](const Event& event) { return event.choices > 1; });
    result.adjacent = result.adjacent || executor.was_adjacent();
    if (!is_new || !options.look_for_races) return true;
    if (!result.race) result.race = places_of(program, executor.race());
    if (!result.weak_race && has_weak_atomics) result.weak_race = places_of(program, executor.race(&program));
    return true;
  });
  Hasher hasher;
  for (const ContentHash& trace : traces) hasher.add(trace.high).add(trace.low);
  result.digest = hasher.finish();
  if (!has_weak_atomics) result.weak_race = result.race;
  result.traces = traces.size();
  result.gaps = executor.gaps();
  if (result.statistics.left_out > 0)
    result.gaps.insert("executions with more than " + std::to_string(*options.preemptions) +
                       " preemptions were left out");
  result.instructions = executor.instructions();
  return result;
}

}  // namespace heddle::explore
