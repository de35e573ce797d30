// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "tests/unit/depend/settled.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

/// Three tasks, and an interrupt above them.
const std::string tasks = entry_table("low", "task", "priority = 1") + entry_table("mid", "task", "priority = 2") +
                          entry_table("top", "task", "priority = 3") +
                          entry_table("isr", "interrupt", "priority = 4\nnumber = 3");

const std::string lock_names =
    "typedef struct lock { int l; } *handle; handle p, q; struct lock one, two; int GetResource(int); int "
    "ReleaseResource(int); int xSemaphoreTake(handle, int); int xSemaphoreGive(handle); void mutex_lock(struct lock *);"
    " void mutex_unlock(struct lock *); int pthread_mutex_lock(void *); int pthread_mutex_unlock(void *); int "
    "pthread_rwlock_rdlock(void *); int pthread_rwlock_unlock(void *);";

/// Lines count from the first one of `code`; functions that it does not have are empty.
std::string lock_word(const std::string& code, const std::string& text) {
  std::string all = lock_names + "\n" + code;
  for (const std::string name : {"low", "mid", "top", "isr"})
    if (!code.contains("void " + name + "(void) {")) all += "void " + name + "(void) {}\n";
  return settled(all, text, tasks);
}

std::string verdict_word(const std::string& code, const std::string& text) {
  const std::string all = lock_word(code, text);
  return all.substr(0, all.find('\n'));
}

/// `low` reads x in lines 4 and 5 with a lock, and `top` writes it in line 10.
std::string both(const std::string& take, const std::string& give, const std::string& others_take,
                 const std::string& others_give) {
  return verdict_word("void low(void) {\n  " + take + "\n  y = x;\n  z = x;\n  " + give + "\n}\nvoid top(void) {\n  " +
                          others_take + "\n  x = 1;\n  " + others_give + "\n}\n",
                      "x<R#4>,<W#10>,<R#5>");
}

TEST(SettleLocks, TheSameOneKeepsOut) {
  EXPECT_EQ(both("GetResource(1);", "ReleaseResource(1);", "GetResource(1);", "ReleaseResource(1);"), "refuted");
  EXPECT_EQ(both("mutex_lock(&one);", "mutex_unlock(&one);", "mutex_lock(&one);", "mutex_unlock(&one);"), "refuted");
  EXPECT_EQ(both("pthread_mutex_lock(&one);", "pthread_mutex_unlock(&one);", "pthread_mutex_lock(&one);",
                 "pthread_mutex_unlock(&one);"),
            "refuted");
  EXPECT_EQ(both("if (!xSemaphoreTake(p, 9)) return;", "xSemaphoreGive(p);", "if (!xSemaphoreTake(p, 9)) return;",
                 "xSemaphoreGive(p);"),
            "refuted");
}

TEST(SettleLocks, AnotherOneDoesNot) {
  EXPECT_EQ(both("GetResource(1);", "ReleaseResource(1);", "GetResource(2);", "ReleaseResource(2);"), "confirmed");
  EXPECT_EQ(both("mutex_lock(&one);", "mutex_unlock(&one);", "mutex_lock(&two);", "mutex_unlock(&two);"), "confirmed");
  EXPECT_EQ(both("if (!xSemaphoreTake(p, 9)) return;", "xSemaphoreGive(p);", "if (!xSemaphoreTake(q, 9)) return;",
                 "xSemaphoreGive(q);"),
            "confirmed");
  EXPECT_EQ(both("mutex_lock(&one);", "mutex_unlock(&one);", "", ""), "confirmed");
  EXPECT_EQ(both("", "", "mutex_lock(&one);", "mutex_unlock(&one);"), "confirmed");
}

TEST(SettleLocks, TheNumberMayBeAnInput) {
  EXPECT_EQ(both("GetResource(get());", "ReleaseResource(1);", "GetResource(1);", "ReleaseResource(1);"), "confirmed");
}

