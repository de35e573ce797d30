// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the clocks say of the execution that an executor for searches has just run.
#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>

#include "explore/clocks/race_detector.h"
#include "explore/executor/executor.h"

namespace heddle::explore {

/// `only`: every other pair is passed over.
std::optional<DetectedRace> first_race(const Executor& executor,
                                       MemoryOrders orders = MemoryOrders::SequentiallyConsistent,
                                       const std::optional<AccessPair>& only = {});

/// The same; also adds what only the end of an execution shows, and what keeps it from being taken for the real one: an
/// unclear pair, a lock used as plain memory, a thread that waits for its own lock.
std::optional<DetectedRace> first_race(const Executor& executor, std::set<std::string>& gaps);

/// The same with memory orders that count for nothing, besides the pairs that are known already.
std::optional<DetectedRace> another_race(const Executor& executor, const std::vector<AccessPair>& known);

/// All pairs of plain accesses to these bytes that nothing orders. (A detector tells one for each moment of a thread:
/// of two reads in a row it knows the latter.)
std::vector<AccessPair> unordered_pairs(const Executor& executor, std::span<const Bytes> bytes);

}  // namespace heddle::explore
