// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The running example of ATVA08, step by step, and what pruning promises of its search.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "explore/c_prelude.h"
#include "explore/clocks/first_race.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/prune/pruned_search.h"
#include "frontend/scratch_source.h"
#include "pipeline/load.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

// The figure itself is lost. The paper's text fixes a2, a6 (not under f1), a10, b3, b4 and b10 with their locks; what
// is left are statements on variables of one thread.
constexpr const char* running_example = R"(
int p, q;
pthread_mutex_t f1, f2;
void *t1(void *given) {
  LOCK(f1);    // a1
  x++;         // a2
  UNLOCK(f1);  // a3
  p++;         // a4
  LOCK(f2);    // a5
  y++;         // a6
  UNLOCK(f2);  // a7
  p++;         // a8
  LOCK(f1);    // a9
  z++;         // a10
  UNLOCK(f1);  // a11
  return 0;
}
void *t2(void *given) {
  int k;
  LOCK(f1);    // b1
  q++;         // b2
  z++;         // b3
  k = x;       // b4
  q++;         // b5
  UNLOCK(f1);  // b6
  q++;         // b7
  LOCK(f1);    // b8
  if (k == 0)  // b9
    y++;       // b10
  UNLOCK(f1);  // b11
  return 0;
}
int main(void) {
  pthread_t h1, h2;
  pthread_create(&h1, 0, t1, 0);
  pthread_create(&h2, 0, t2, 0);
  pthread_join(h1, 0);
  pthread_join(h2, 0);
  return 0;
}
)";

class Example {
 public:
  explicit Example(const std::string& text) : text_(std::string(prelude) + text) {
    const frontend::ScratchFolder folder;
    pipeline::Input options;
    options.sources.push_back({folder.write("case.c", text_), {}});
    program_ = pipeline::load(options);
    models_ = pipeline::load_models(options, *program_);
    subject_.emplace(*program_, *models_);
  }

  [[nodiscard]] const Subject& subject() const { return *subject_; }

  /// What stands behind `//` in the line of an access.
  [[nodiscard]] std::string label_of(AccessKey key) const {
    const std::string where = subject_->where(key);
    const std::size_t name = where.find(".c:");
    std::size_t line = 0;
    if (name == std::string::npos || std::sscanf(where.c_str() + name, ".c:%zu", &line) != 1) return "";
    std::size_t at = 0;
    for (; line > 1; --line) at = text_.find('\n', at) + 1;
    const std::string_view whole = std::string_view(text_).substr(at, text_.find('\n', at) - at);
    const std::size_t label = whole.find("// ");
    return label == std::string_view::npos ? "" : std::string(whole.substr(label + 3));
  }

  /// The statements of threads 1 and 2 that the executor's execution made, in order.
  [[nodiscard]] std::string statements(const Executor& executor) const {
    std::string result, last;
    for (std::size_t i = 0; i < executor.steps(); ++i)
      for (const Deed& deed : executor.deeds_of(i)) {
        const std::string label = label_of(deed.key);
        if (label.empty() || label == last || deed.kind == DeedKind::Asks) continue;
        result += (result.empty() ? "" : " ") + label;
        last = label;
      }
    return result;
  }

 private:
  std::string text_;
  Result<Program> program_ = error("not loaded");
  Result<api::ApiModels> models_ = error("not loaded");
  std::optional<InterpretedProgram> subject_;
};

struct Visited {
  std::vector<std::string> statements;
  std::vector<std::vector<ThreadIndex>> threads;
  std::string race;
  PruneStatistics statistics;
};

Visited visit_all(const Example& example, bool prune, bool at_accesses, std::uint64_t executions = UINT64_MAX) {
  ExecutionLimits execution;
  execution.at_accesses = at_accesses;
  execution.tell_sides = prune;
  const std::unique_ptr<Executor> executor = example.subject().for_search(execution);
  SearchLimits limits;
  limits.executions = executions;
  Visited seen;
  const PruneOptions options{.prune = prune, .at_accesses = at_accesses};
  seen.statistics = pruned_search(*executor, options, limits, [&](const Trace& trace) {
    seen.statements.push_back(example.statements(*executor));
    std::vector<ThreadIndex>& threads = seen.threads.emplace_back();
    for (const Event& event : trace.events()) threads.push_back(event.thread);
    if (const auto race = first_race(*executor))
      seen.race = example.label_of(race->first.deed.key) + " " + example.label_of(race->second.deed.key);
    return seen.race.empty();
  });
  return seen;
}

class RunningExample : public testing::TestWithParam<bool> {};