TEST(SettleLocks, AroundEachAccessAloneItDoesNotEither) {
  EXPECT_EQ(verdict_word("void low(void) {\n  GetResource(1);\n  y = x;\n  ReleaseResource(1); GetResource(1);\n"
                         "  z = x;\n  ReleaseResource(1);\n}\n"
                         "void top(void) {\n  GetResource(1);\n  x = 1;\n  ReleaseResource(1);\n}\n",
                         "x<R#4>,<W#11>,<R#6>"),
            "confirmed");
}

TEST(SettleLocks, WhoWaitsComesBackWhenItIsFree) {
  // It must come while f is set, and then has to wait.
  EXPECT_EQ(lock_word("void low(void) {\n  mutex_lock(&one);\n  f = 1;\n  y = x;\n  f = 0;\n  mutex_unlock(&one);\n"
                      "  z = x;\n}\n"
                      "void top(void) {\n  if (!f) return;\n  mutex_lock(&one);\n  x = 1;\n  mutex_unlock(&one);\n}\n",
                      "x<R#5>,<W#13>,<R#8>"),
            "confirmed\n'low' begins\n'low' reads x = 0 at line 6\n'top' comes, before line 7 of 'low'\n"
            "'top' waits for a lock at line 13\n'top' goes on, before line 9 of 'low'\n"
            "'top' writes x = 1 at line 14\n'top' ends\n'low' reads x = 1 at line 9");
}

TEST(SettleLocks, WhoWaitsIsBackBeforeAnythingElse) {
  // It has seen f before it waits; when the lock is free it comes at once, so nobody has cleared g by then.
  const std::string top =
      "void top(void) {\n  if (!f) return;\n  mutex_lock(&one);\n  if (!g) x = 1;\n"
      "  mutex_unlock(&one);\n}\n";
  EXPECT_EQ(verdict_word("void low(void) {\n  mutex_lock(&one);\n  f = 1;\n  g = 1;\n  f = 0;\n  mutex_unlock(&one);\n"
                         "  y = x;\n  g = 0;\n  z = x;\n}\n" +
                             top,
                         "x<R#8>,<W#15>,<R#10>"),
            "refuted");
  EXPECT_EQ(verdict_word("void low(void) {\n  mutex_lock(&one);\n  f = 1;\n  y = x;\n  g = 0;\n  mutex_unlock(&one);\n"
                         "  z = x;\n  f = 0;\n}\n" +
                             top,
                         "x<R#5>,<W#14>,<R#8>"),
            "confirmed");
}

TEST(SettleLocks, AResultThatIsNotAskedProtectsNothing) {
  EXPECT_EQ(both("xSemaphoreTake(p, 9);", "", "if (!xSemaphoreTake(p, 9)) return;", "xSemaphoreGive(p);"), "confirmed");
  EXPECT_EQ(both("if (xSemaphoreTake(p, 9)) return;", "", "if (!xSemaphoreTake(p, 9)) return;", "xSemaphoreGive(p);"),
            "confirmed");
  EXPECT_EQ(both("while (!xSemaphoreTake(p, 9)) {}", "xSemaphoreGive(p);", "while (xSemaphoreTake(p, 9) == 0) {}",
                 "xSemaphoreGive(p);"),
            "refuted");
}

TEST(SettleLocks, InFunctions) {
  const std::string wrapped =
      "static void in(handle h) { while (!xSemaphoreTake(h, 9)) {} }\nstatic void out(handle h) { xSemaphoreGive(h); "
      "}\n";
  const auto with = [&](const std::string& low, const std::string& top) {
    return verdict_word(wrapped + "void low(void) {\n  in(" + low + ");\n  y = x;\n  z = x;\n  out(" + low +
                            ");\n}\nvoid top(void) {\n  in(" + top + ");\n  x = 1;\n  out(" + top + ");\n}\n",
                        "x<R#6>,<W#12>,<R#7>");
  };
  EXPECT_EQ(with("p", "p"), "refuted");
  EXPECT_EQ(with("p", "q"), "confirmed");
  EXPECT_EQ(with("&one", "&one"), "refuted");
  EXPECT_EQ(with("&one", "&two"), "confirmed");
}

