// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/blind_spots.h"

#include <gtest/gtest.h>

#include "frontend/scratch_source.h"
#include "scan/scan.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

RaceReport scanned(const std::string& text) {
  const api::ApiModels models = *api::ApiModels::shipped();
  const Program program = frontend::read_text(text);
  return scan(program, models, {}).report;
}

/// The only one, if it contains the words.
testing::AssertionResult has_one(const RaceReport& report, bool may_hide, const std::string& words) {
  const auto& spots = report.coverage.blind_spots;
  if (spots.size() != 1) return testing::AssertionFailure() << spots.size() << " of them";
  if (spots[0].may_hide != may_hide) return testing::AssertionFailure() << "may_hide is " << spots[0].may_hide;
  return spots[0].what.contains(words) ? testing::AssertionSuccess() : testing::AssertionFailure() << spots[0].what;
}

constexpr const char* threads =
    "typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n"
    "int x; static void *run(void *p) { x++; return p; }\n";

TEST(BlindSpots, NoneInAProgramThatWasLookedAt) {
  EXPECT_TRUE(
      scanned("int x; static void f(void) { x++; } int main(void) { f(); return 0; }").coverage.blind_spots.empty());
  EXPECT_TRUE(scanned(std::string(threads) + "int main(void) { pthread_t t; return pthread_create(&t, 0, run, 0); }")
                  .coverage.blind_spots.empty());
  EXPECT_TRUE(scanned("static void f(void) {} void (*table[1])(void) = {f}; int main(void) { table[0](); return 0; }")
                  .coverage.blind_spots.empty());
}

TEST(BlindSpots, FunctionsThatNobodyCallsAreCountedOnly) {
  const RaceReport report = scanned("int x; void f(void) { x++; } int main(void) { return 0; }");
  EXPECT_TRUE(report.coverage.blind_spots.empty());
  EXPECT_EQ(report.coverage.functions - report.coverage.functions_reached, 1);
}

TEST(BlindSpots, CallsWithoutTargets) {
  EXPECT_TRUE(has_one(scanned("extern void (*hook)(void); int main(void) { hook(); return 0; }"), true,
                      "a call through a pointer was not followed"));
  EXPECT_TRUE(has_one(scanned("extern void (*a)(void), (*b)(void); int main(void) { a(); b(); return 0; }"), true,
                      "2 calls through pointers were not followed"));
  EXPECT_TRUE(scanned("extern void (*hook)(void); void f(void) { hook(); } int main(void) { return 0; }")
                  .coverage.blind_spots.empty())
      << "nothing leads there";
}

TEST(BlindSpots, FunctionsHandedToWhatIsNotKnown) {
  EXPECT_TRUE(has_one(scanned("int start(void (*)(void *), void *); static void run(void *p) {}"
                              "int main(void) { return start(run, 0); }"),
                      true, "'start'"));
  EXPECT_TRUE(scanned("int pick(int); int main(void) { return pick(3); }").coverage.blind_spots.empty());
}

TEST(BlindSpots, ALibraryIsCalledByManyThreads) {
  const RaceReport report = scanned("static int x; int get(void) { return x; } void set(int n) { x = n; }");
  EXPECT_TRUE(has_one(report, false, "2 exported functions"));
  EXPECT_EQ(report.coverage.threads, 2);
  ASSERT_FALSE(report.races.empty());
  EXPECT_EQ(report.races[0].variable, "x");
}

TEST(BlindSpots, NothingAtAll) { EXPECT_TRUE(has_one(scanned("static int x;"), true, "0 exported functions")); }

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