TEST_P(RunningExample, GoesAsThePaperSays) {
  const Example example(running_example);
  const Visited seen = visit_all(example, true, GetParam());
  ASSERT_GE(seen.statements.size(), 2U);
  EXPECT_EQ(seen.statements[0], "a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 b1 b2 b3 b4 b5 b6 b7 b8 b11");
  // s0 is the state in front of a1: there the second execution leaves the first, so nothing was asked for at s8.
  const auto [one, two] = std::ranges::mismatch(seen.threads[0], seen.threads[1]);
  const auto is_of_first = [](ThreadIndex thread) { return thread == 1; };
  EXPECT_EQ(*one, 1U);
  EXPECT_EQ(*two, 2U);
  EXPECT_LE(std::count_if(seen.threads[0].begin(), one, is_of_first), 1) << "more than the thread's beginning";
  EXPECT_TRUE(seen.statements[1].starts_with("b1 ")) << seen.statements[1];
  EXPECT_GE(seen.statistics.skipped, 1U);
  EXPECT_TRUE(seen.race == "a6 b10" || seen.race == "b10 a6") << seen.race;
}

TEST_P(RunningExample, WithoutPruningGoesBackToTheLastCriticalSection) {
  const Visited seen = visit_all(Example(running_example), false, GetParam());
  ASSERT_GE(seen.statements.size(), 2U);
  EXPECT_TRUE(seen.statements[1].starts_with("a1 a2 a3 a4 a5 a6 a7 a8 b1 ")) << seen.statements[1];
  EXPECT_TRUE(seen.race == "a6 b10" || seen.race == "b10 a6") << seen.race;
  EXPECT_EQ(seen.statistics.checks, 0U);
}

INSTANTIATE_TEST_SUITE_P(Grains, RunningExample, testing::Bool(),
                         [](const auto& info) { return info.param ? "ByAccesses" : "BySynchronisations"; });

std::string counters(int threads) {
  std::string text = "void *t(void *given) { for (int j = 0; j < 2; j++) { LOCK(m); x++; UNLOCK(m); } return 0; }\n";
  text += "int main(void) { pthread_t h[9];";
  for (int i = 0; i < threads; ++i) text += " pthread_create(&h[" + std::to_string(i) + "], 0, t, 0);";
  for (int i = 0; i < threads; ++i) text += " pthread_join(h[" + std::to_string(i) + "], 0);";
  return text + " printf(\"%d\", x); return 0; }\n";
}

TEST(PrunedSearch, TheNumberOfExecutionsDoesNotGrowWithTheThreads) {
  for (int threads = 2; threads <= 8; ++threads) {
    const Visited seen = visit_all(Example(counters(threads)), true, false);
    EXPECT_EQ(seen.statistics.search.executions, 1U) << threads;
    EXPECT_TRUE(seen.statistics.search.complete);
  }
  EXPECT_EQ(visit_all(Example(counters(3)), false, false).statistics.search.executions, 90U);
}

TEST(PrunedSearch, AThreadThatWaitsForEverLeavesNothingQuiet) {
  const Visited seen = visit_all(Example("void *t1(void *given) { LOCK(m); x++; UNLOCK(m); sem_wait(&s); return 0; }\n"
                                         "void *t2(void *given) { LOCK(m); x++; UNLOCK(m); return 0; }\n"
                                         "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0);\n"
                                         "pthread_create(&h2, 0, t2, 0); pthread_join(h2, 0); return 0; }\n"),
                                 true, false);
  EXPECT_EQ(seen.statistics.yes, 0U);
  EXPECT_EQ(seen.statistics.search.executions, 2U);
}

TEST(PrunedSearch, WhatComesBehindALoopThatSpinsIsNotKnown) {
  const Visited seen = visit_all(
      Example("void *t1(void *given) { LOCK(m); x++; UNLOCK(m); while (!a) ; x++; return 0; }\n"
              "void *t2(void *given) { a = 1; LOCK(m); x++; UNLOCK(m); return 0; }\n"
              "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0);\n"
              "return 0; }\n"),
      true, false);
  EXPECT_GE(seen.statements.size(), 2U);
  EXPECT_FALSE(seen.statistics.search.complete) << "the race was not found";
}

TEST(PrunedSearch, AnOpenProgramIsNotPruned) {
  const std::string body = "LOCK(m); x = rand(); UNLOCK(m); return 0; }\n";
  const Visited seen = visit_all(Example("void *t1(void *given) { " + body + "void *t2(void *given) { " + body +
                                         "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0);\n"
                                         "pthread_create(&h2, 0, t2, 0); return 0; }\n"),
                                 true, false);
  EXPECT_EQ(seen.statistics.checks, 0U);
  EXPECT_EQ(seen.statistics.search.executions, 2U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
