// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/search.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "explore/toy_executor.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct Visited {
  std::set<std::vector<std::uint64_t>> traces;
  SearchStatistics statistics;
};

Visited run(const toy::Threads& threads, SearchKind kind, std::uint64_t limit = 2'000'000) {
  toy::ToyExecutor executor(threads);
  Visited visited;
  SearchLimits limits;
  limits.executions = limit;
  visited.statistics = search(executor, kind, limits, [&](const Trace& trace) {
    visited.traces.insert(trace.fingerprint());
    return true;
  });
  return visited;
}

void expect_exact(const toy::Threads& threads, const std::string& name) {
  const Visited all = run(threads, SearchKind::Exhaustive);
  if (!all.statistics.complete) return;
  for (const SearchKind kind : {SearchKind::Classic, SearchKind::Source, SearchKind::Optimal}) {
    const Visited reduced = run(threads, kind);
    EXPECT_TRUE(reduced.statistics.complete) << name;
    EXPECT_EQ(reduced.traces, all.traces) << name << " kind " << static_cast<int>(kind);
    EXPECT_EQ(reduced.statistics.executions, reduced.traces.size()) << name << " kind " << static_cast<int>(kind);
  }
  // Outcomes of a choice share one wakeup tree, so that optimality holds for programs without choices only.
  if (name.find('c') != std::string::npos) return;
  EXPECT_EQ(run(threads, SearchKind::Optimal).statistics.sleep_blocked, 0U) << name;
}

TEST(Search, VisitsExactlyTheTracesOfEnumeration) {
  const std::vector<std::vector<std::string>> programs{
      {"w0=1", "w0=2"},
      {"r0", "r0", "w0=1"},
      {"w0=1 r1", "w1=1 r0"},
      {"w0=1 w1=1", "r1 r0", "r0 r1"},
      {"l0 x0 u0", "l0 x0 u0"},
      {"l0 x0 u0 l0 x0 u0", "l0 x0 u0"},
      {"l0 l1 u1 u0", "l1 l0 u0 u1"},
      {"l0 x0 u0", "l0 x0 u0", "l0 x0 u0"},
      {"l0", "l0"},
      {"l0 x1", "l0 x1 u0", "x1"},
      {"t0 x0 u0", "t0 x0 u0"},
      {"t0 x0 u0 x1", "l0 x0 u0 r1"},
      {"p0", "s0 x0", "x0"},
      {"p0 p0", "s0 x0", "s0 x0"},
      {"s0 x0 p0", "s0 x0 p0", "p0"},
      {"w0=1", "a0=1 x1", "x1"},
      {"w0=1 w0=2", "a0=1 x1", "x1"},
      {"w0=1 w0=0", "a0=0 x1", "x1"},
      {"w0=1", "w0=2", "a0=1 x1", "a0=2 x1"},
      {"R0 x1 x2", "w0=1", "x1 x2"},
      {"R0 l0 u0", "x0 l0 u0", "l0 r0 u0"},
      {"c=2 x0 x1", "x0", "x1"},
      {"x0 c=2 x1 x0", "x1 x0"},
      {"c=3 x0 x1 x2", "c=2 x1 x0"},
      {"f1 x0 j1 x0", "x0"},
      {"f1 f2 j1 j2 x0", "l0 x0 u0", "l0 x0 u0"},
      {"f1 x0 f2 j2 j1", "x0 x1", "x1"},
      {"x0 x1 x2", "x2 x1 x0"},
      {"x0 x1", "x1 x2", "x2 x0"},
      {"r0 r1 w2=1", "w0=1 r2", "w1=1 r2"},
      {"l0 f1 u0 j1", "l0 x0 u0"},
      {"w0=1 r1 r2", "w1=1 r0 r2", "w2=1 r0 r1"},
      {"l0 R1 x2 u0", "l0 w1=1 u0 x2", "l0 x2 u0"},
      {"R0 x1 w0=2", "R1 x0 w1=2", "x0 x1"},
  };
  for (const auto& program : programs) {
    std::string name;
    for (const std::string& thread : program) name += thread + " | ";
    expect_exact(toy::parse(program), name);
  }
}

TEST(Search, VisitsExactlyTheTracesOfRandomPrograms) {
  std::mt19937 random(7);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 400; ++round) {
    std::vector<std::string> program;
    std::string name;
    const unsigned threads = 2 + pick(2);
    for (unsigned t = 0; t < threads; ++t) {
      std::string text;
      for (unsigned i = 0; i < (threads == 2 ? 4U : 3U); ++i) {
        const std::string object = std::to_string(pick(2));
        switch (pick(9)) {
          case 0: text += "r" + object; break;
          case 1: text += "w" + object + "=" + std::to_string(pick(3)); break;
          case 2: text += "x" + object; break;
          case 3: text += "R" + object; break;
          case 4: text += "l" + object; break;
          case 5: text += "u" + object; break;
          case 6: text += "p" + object; break;
          case 7: text += "a" + object + "=" + std::to_string(pick(2)); break;
          default: text += "c=2"; break;
        }
        text += ' ';
      }
      program.push_back(text);
      name += text + "| ";
    }
    expect_exact(toy::parse(program), name);
    if (testing::Test::HasFailure()) break;
  }
}

toy::Threads counters(unsigned threads, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) text += "l0 x0 u0 ";
  return toy::parse(std::vector<std::string>(threads, text));
}

TEST(Search, OptimalCountsTheTracesOfLockedCounters) {
  const Visited three = run(counters(3, 3), SearchKind::Optimal);
  EXPECT_EQ(three.statistics.executions, 1680U);
  EXPECT_EQ(three.traces.size(), 1680U);
  EXPECT_EQ(run(counters(4, 2), SearchKind::Optimal).statistics.executions, 2520U);
}

TEST(Search, OptimalCountsTheTracesOfReadersOnThreeSlots) {
  // A writer and three readers visit three locked slots in the same order: 4! orders a slot, in every combination.
  const toy::Threads threads = toy::parse(std::vector<std::string>(4, "l0 x0 u0 l1 x1 u1 l2 x2 u2"));
  const Visited visited = run(threads, SearchKind::Optimal);
  EXPECT_EQ(visited.statistics.executions, 13'824U);
  EXPECT_EQ(visited.traces.size(), 13'824U);
  EXPECT_EQ(visited.statistics.sleep_blocked, 0U);
}

TEST(Search, PreemptionBoundGrowsToEverything) {
  std::uint64_t before = 0;
  for (std::uint32_t bound = 0; bound <= 4; ++bound) {
    toy::ToyExecutor executor(toy::parse({"x0 x0 x0", "x0 x0 x0"}));
    SearchLimits limits;
    limits.preemption_bound = bound;
    const SearchStatistics found = search(executor, SearchKind::Exhaustive, limits, nullptr);
    EXPECT_TRUE(found.complete);
    EXPECT_GT(found.executions, before);
    before = found.executions;
  }
  EXPECT_EQ(before, 20U);  // 6! / (3! 3!)
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
