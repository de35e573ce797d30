// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What callers pass: numbers that branches ask for, functions that are called, locks that are taken.
#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// How many warnings there are if one thread runs `first` and another one `second`.
std::size_t warnings(const std::string& text, const std::string& first, const std::string& second,
                     const Assumptions& assumptions = {}) {
  return Scanned(threads_h + "pthread_mutex_t m, n; int x, rand(void);" + text + "void *v(void *a) {" + first +
                     " return 0; } void *w(void *a) {" + second +
                     " return 0; } int main(void) { pthread_t p, q; pthread_create(&p, 0, v, 0);"
                     " pthread_create(&q, 0, w, 0); return 0; }",
                 1, assumptions)
      .warnings()
      .size();
}

/// The same, where main runs `second` beside one thread.
std::size_t beside_main(const std::string& text, const std::string& first, const std::string& second) {
  return Scanned(threads_h + "pthread_mutex_t m, n; int x, rand(void);" + text + "void *v(void *a) {" + first +
                 " return 0; } int main(void) { pthread_t p; pthread_create(&p, 0, v, 0);" + second + " return 0; }")
      .warnings()
      .size();
}

TEST(PassedValues, NumbersThatBranchesAskFor) {
  const std::string f = "void f(int op) { if (op == 3) x++; else if (op == 4) x--; }";
  EXPECT_EQ(beside_main(f, "f(5);", "f(3);"), 0U);
  EXPECT_GT(beside_main(f, "f(4);", "f(3);"), 0U);
  EXPECT_GT(beside_main(f, "f(rand());", "f(3);"), 0U);
  EXPECT_GT(beside_main(f, "f(5); f(4);", "f(3);"), 0U);
  EXPECT_EQ(beside_main(f, "f(5); f(6);", "f(3); f(4);"), 0U);
  const std::string handed_on = f + "void g(long n, int op) { f(op); }";
  EXPECT_EQ(beside_main(handed_on, "g(3, 5);", "g(5, 3);"), 0U);
  EXPECT_GT(beside_main(handed_on, "g(5, 3);", "g(5, 3);"), 0U);
  EXPECT_GT(beside_main(f + "void g(int op) { f(op + 1); }", "g(2);", "f(3);"), 0U);
}

TEST(PassedValues, NumbersThatSwitchesAskFor) {
  const std::string f = "void f(int op) { switch (op) { case 2: x = 1; break; case 3: x = 2; default:; } }";
  EXPECT_EQ(beside_main(f, "f(7);", "f(3);"), 0U);
  EXPECT_GT(beside_main(f, "f(2);", "f(3);"), 0U);
  const std::string falls = "void f(int op) { switch (op) { case 1: rand(); case 2: x = 1; break; default:; } }";
  EXPECT_GT(beside_main(falls, "f(1);", "f(2);"), 0U);
}

TEST(PassedValues, FlagsThatAreZeroOrNot) {
  const std::string f = "void f(_Bool on) { if (on) x++; }";
  EXPECT_EQ(beside_main(f, "f(0);", "f(1);"), 0U);
  EXPECT_GT(beside_main(f, "f(1);", "f(1);"), 0U);
  const std::string g = "void f(int off) { if (!off) x++; }";
  EXPECT_EQ(beside_main(g, "f(2);", "f(0);"), 0U);
  EXPECT_GT(beside_main(g, "f(0);", "f(0);"), 0U);
  const std::string narrow = "void f(int n) { if ((char)n) x++; }";
  EXPECT_GT(beside_main(narrow, "f(257);", "f(1);"), 0U);
}

TEST(PassedValues, ParametersThatAreChanged) {
  EXPECT_GT(beside_main("void f(int op) { if (rand()) op = 3; if (op == 3) x++; }", "f(5);", "f(3);"), 0U);
  EXPECT_GT(beside_main("void f(int op) { while (rand()) { if (op == 3) x++; op++; } }", "f(1);", "f(3);"), 0U);
  EXPECT_GT(beside_main("void f(int op) { int *p = &op; *p = rand(); if (op == 3) x++; }", "f(5);", "f(3);"), 0U);
}

