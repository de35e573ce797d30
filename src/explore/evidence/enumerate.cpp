// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/enumerate.h"

#include <algorithm>

#include "explore/clocks/first_race.h"

namespace heddle::explore {
namespace {

ContentHash hash_of(const std::vector<std::uint64_t>& words) {
  Hasher hasher;
  for (const std::uint64_t word : words) hasher.add(word);
  return hasher.finish();
}

std::optional<std::array<AccessKey, 2>> keys_of(const std::optional<DetectedRace>& race) {
  if (!race) return std::nullopt;
  return std::array{race->first.deed.key, race->second.deed.key};
}

}  // namespace

Enumeration enumerate(const Subject& subject, const EnumerateOptions& options) {
  ExecutionLimits execution_limits;
  execution_limits.at_accesses = options.at_accesses;
  execution_limits.weakest = options.weakest;
  execution_limits.tell_sides = options.prune.value_or(false);
  const std::unique_ptr<Executor> executor = subject.for_search(execution_limits);
  Course course(*executor, options.at_accesses ? Adjacency::LookedFor : Adjacency::Ignored);
  SearchLimits limits;
  limits.events = options.event_budget;
  if (options.kind == SearchKind::Exhaustive) limits.preemption_bound = options.preemptions;
  Enumeration result;
  std::set<ContentHash> traces;
  const bool has_weak_orders = subject.memory_orders() == MemoryOrders::AsWritten;
  const Visitor visit = [&](const Trace& trace) {
    if (result.counts.threads == 0) result.counts = shared_counts(*executor);
    const bool is_new = traces.insert(hash_of(trace.fingerprint())).second;
    if (is_new && course.is_deadlocked()) ++result.deadlocks;
    if (is_new && course.is_livelocked()) ++result.livelocks;
    result.had_choices =
        result.had_choices || std::ranges::any_of(trace.events(), [](const Event& event) { return event.choices > 1; });
    result.adjacent = result.adjacent || course.was_adjacent();
    if (!is_new || !options.look_for_races) return true;
    if (!result.race) result.race = keys_of(first_race(*executor, result.gaps));
    if (!result.weak_race && has_weak_orders)
      result.weak_race = keys_of(first_race(*executor, MemoryOrders::AsWritten));
    return !options.until_race || !result.race;
  };
  if (options.prune) {
    const PruneOptions pruning{.prune = *options.prune, .at_accesses = options.at_accesses};
    result.pruning = pruned_search(course, *executor, pruning, limits, visit);
    result.statistics = result.pruning.search;
  } else {
    result.statistics = search(course, options.kind, limits, visit);
  }
  Hasher hasher;
  for (const ContentHash& trace : traces) hasher.add(trace.high).add(trace.low);
  result.digest = hasher.finish();
  if (!has_weak_orders) result.weak_race = result.race;
  result.traces = traces.size();
  result.gaps.insert(executor->gaps().begin(), executor->gaps().end());
  if (result.statistics.left_out > 0)
    result.gaps.insert("executions with more than " + std::to_string(*options.preemptions) +
                       " preemptions were left out");
  result.instructions = executor->instructions();
  return result;
}

}  // namespace heddle::explore
