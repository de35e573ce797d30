// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What separates two accesses, and what does not: every filter of scan/reach and scan/pairs, once with a pair that it
// takes away and once with one that it has to leave.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

const std::string dev_h = threads_h + R"(
struct dev { pthread_mutex_t m, n; int x, y; struct dev *next; }; int rand(void); int x, y; pthread_mutex_t m, n;
pthread_t t, u; struct dev *shared;
)";

/// Two threads that do `first` and `second`, of which main waits for none.
std::size_t races(const std::string& first, const std::string& second, const std::string& before = "") {
  return Scanned(
             dev_h + before + "void *one(void *a) { " + first + " return 0; } void *two(void *a) { " + second +
             " return 0; } int main(void) { pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0); return 0; }")
      .warnings()
      .size();
}

TEST(ScanPairs, ReadsAndWrites) {
  EXPECT_EQ(races("y = x;", "return (void *)(long)x;"), 0U);
  EXPECT_EQ(races("y = x;", "x = 1;"), 1U);
  EXPECT_EQ(races("x = 1;", "x = 1;"), 1U);
}

TEST(ScanPairs, Atomics) {
  EXPECT_EQ(races("__atomic_store_n(&x, 1, 5);", "__atomic_store_n(&x, 2, 5);"), 0U);
  EXPECT_EQ(races("__atomic_store_n(&x, 1, 5);", "x = 2;"), 1U);
}

TEST(ScanPairs, Objects) {
  EXPECT_EQ(races("x = 1;", "y = 1;"), 0U);
  const std::string two = "struct dev left, right;";
  EXPECT_EQ(races("left.x = 1;", "right.x = 1;", two), 0U);
  EXPECT_EQ(races("shared->x = 1;", "shared->x = 1;"), 1U);
  EXPECT_EQ(races("shared->x = 1;", "shared->y = 1;"), 0U);
}

TEST(ScanPairs, Locks) {
  EXPECT_EQ(races("take(&m); x = 1; give(&m);", "take(&m); x = 2; give(&m);"), 0U);
  EXPECT_EQ(races("take(&m); x = 1; give(&m);", "take(&n); x = 2; give(&n);"), 1U);
  EXPECT_EQ(races("take(&m); x = 1; give(&m);", "x = 2;"), 1U);
  EXPECT_EQ(
      races("take(&shared->m); shared->x = 1; give(&shared->m);", "take(&shared->m); shared->x = 1; give(&shared->m);"),
      0U);
  EXPECT_EQ(
      races("take(&shared->m); shared->x = 1; give(&shared->m);", "take(&shared->n); shared->x = 1; give(&shared->n);"),
      1U);
}

TEST(ScanReach, LocksOfAllCallers) {
  const std::string set = "void set(void) { x = 1; } void both(void) { take(&m); set(); give(&m); } ";
  EXPECT_EQ(races("both();", "both();", set), 0U);
  EXPECT_GT(races("both(); set();", "both();", set), 0U);
  const std::string drop =
      "void set(void) { x = 1; } void drop(void) { give(&m); set(); take(&m); } void f(void) { take(&m); drop(); "
      "give(&m); } ";
  EXPECT_GT(races("f();", "f();", drop), 0U) << "given back in between";
}

TEST(ScanReach, ThreadsOfThreads) {
  const std::string inner = "void *inner(void *a) { x = 1; return 0; } pthread_t v; ";
  EXPECT_GT(races("pthread_create(&v, 0, inner, 0);", "x = 2;", inner), 0U) << "nothing is known of when it runs";
}

TEST(ScanReach, FunctionsThatMainCallsBesideThreads) {
  const auto main_does = [](const std::string& body) {
    return Scanned(dev_h + "void *one(void *a) { x = 1; return 0; } void *two(void *a) { y = 1; return 0; }" +
                   "pthread_t t, u; void set(void) { x = 2; } void stop(void) { pthread_join(t, 0); x = 2; y = 2; }" +
                   "int main(void) { " + body + " return 0; }")
        .warnings();
  };
  EXPECT_EQ(main_does("set(); pthread_create(&t, 0, one, 0);"), Lines{});
  EXPECT_EQ(main_does("pthread_create(&t, 0, one, 0); set();").size(), 1U);
  EXPECT_EQ(main_does("pthread_create(&t, 0, one, 0); stop();"), Lines{});
  const Lines two = main_does("pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0); stop();");
  ASSERT_EQ(two.size(), 1U) << "one of the two was waited for";
  EXPECT_TRUE(two[0].starts_with("y:") || two[0].starts_with("? y:")) << two[0];
}

TEST(ScanReach, ArgumentsOfThreads) {
  const std::string text = R"(
void *work(void *a) { struct dev *d = a; d->x = 1; return 0; }
int main(void) { struct dev d; BEFORE pthread_create(&t, 0, work, &d); AFTER return 0; })";
  EXPECT_EQ(Scanned("#define BEFORE d.x = 2;\n#define AFTER\n" + dev_h + text).warnings().size(), 0U);
  EXPECT_EQ(Scanned("#define BEFORE\n#define AFTER d.x = 2;\n" + dev_h + text).warnings().size(), 1U)
      << "the thread knows main's local";
  const std::string own = dev_h + R"(__thread int mine;
void *put(void *a) { *(int *)a = 1; return 0; } void begin(int *p) { pthread_create(&t, 0, put, p); } int main(void) { )";
  EXPECT_EQ(Scanned(own + "pthread_create(&t, 0, put, &mine); mine = 2; return 0; }").warnings().size(), 1U)
      << "and main's thread-local variable";
  EXPECT_EQ(Scanned(own + "begin(&mine); mine = 2; return 0; }").warnings().size(), 1U);
  EXPECT_EQ(Scanned(own + "begin(&x); mine = 2; return 0; }").warnings().size(), 0U);
}

/// `count` threads of different functions that do `body`, and one that does `last`.
std::size_t races_of_many(int count, const std::string& body, const std::string& last) {
  std::string text = dev_h, start;
  for (int i = 0; i < count; ++i) {
    const std::string name = "f" + std::to_string(i);
    text += "void *" + name + "(void *a) { " + body + " return 0; }\n";
    start += "pthread_create(&t, 0, " + name + ", 0); ";
  }
  text += "void *last(void *a) { " + last + " return 0; } int main(void) { " + start +
          "pthread_create(&u, 0, last, 0); return 0; }";
  return Scanned(text).warnings().size();
}

TEST(ScanPairs, ManyThreadsWithFewSetsOfLocks) {
  const std::string locked = "take(&m); x = 1; give(&m);";
  EXPECT_EQ(races_of_many(80, locked, locked), 0U);
  EXPECT_GT(races_of_many(80, locked, "x = 1;"), 0U);
  EXPECT_GT(races_of_many(80, locked, "take(&n); x = 1; give(&n);"), 0U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
