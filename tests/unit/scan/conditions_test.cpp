// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that go the same way, and branches that go one way only.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// How many warnings say that the function `f`, and one that locks, may write x at the same time.
std::size_t racy(const std::string& text) {
  const Scanned scanned(threads_h + "pthread_mutex_t m; int x, rand(void);" + text + R"(
    void *w(void *a) { take(&m); x = 2; give(&m); return 0; }
    void *v(void *a) { run(); return 0; }
    int main(void) { pthread_t p, q; pthread_create(&p, 0, v, 0); pthread_create(&q, 0, w, 0); return 0; })");
  return static_cast<std::size_t>(std::ranges::count_if(
      scanned.warnings(), [](const std::string& line) { return line.contains(" f") && line.contains("write w"); }));
}

TEST(Conditions, LockUnderAParameter) {
  const std::string f = "void f(int need) { if (need) take(&m); x = 1; if (need) give(&m); }";
  EXPECT_EQ(racy(f + "void run(void) { f(1); take(&m); f(0); give(&m); }"), 0U);
  EXPECT_EQ(racy(f + "void run(void) { f(0); }"), 1U);
  EXPECT_EQ(racy(f + "void run(void) { f(1); f(0); }"), 1U);
  EXPECT_EQ(racy(f + "void run(void) { f(rand()); }"), 1U);
  // Handed on by a function that has the same parameter.
  EXPECT_EQ(racy(f + "void g(long n, int need) { f(need); } void run(void) { g(0, 1); }"), 0U);
  EXPECT_EQ(racy(f + "void g(long n, int need) { f(need); } void run(void) { g(1, 0); }"), 1U);
}

TEST(Conditions, ParameterThatChanges) {
  const std::string f = "void f(int need) { if (need) take(&m); need = rand(); if (need) { x = 1; give(&m); } }";
  EXPECT_EQ(racy(f + "void run(void) { f(0); }"), 1U);
  EXPECT_EQ(racy(f + "void run(void) { f(rand()); }"), 1U);
  EXPECT_EQ(racy(f + "void run(void) { f(1); }"), 0U) << "what it becomes does not matter any more";
}

TEST(Conditions, ResultOfATryLockAskedTwice) {
  EXPECT_EQ(racy("void f(void) { int got = pthread_mutex_trylock(&m); if (got) rand(); rand();"
                 "if (!got) { x = 1; give(&m); } } void run(void) { f(); }"),
            0U);
  EXPECT_EQ(racy("void f(void) { int got = pthread_mutex_trylock(&m); if (got) rand(); rand();"
                 "if (got) x = 1; else give(&m); } void run(void) { f(); }"),
            1U);
}

TEST(Conditions, FunctionsThatReturnAConstant) {
  const std::string f = "void f(void) { if (on()) take(&m); x = 1; give(&m); } void run(void) { f(); }";
  EXPECT_EQ(racy("int on(void) { return 1; }" + f), 0U);
  EXPECT_EQ(racy("int on(void) { return 0; }" + f), 1U);
  EXPECT_EQ(racy("int on(void) { if (rand()) return 0; return 1; }" + f), 1U);
  EXPECT_EQ(racy("int on(void) { return rand() ? 1 : 0; }" + f), 1U);
}

TEST(Conditions, OneAccessUnderTwoLocksetsIsOneWarning) {
  EXPECT_EQ(racy("void f(int need) { if (need) take(&m); x = 1; if (need) give(&m); }"
                 "void run(void) { f(rand()); }"),
            1U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