TEST(SettleLocks, TwoOfThemInTurn) {
  // Each waits for the other: then neither goes on, and others do.
  const std::string low =
      "void low(void) {\n  mutex_lock(&one);\n  mutex_lock(&two);\n  y = x;\n  z = x;\n"
      "  mutex_unlock(&two);\n  mutex_unlock(&one);\n}\n";
  const std::string top =
      "void top(void) {\n  mutex_lock(&two);\n  mutex_lock(&one);\n  x = 1;\n"
      "  mutex_unlock(&one);\n  mutex_unlock(&two);\n}\n";
  EXPECT_EQ(verdict_word(low + top, "x<R#5>,<W#13>,<R#6>"), "refuted");
  EXPECT_EQ(verdict_word(low + top + "void mid(void) {\n  m = x;\n  n = x;\n}\nvoid isr(void) {\n  x = 2;\n}\n",
                         "x<R#18>,<W#22>,<R#19>"),
            "confirmed");
}

TEST(SettleLocks, AnInterruptDoesNotWait) {
  EXPECT_EQ(verdict_word("void low(void) {\n  GetResource(1);\n  y = x;\n  z = x;\n  ReleaseResource(1);\n}\n"
                         "void isr(void) {\n  GetResource(1);\n  x = 1;\n  ReleaseResource(1);\n}\n",
                         "x<R#4>,<W#10>,<R#5>"),
            "refuted");
  EXPECT_EQ(verdict_word("void low(void) {\n  GetResource(1);\n  y = x;\n  z = x;\n  ReleaseResource(1);\n}\n"
                         "void isr(void) {\n  xSemaphoreTake(p, 0);\n  x = 1;\n}\n",
                         "x<R#4>,<W#10>,<R#5>"),
            "confirmed");
}

TEST(SettleLocks, WhatIsNotClearIsNotRefuted) {
  EXPECT_EQ(both("GetResource(1);", "", "GetResource(1);", "ReleaseResource(1);"),
            "not decided: 'low' ends and has a lock");
  EXPECT_EQ(both("GetResource(1); GetResource(1);", "ReleaseResource(1);", "GetResource(1);", "ReleaseResource(1);"),
            "not decided: 'low' takes a lock that it has");
  EXPECT_EQ(
      both("GetResource(1);", "ReleaseResource(1); ReleaseResource(1);", "GetResource(1);", "ReleaseResource(1);"),
      "not decided: 'low' gives a lock that it does not have");
}

TEST(SettleLocks, WhoHasTheLockMayBeLentAPriority) {
  // The weakest runs on in the middle of the one between, and so sets f to 2 for the strongest, before the second read.
  const std::string story = lock_word(
      "void low(void) {\n  mutex_lock(&one);\n  f = 1;\n  f = 2;\n  mutex_unlock(&one);\n  f = 0;\n}\n"
      "void mid(void) {\n  y = x;\n  z = x;\n}\n"
      "void top(void) {\n  if (f != 1) return;\n  mutex_lock(&one);\n  if (f == 2) x = 1;\n  mutex_unlock(&one);\n}\n",
      "x<R#10>,<W#16>,<R#11>");
  EXPECT_TRUE(story.starts_with("confirmed\n")) << story;
  EXPECT_TRUE(story.contains("'top' waits for a lock at line 16\n'low' goes on, before line 12 of 'mid'\n")) << story;
  EXPECT_TRUE(story.ends_with("assumed: 'low' is lent the priority of 'top', which waits for its lock")) << story;
  // It gives it back with the lock.
  EXPECT_EQ(verdict_word("void low(void) {\n  mutex_lock(&one);\n  f = 1;\n  mutex_unlock(&one);\n  f = 2;\n}\n"
                         "void mid(void) {\n  if (f == 2) return;\n  y = x;\n  z = x;\n}\n"
                         "void top(void) {\n  mutex_lock(&one);\n  if (f == 2) x = 1;\n  mutex_unlock(&one);\n}\n",
                         "x<R#10>,<W#15>,<R#11>"),
            "refuted");
}

TEST(SettleLocks, LocksThatAreNotRunConfirmNothing) {
  EXPECT_EQ(both("pthread_rwlock_rdlock(&one);", "pthread_rwlock_unlock(&one);", "", "").substr(0, 12), "not decided:");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