TEST(PassedValues, CallsUnderACondition) {
  const std::string f = "void h(void) { x++; } void f(int op) { if (op == 3) h(); }";
  EXPECT_EQ(beside_main(f, "f(5);", "f(3);"), 0U);
  EXPECT_GT(beside_main(f, "f(3);", "f(3);"), 0U);
  EXPECT_GT(beside_main(f + "void again(int op) { f(op); if (op < 9) again(op + 1); }", "again(0);", "f(3);"), 0U);
}

TEST(PassedValues, NumbersBeyondEight) {
  const std::string f = "void f(int op) { if (op == 3) x++; }";
  EXPECT_GT(beside_main(f, "f(10); f(11); f(12); f(13); f(14); f(15); f(16); f(17); f(18); f(3);", "f(3);"), 0U);
}

TEST(PassedValues, ParametersOfThreads) {
  EXPECT_GT(
      Scanned(threads_h + "int x; void f(long op) { if (op == 3) x++; } void *v(void *a) { f((long)a); return 0; }"
                          "int main(void) { pthread_t p; pthread_create(&p, 0, v, (void *)3); f(3); return 0; }")
          .warnings()
          .size(),
      0U);
}

TEST(PassedValues, FunctionsThatAreCalled) {
  const std::string f =
      "struct o { int x; } o; void each(void (*f)(struct o *), struct o *p) { f(p); }"
      "void inc(struct o *p) { p->x++; } void nop(struct o *p) {} void all(void (*f)(struct o *)) { each(f, &o); }";
  EXPECT_EQ(warnings(f, "each(inc, &o);", "each(nop, &o);"), 0U);
  EXPECT_GT(warnings(f, "each(inc, &o);", "each(inc, &o);"), 0U);
  EXPECT_EQ(beside_main(f, "all(inc);", "all(nop);"), 0U);
  EXPECT_GT(warnings(f, "all(inc);", "all(rand() ? inc : nop);"), 0U);
  EXPECT_GT(
      warnings(f + "void (*any)(struct o *) = nop; void set(void) { any = inc; }", "all(inc);", "set(); all(any);"),
      0U);
}

TEST(PassedValues, FunctionsThatTouchGlobals) {
  const std::string f = "void run(void (*f)(void)) { f(); } void inc(void) { x++; } void nop(void) {}";
  EXPECT_EQ(beside_main(f, "run(inc);", "run(nop);"), 0U);
  EXPECT_GT(beside_main(f, "run(inc);", "run(nop); run(inc);"), 0U);
}

TEST(PassedValues, LocksThatAreTaken) {
  const std::string f = "void g(void) { x++; } void f(pthread_mutex_t *l) { take(l); g(); give(l); }";
  EXPECT_EQ(warnings(f, "f(&m);", "f(&m);"), 0U);
  EXPECT_GT(warnings(f, "f(&m);", "f(&n);"), 0U);
  EXPECT_GT(warnings(f + "pthread_mutex_t *any;", "f(&m);", "f(any);"), 0U);
  const std::string inside =
      "struct s { int a; pthread_mutex_t l; } one, two; void g(void) { x++; }"
      "void f(struct s *p) { take(&p->l); g(); give(&p->l); } void h(struct s *p) { f(p); }";
  EXPECT_EQ(warnings(inside, "h(&one);", "f(&one);"), 0U);
  EXPECT_GT(warnings(inside, "h(&one);", "f(&two);"), 0U);
  EXPECT_EQ(warnings(inside, "h(&one);", "take(&one.l); x = 2; give(&one.l);"), 0U);
  const std::string given_back = "void g(void) { x++; } void f(pthread_mutex_t *l) { take(l); give(&m); g(); }";
  EXPECT_GT(warnings(given_back, "f(&m);", "f(&m);"), 0U);
  EXPECT_EQ(warnings(f, "f(&m);", "f(&m);", Assumptions::none()), 0U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
