// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which warnings stand first: every place that does without the usual lock should be seen, not one of them many times.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// The place in the list, from 0, of the first warning that names a function; the length of the list if none does.
std::size_t rank_of(const Lines& warnings, const std::string& function) {
  const auto at = std::ranges::find_if(
      warnings, [&](const std::string& line) { return (line + " ").contains(" " + function + " "); });
  return static_cast<std::size_t>(at - warnings.begin());
}

TEST(ScanRanking, FunctionThatForgetsALockManyTimesDoesNotHideAnother) {
  std::string before = "pthread_mutex_t m; int other;\n", reset = "static void reset(void) { ", used;
  for (int i = 0; i < 20; ++i) {
    const std::string x = "x" + std::to_string(i);
    before += "int " + x + ";\n";
    reset += x + " = 0; ";
    used += x + "++; " + x + " += 2; ";
  }
  const Lines found = Scanned(threads_h + before + reset + "}\nstatic void forget(void) { other = 1; }\n" + R"(
void *worker(void *arg) { take(&m); )" +
                              used +
                              R"( other++; give(&m); reset(); forget(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }
)")
                          .warnings();
  EXPECT_EQ(rank_of(found, "reset"), 0U);
  EXPECT_LT(rank_of(found, "forget"), 12U);
}

TEST(ScanRanking, MainThatSetsUpWithoutTheLockNeitherOutvotesItNorStandsFirst) {
  std::string text = threads_h + "pthread_mutex_t m; int x, y;\n", calls;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "setup" + std::to_string(i);
    text += "static void " + name + "(void) { x = " + std::to_string(i) + "; }\n";
    calls += name + "(); ";
  }
  const Lines found = Scanned(text + R"(
static void begin(void) { y = 1; }
static void forget(void) { x = 0; }
static void one(void) { take(&m); x++; y++; give(&m); }
static void two(void) { take(&m); x--; y--; give(&m); }
void *worker(void *arg) { one(); two(); forget(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); begin(); )" +
                              calls + "return 0; }\n")
                          .warnings();
  EXPECT_EQ(rank_of(found, "forget"), 0U);
  EXPECT_LT(rank_of(found, "begin"), found.size());
}

TEST(ScanRanking, EveryPlaceWithoutTheLockIsListed) {
  std::string text = threads_h + "pthread_mutex_t m; int x;\n", calls;
  for (int i = 0; i < 60; ++i) {
    text += "static void safe" + std::to_string(i) + "(void) { take(&m); x = " + std::to_string(i) + "; give(&m); }\n";
    calls += "safe" + std::to_string(i) + "(); ";
  }
  for (int i = 0; i < 5; ++i) {
    text += "static void bare" + std::to_string(i) + "(void) { x = " + std::to_string(i) + "; }\n";
    calls += "bare" + std::to_string(i) + "(); ";
  }
  const Lines found = Scanned(text + "void *worker(void *arg) { " + calls + R"(return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }
)")
                          .warnings();
  for (int i = 0; i < 5; ++i) EXPECT_LT(rank_of(found, "bare" + std::to_string(i)), 5U) << i;
}

TEST(ScanCalls, TablesOfStructsThatLookAlikeAreKeptApart) {
  std::string text = threads_h + R"(
struct block { void *buffer; unsigned long size; unsigned long weight; } last;
struct task { const char *name; int (*ready)(void); void (*run)(void); };
int x;
)",
              rows;
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    text += "static int can" + n + "(void) { return 1; } static void run" + n + "(void) { x = " + n + "; }\n";
    rows += "{ \"t\", can" + n + ", run" + n + " },";
  }
  const Lines found = Scanned(text + "static const struct task tasks[] = { " + rows + "{ 0, 0, 0 } };\n" + R"(
static const struct task *next;
void *worker(void *arg) {
  last.weight = 1;
  for (const struct task *t = tasks; t->ready; ++t) if (t->ready()) next = t;
  next->run();
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); return 0; }
)")
                          .warnings();
  EXPECT_LT(rank_of(found, "run11"), found.size());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
