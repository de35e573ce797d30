// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/frontier.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "explore/shares/share_bytes.h"
#include "explore/toy_executor.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct Seen {
  std::multiset<std::vector<std::uint64_t>> traces;
  std::size_t rounds = 0;
  std::size_t most_shares = 0;
  bool complete = false;
  [[nodiscard]] std::set<std::vector<std::uint64_t>> different() const { return {traces.begin(), traces.end()}; }
};

Seen in_one_piece(const toy::Threads& threads, SearchKind kind) {
  toy::ToyExecutor executor(threads);
  Seen seen;
  SearchLimits limits;
  limits.executions = 400;
  seen.complete = search(executor, kind, limits, [&](const Trace& trace) {
                    seen.traces.insert(trace.fingerprint());
                    return true;
                  }).complete;
  return seen;
}

template <class Value>
Value sent(const Value& value, Value (*read)(ByteReader&)) {
  ByteWriter out;
  write(out, value);
  ByteReader in(out.bytes());
  Value copy = read(in);
  EXPECT_FALSE(in.failed());
  EXPECT_TRUE(in.at_end());
  return copy;
}

/// Each share of a round by an executor of its own; what is left goes through bytes.
Seen in_pieces(const toy::Threads& threads, SearchKind kind, std::size_t width, std::uint64_t executions) {
  Seen seen;
  Frontier left;
  while (!left.is_over() && ++seen.rounds < 100'000) {
    const std::vector<std::size_t> round = left.next_round(width);
    EXPECT_FALSE(round.empty());
    if (round.empty()) return seen;
    seen.most_shares = std::max(seen.most_shares, round.size());
    std::vector<SharedOut> done;
    for (const std::size_t number : round) {
      toy::ToyExecutor executor(threads);
      Course course(executor);
      SearchLimits limits;
      limits.executions = executions;
      ShareReport report;
      const Visitor visit = [&](const Trace& trace) {
        seen.traces.insert(trace.fingerprint());
        return true;
      };
      EXPECT_FALSE(search(course, kind, limits, visit, sent<Share>(left.share(number), read_share), report).diverged);
      done.push_back({number, sent<ShareReport>(report, read_share_report)});
    }
    EXPECT_TRUE(left.take_back(std::move(done)));
    Result<Frontier> kept = Frontier::from_bytes(left.bytes());
    EXPECT_TRUE(kept);
    if (!kept) return seen;
    EXPECT_EQ(kept->bytes(), left.bytes());
    left = std::move(*kept);
  }
  seen.complete = left.is_over();
  return seen;
}

constexpr SearchKind kinds[] = {SearchKind::Exhaustive, SearchKind::Classic, SearchKind::Source};

void expect_the_same(const toy::Threads& threads, const std::string& name) {
  for (const SearchKind kind : kinds) {
    const Seen whole = in_one_piece(threads, kind);
    if (!whole.complete) continue;
    for (const std::size_t width : {1U, 3U, 8U})
      for (const std::uint64_t executions : {1U, 4U}) {
        const Seen pieces = in_pieces(threads, kind, width, executions);
        EXPECT_TRUE(pieces.complete) << name;
        EXPECT_EQ(pieces.different(), whole.different())
            << name << " kind " << static_cast<int>(kind) << " width " << width << " executions " << executions;
        EXPECT_EQ(pieces.traces, whole.traces) << name << " kind " << static_cast<int>(kind) << " width " << width;
      }
  }
}

TEST(Frontier, PiecesVisitWhatTheWholeVisits) {
  const std::vector<std::vector<std::string>> programs{
      {"w0=1", "w0=2"},
      {"w0=1 w1=1", "r1 r0", "r0 r1"},
      {"l0 x0 u0 l0 x0 u0", "l0 x0 u0"},
      {"l0 l1 u1 u0", "l1 l0 u0 u1"},
      {"l0 x0 u0", "l0 x0 u0", "l0 x0 u0"},
      {"t0 x0 u0 x1", "l0 x0 u0 r1"},
      {"s0 x0 p0", "s0 x0 p0", "p0"},
      {"w0=1", "w0=2", "a0=1 x1", "a0=2 x1"},
      {"R0 x1 x2", "w0=1", "x1 x2"},
      {"c=3 x0 x1 x2", "c=2 x1 x0"},
      {"x0 c=2 x1 x0", "x1 x0"},
      {"f1 f2 j1 j2 x0", "l0 x0 u0", "l0 x0 u0"},
      {"w0=1 r1 r2", "w1=1 r0 r2", "w2=1 r0 r1"},
      {"R0 x1 w0=2", "R1 x0 w1=2", "x0 x1"},
  };
  for (const auto& program : programs) {
    std::string name;
    for (const std::string& thread : program) name += thread + " | ";
    expect_the_same(toy::parse(program), name);
  }
}

TEST(Frontier, PiecesOfRandomProgramsVisitWhatTheWholeVisits) {
  std::mt19937 random(11);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  // A lock that another thread gives back belongs to nobody: what waits for what is not known then.
  const char* const operations[] = {"r0",       "r1",       "w0=1",        "w1=2", "x0", "x1",   "R0",
                                    "l0 x1 u0", "l1 r0 u1", "l0 l1 u1 u0", "s0",   "p0", "a0=1", "c=2"};
  for (int round = 0; round < 90 && !testing::Test::HasFailure(); ++round) {
    std::vector<std::string> program(2 + pick(2));
    std::string name;
    for (std::string& thread : program) {
      for (unsigned i = 0; i < (program.size() == 2 ? 4U : 3U); ++i)
        thread += std::string(operations[pick(std::size(operations))]) + ' ';
      name += thread + "| ";
    }
    expect_the_same(toy::parse(program), name);
  }
}

TEST(Frontier, CutsOneShareForManyWorkers) {
  const toy::Threads threads = toy::parse({"l0 x0 u0 l0 x0 u0", "l0 x0 u0 l0 x0 u0", "l0 x0 u0 l0 x0 u0"});
  const Seen pieces = in_pieces(threads, SearchKind::Source, 8, 3);
  EXPECT_EQ(pieces.traces.size(), 90U);
  EXPECT_EQ(pieces.different().size(), 90U);
  EXPECT_GT(pieces.most_shares, 4U);
}

TEST(Frontier, TellsThatTheProgramDoesSomethingElse) {
  Frontier left;
  const auto slice = [&](const toy::Threads& threads, ShareReport& report) {
    toy::ToyExecutor executor(threads);
    Course course(executor);
    SearchLimits limits;
    limits.executions = 1;
    return search(course, SearchKind::Source, limits, {}, left.share(0), report);
  };
  ShareReport report;
  EXPECT_FALSE(slice(toy::parse({"w1=1 x0 x0", "x0 x0"}), report).diverged);
  ASSERT_TRUE(left.take_back({{0, report}}));
  EXPECT_TRUE(slice(toy::parse({"w2=1 x0 x0", "x0 x0"}), report).diverged);
}

TEST(Frontier, RefusesWhatDoesNotFit) {
  Frontier left;
  EXPECT_FALSE(left.take_back({{7, {}}}));
  ShareReport report;
  report.rest.first = 2;
  EXPECT_FALSE(left.take_back({{0, report}}));
  const std::string bytes = left.bytes();
  EXPECT_FALSE(Frontier::from_bytes(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(Frontier::from_bytes(bytes + "x"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
