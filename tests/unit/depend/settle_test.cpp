// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "tests/unit/depend/settled.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

TEST(Settle, TheScheduleSaysWhoRunsWhereAndWhatIsRead) {
  EXPECT_EQ(
      settled("void task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = REG;\n}\n", "x<R#2>,<W#6>,<R#3>"),
      "confirmed\n'task' begins\n'task' reads x = 0 at line 3\n'isr' comes, before line 4 of 'task'\n"
      "'REG' gives 1 to 'isr' at line 7\n'isr' writes x = 1 at line 7\n'isr' ends\n"
      "'task' reads x = 1 at line 4");
}

// --- each with what happens, and what cannot

TEST(Settle, MasksByNumber) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  off(3);\n  y = x;\n  z = x;\n  on(3);\n}\n" + isr, "x<R#3>,<W#8>,<R#4>"),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  off(4);\n  y = x;\n  z = x;\n  on(4);\n}\n" + isr, "x<R#3>,<W#8>,<R#4>"),
            "confirmed");
  // A mask around each access alone protects neither.
  EXPECT_EQ(word("void task(void) {\n  off(3);\n  y = x;\n  on(3); off(3);\n  z = x;\n  on(3);\n}\n" + isr,
                 "x<R#3>,<W#9>,<R#5>"),
            "confirmed");
}

TEST(Settle, MasksOfAll) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  off(255);\n  y = x;\n  z = x;\n  on(255);\n}\n" + isr, "x<R#3>,<W#8>,<R#4>"),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  off(255);\n  z = x;\n  on(255);\n}\n" + isr, "x<R#2>,<W#8>,<R#4>"),
            "confirmed");
  EXPECT_EQ(word("void task(void) {\n  __asm__(\"cli\");\n  y = x;\n  z = x;\n  __asm__(\"sti\");\n}\n" + isr,
                 "x<R#3>,<W#8>,<R#4>"),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  __asm__(\"cli\");\n  y = x;\n  __asm__(\"sti\");\n  z = x;\n}\n" + isr,
                 "x<R#3>,<W#8>,<R#5>"),
            "confirmed");
}

TEST(Settle, MasksThatAreRestored) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  save();\n  save(); y = x; back();\n  z = x;\n  back();\n}\n" + isr,
                 "x<R#3>,<W#8>,<R#4>"),
            "refuted");
  // The inner pair ends the outer one too early.
  EXPECT_EQ(word("void task(void) {\n  off(255);\n  off(255); y = x; on(255);\n  z = x;\n  on(255);\n}\n" + isr,
                 "x<R#3>,<W#8>,<R#4>"),
            "confirmed");
  // Only on one way.
  EXPECT_EQ(
      word(
          "void task(void) {\n  save();\n  y = x;\n  if (REG == 3) { back(); save(); }\n  z = x;\n  back();\n}\n" + isr,
          "x<R#3>,<W#9>,<R#5>"),
      "confirmed");
}

TEST(Settle, MasksInFunctions) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  const std::string lock = "static void lock(void) { save(); n++; }\nstatic void unlock(void) { n--; back(); }\n";
  EXPECT_EQ(
      word(lock + "void task(void) {\n  lock();\n  y = x;\n  z = x;\n  unlock();\n}\n" + isr, "x<R#5>,<W#10>,<R#6>"),
      "refuted");
  EXPECT_EQ(word(lock + "void task(void) {\n  lock();\n  y = x;\n  unlock(); lock();\n  z = x;\n  unlock();\n}\n" + isr,
                 "x<R#5>,<W#11>,<R#7>"),
            "confirmed");
  // The number is a parameter.
  const std::string by_number = "static void lock(int i) { off(i); }\nstatic void unlock(int i) { on(i); }\n";
  EXPECT_EQ(word(by_number + "void task(void) {\n  lock(3);\n  y = x;\n  z = x;\n  unlock(3);\n}\n" + isr,
                 "x<R#5>,<W#10>,<R#6>"),
            "refuted");
  EXPECT_EQ(word(by_number + "void task(void) {\n  lock(4);\n  y = x;\n  z = x;\n  unlock(4);\n}\n" + isr,
                 "x<R#5>,<W#10>,<R#6>"),
            "confirmed");
  EXPECT_EQ(word(by_number + "void task(void) {\n  lock(3);\n  y = x;\n  unlock(4);\n  z = x;\n  unlock(3);\n}\n" + isr,
                 "x<R#5>,<W#11>,<R#7>"),
            "refuted");
  // The number comes from a variable, which decides nothing else.
  const std::string by_variable = "void task(void) {\n  off(n);\n  y = x;\n  z = x;\n  on(n);\n}\n" + isr;
  EXPECT_EQ(word("int unused;\n" + by_variable + "void high(void) { if (n == 0) n = 3; }\n", "x<R#4>,<W#9>,<R#5>"),
            "confirmed");  // the first run masks nothing
  EXPECT_EQ(word("void start(void) { n = 3; }\n" + by_variable, "x<R#4>,<W#9>,<R#5>",
                 three_levels + entry_table("start", "init")),
            "refuted");
  EXPECT_EQ(word("void start(void) { n = 3; }\n" + by_variable + "void high(void) {\n  n = 4;\n}\n",
                 "x<R#4>,<W#9>,<R#5>", three_levels + entry_table("start", "init")),
            "confirmed");
  // A function that is named as a mask and has a body: it masks when it has returned.
  const std::string named = "void off(int i) { REG = i; }\nvoid on(int i) { REG = i; }\n";
  EXPECT_EQ(
      word(named + "void task(void) {\n  off(3);\n  y = x;\n  z = x;\n  on(3);\n}\n" + isr, "x<R#5>,<W#10>,<R#6>"),
      "refuted");
  EXPECT_EQ(
      word(named + "void task(void) {\n  off(3);\n  y = x;\n  on(3);\n  z = x;\n}\n" + isr, "x<R#5>,<W#10>,<R#7>"),
      "confirmed");
}

TEST(Settle, AMaskThatGetsAnAddress) {
  const std::string by_address = three_levels + "[[mask]]\ndisable = \"hold\"\nenable = \"let\"\nargument = 0\n";
  EXPECT_EQ(
      word("void hold(int *); void let(int *);\nvoid task(void) {\n  hold(&n);\n  y = x;\n  z = x;\n  let(&n);\n}\n"
           "void isr(void) {\n  x = 1;\n}\n",
           "x<R#4>,<W#9>,<R#5>", by_address),
      "confirmed");  // it is not known whom it masks
}

TEST(Settle, ConditionsOfInputs) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  m = get();\n  if (m == 1) y = x;\n  if (m == 2) z = x;\n}\n" + isr,
                 "x<R#3>,<W#7>,<R#4>"),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  m = get();\n  if (m >= 1) y = x;\n  if (m <= 2) z = x;\n}\n" + isr,
                 "x<R#3>,<W#7>,<R#4>"),
            "confirmed");
  // Another interrupt changes it in between.
  EXPECT_EQ(word("void task(void) {\n  m = get();\n  if (m == 1) y = x;\n  if (m == 2) z = x;\n}\n" + isr +
                     "void high(void) {\n  m = 2;\n}\n",
                 "x<R#3>,<W#7>,<R#4>"),
            "confirmed");
}

TEST(Settle, InputsThatAreDivided) {
  const auto asked = [](const std::string& condition) {
    return word("void task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  int i = get();\n  if (" + condition +
                    ")\n    x = 1;\n}\n",
                "x<R#2>,<W#8>,<R#3>");
  };
  EXPECT_EQ(asked("i % 7 == 6"), "confirmed");
  EXPECT_EQ(asked("i % 7 == 7"), "refuted");
  EXPECT_EQ(asked("i % 7 == -6"), "confirmed");
  EXPECT_EQ(asked("i % 7 == -7"), "refuted");
  EXPECT_EQ(asked("i > 100 && (i % 7) * 3 == 19"), "refuted");
  EXPECT_EQ(asked("i > 100 && i < 104 && (i % 7) * 3 == 15"), "confirmed") << "103";
  EXPECT_EQ(asked("i > 100 && i < 103 && (i % 7) * 3 == 15"), "refuted") << "103 is the first";
  EXPECT_EQ(asked("i > 100 && i < 110 && i % 7 == 2"), "confirmed") << "107 alone, the last of the seven from 101 on";
  EXPECT_EQ(asked("i % 4 == 1 && i % 6 == 4"), "refuted");
  EXPECT_EQ(asked("i % 4 == 1 && i % 6 == 5"), "confirmed");
  EXPECT_EQ(asked("(unsigned)i % 5 == 4 && i < 0"), "confirmed");
  EXPECT_TRUE(asked("i % 1000 == i % 999 + 5").starts_with("not decided"));
}

TEST(Settle, MainRunsOnceWhateverItIsCalled) {
  const std::string code = "int main(void) {\n  y = x;\n  z = x;\n  m = 1;\n}\nvoid isr(void) {\n  if (m) x = 1;\n}\n";
  const auto with = [&](const std::string& kind) {
    return word(code, "x<R#2>,<W#7>,<R#3>",
                entry_table("main", kind, "priority = 1") + entry_table("isr", "interrupt", "priority = 2") +
                    entry_table("high", "interrupt", "priority = 3"));
  };
  EXPECT_EQ(with("task"), "refuted");
  EXPECT_EQ(with("main"), "refuted");
  EXPECT_EQ(with("cyclic"), "confirmed");
}

TEST(Settle, TheScheduleNamesItsInputs) {
  EXPECT_EQ(
      settled("void task(void) {\n  if (get() != 77) return;\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = 5;\n}\n",
              "x<R#3>,<W#7>,<R#4>"),
      "confirmed\n'task' begins\n'get' gives 77 to 'task' at line 3\n'task' reads x = 0 at line 4\n"
      "'isr' comes, before line 5 of 'task'\n'isr' writes x = 5 at line 8\n'isr' ends\n'task' reads x = 5 at line 5");
}

TEST(Settle, Flags) {
  const std::string task = "void task(void) {\n  f = 1;\n  y = x;\n  z = x;\n  f = 0;\n}\n";
  EXPECT_EQ(word(task + "void isr(void) {\n  if (f) return;\n  x = 1;\n}\n", "x<R#3>,<W#9>,<R#4>"), "refuted");
  EXPECT_EQ(word(task + "void isr(void) {\n  if (!f) return;\n  x = 1;\n}\n", "x<R#3>,<W#9>,<R#4>"), "confirmed");
  // The third one clears the flag.
  EXPECT_EQ(word(task + "void isr(void) {\n  if (f) return;\n  x = 1;\n}\nvoid high(void) {\n  f = 0;\n}\n",
                 "x<R#3>,<W#9>,<R#4>"),
            "confirmed");
  // The flag is set too late.
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  f = 1;\n  z = x;\n  f = 0;\n}\nvoid isr(void) {\n  if (f) return;\n  "
                 "x = 1;\n}\n",
                 "x<R#2>,<W#9>,<R#4>"),
            "confirmed");
}

TEST(Settle, FlagsThatEarlierRunsSet) {
  // The interrupt writes only in its second run, and never if the task takes the count back.
  const std::string isr = "void isr(void) {\n  if (n < 2) n++;\n  if (n == 2) x = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  z = x;\n}\n" + isr, "x<R#2>,<W#7>,<R#3>"), "confirmed");
  EXPECT_EQ(
      word("void task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  if (n == 2) x = 1;\n  if (n == 1) n = 0;\n"
           "  if (n == 0) n = 1;\n}\n",
           "x<R#2>,<W#6>,<R#3>"),
      "refuted");
}

TEST(Settle, CountersThatDecideNothingDoNotStandInTheWay) {
  EXPECT_EQ(word("void task(void) {\n  off(3);\n  x++;\n  on(3);\n}\nvoid isr(void) {\n  x++;\n  n += x;\n}\n",
                 "x<R#3>,<W#7>,<W#3>"),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  off(4);\n  x++;\n  on(4);\n}\nvoid isr(void) {\n  x++;\n  n += x;\n}\n",
                 "x<R#3>,<W#7>,<W#3>"),
            "confirmed");
}

TEST(Settle, CountersThatDecideAreTooMany) {
  const Verdict found = verdict(
      "void task(void) {\n  off(3);\n  y = x;\n  z = x;\n  on(3);\n  if (n == 1000000000) x = 3;\n}\n"
      "void isr(void) {\n  x = 1;\n  n++;\n}\n",
      "x<R#3>,<W#9>,<R#4>", three_levels, {.steps = 200'000, .time = std::chrono::seconds(20)});
  EXPECT_EQ(to_text(found), "not decided: there are too many runs to see them all");
}

TEST(Settle, LongLoopsEndTheBudget) {
  const Verdict found = verdict(
      "void task(void) {\n  for (int i = 0; i < 100000000; i++) send(i);\n  y = x;\n  z = x;\n}\n"
      "void isr(void) {\n  x = 1;\n}\n",
      "x<R#3>,<W#7>,<R#4>", three_levels, {.steps = 200'000, .time = std::chrono::seconds(20)});
  EXPECT_EQ(found.kind, Verdict::Kind::NotDecided);
}

TEST(Settle, Loops) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  // Once, in a round before the last; what follows the loop reads again.
  EXPECT_EQ(word("void task(void) {\n  for (int i = 0; i < 3; i++)\n    if (i == 0) y = x;\n  z = x;\n}\n" + isr,
                 "x<R#3>,<W#7>,<R#4>"),
            "confirmed");
  // The second one is in another round of the same loop: that is another run.
  const std::string endless =
      "void task(void) {\n  for (;;) {\n    m = get();\n    if (m == 1) y = x;\n    if (m == 2) z = x;\n  }\n}\n";
  EXPECT_EQ(word(endless + isr, "x<R#4>,<W#9>,<R#5>"), "refuted");
  EXPECT_EQ(
      word("void task(void) {\n  for (;;) {\n    m = get();\n    if (m > 1) y = x;\n    if (m > 2) z = x;\n  }\n}\n" +
               isr,
           "x<R#4>,<W#9>,<R#5>"),
      "confirmed");
  // The same with a loop of which others decide how often it goes round.
  EXPECT_EQ(word("void task(void) {\n  while (get()) {\n    off(3);\n    x++;\n    on(3);\n  }\n}\n"
                 "void isr(void) {\n  x = 1;\n}\n",
                 "x<R#4>,<W#9>,<W#4>"),
            "refuted");
  // An inner loop between them goes round.
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  for (int i = 0; i < 3; i++)\n    if (i == 2) z = x;\n}\n" + isr,
                 "x<R#2>,<W#7>,<R#4>"),
            "confirmed");
}

TEST(Settle, WaitingForOthers) {
  // The loop is left only when the interrupt has come; then it is too late.
  EXPECT_EQ(word("void task(void) {\n  while (!REG) {}\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = 1;\n}\n",
                 "x<R#3>,<W#7>,<R#4>"),
            "confirmed");
  EXPECT_EQ(word("void task(void) {\n  f = 0;\n  while (!f) {}\n  y = x;\n  z = x;\n}\n"
                 "void isr(void) {\n  if (f == 0) x = 1;\n}\nvoid high(void) {\n  f = 1;\n}\n",
                 "x<R#4>,<W#8>,<R#5>"),
            "refuted");
  // Who ends the waiting is told to by a third one, that does not touch the flag.
  EXPECT_EQ(word("void task(void) {\n  while (!f) {}\n  y = x;\n  z = x;\n}\n"
                 "void isr(void) {\n  if (g) f = 1;\n  x = 1;\n}\nvoid high(void) {\n  g = 1;\n}\n",
                 "x<R#3>,<W#8>,<R#4>"),
            "confirmed");
}

TEST(Settle, ElementsByIndex) {
  const std::string isr = "void isr(void) {\n  a[n] = 1;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  y = a[1];\n  z = a[1];\n}\n" + isr, "a<R#2>,<W#6>,<R#3>"), "refuted");
  EXPECT_EQ(
      word("void task(void) {\n  y = a[1];\n  z = a[1];\n  if (get() == 4) n = 1;\n}\n" + isr, "a<R#2>,<W#7>,<R#3>"),
      "confirmed");
  EXPECT_EQ(
      word("void task(void) {\n  y = a[m];\n  z = a[m + 1];\n}\nvoid isr(void) {\n  n = (n + 1) & 3;\n  a[n] = 1;\n}\n",
           "a<R#2>,<W#7>,<R#3>"),
      "refuted");
}

TEST(Settle, FunctionsInBetween) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  EXPECT_EQ(
      word("static int read(int on) {\n  return on ? x : 0;\n}\nvoid task(void) {\n  y = x;\n  z = read(0);\n}\n" + isr,
           "x<R#5>,<W#9>,<R#2>"),
      "refuted");
  EXPECT_EQ(
      word("static int read(int on) {\n  return on ? x : 0;\n}\nvoid task(void) {\n  y = x;\n  z = read(1);\n}\n" + isr,
           "x<R#5>,<W#9>,<R#2>"),
      "confirmed");
  EXPECT_EQ(word("static int read(void) {\n  return x;\n}\nvoid task(void) {\n  y = read();\n  z = read();\n}\n" + isr,
                 "x<R#2>,<W#9>,<R#2>"),
            "confirmed");
  EXPECT_EQ(word("static int read(void) {\n  return x;\n}\nvoid task(void) {\n  y = read();\n}\n" + isr,
                 "x<R#2>,<W#8>,<R#2>"),
            "refuted");
}

TEST(Settle, ThreeLevels) {
  // The middle one is interrupted; the task cannot interrupt it.
  const std::string middle = "void isr(void) {\n  y = x;\n  z = x;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  x = 1;\n}\n" + middle, "x<R#5>,<W#2>,<R#6>"), "refuted");
  EXPECT_EQ(word("void task(void) {}\n" + middle + "void high(void) {\n  x = 1;\n}\n", "x<R#3>,<W#7>,<R#4>"),
            "confirmed");
  // The highest one only passes on what the task has begun.
  EXPECT_EQ(word("void task(void) {\n  f = 1;\n  f = 0;\n}\n" + middle + "void high(void) {\n  if (f) x = 1;\n}\n",
                 "x<R#6>,<W#10>,<R#7>"),
            "confirmed");
  EXPECT_EQ(word("void task(void) {\n  off(3);\n  f = 1;\n  f = 0;\n  on(3);\n}\n" + middle +
                     "void high(void) {\n  if (f) x = 1;\n}\n",
                 "x<R#8>,<W#12>,<R#9>"),
            "refuted");
}

TEST(Settle, EqualPriorities) {
  const std::string code = "void task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = 1;\n}\n";
  const std::string equal = entry_table("task", "task", "priority = 1") + entry_table("isr", "task", "priority = 1");
  EXPECT_EQ(word(code, "x<R#2>,<W#6>,<R#3>", equal), "refuted");
  EXPECT_EQ(word(code, "x<R#2>,<W#6>,<R#3>", equal + "[system]\nequal_priority = \"preempts\"\n"), "confirmed");
}

TEST(Settle, RedundantPairs) {
  const std::string pair = three_levels + "[system]\nredundant = [[\"x\", \"y\"]]\n";
  const std::string isr = "void isr(void) {\n  x = REG;\n  y = x;\n}\n";
  EXPECT_EQ(word("void task(void) {\n  m = x;\n  n = y;\n}\n" + isr, "x/y<R#2>,<W#7>,<R#3>", pair), "confirmed");
  EXPECT_EQ(word("void task(void) {\n  off(3);\n  m = x;\n  n = y;\n  on(3);\n}\n" + isr, "x/y<R#3>,<W#9>,<R#4>", pair),
            "refuted");
}

TEST(Settle, OrdersOtherThanReadWriteRead) {
  const std::string own = "void task(void) {\n  x = 1;\n  y = x;\n  x = 2;\n}\n";
  EXPECT_EQ(word(own + "void isr(void) {\n  x = 3;\n}\n", "x<W#2>,<W#7>,<R#3>"), "confirmed");
  EXPECT_EQ(word(own + "void isr(void) {\n  z = x;\n}\n", "x<W#2>,<R#7>,<W#4>"), "confirmed");
  EXPECT_EQ(word("void task(void) {\n  off(3); x = 1;\n  y = x;\n  x = 2; on(3);\n}\nvoid isr(void) {\n  z = x;\n}\n",
                 "x<W#2>,<R#7>,<W#4>"),
            "refuted");
  EXPECT_EQ(word(own + "void isr(void) {\n  if (x == 2) z = x;\n}\n", "x<W#2>,<R#7>,<W#4>"), "confirmed");
}

TEST(Settle, InitAndMainComeFirst) {
  const std::string toml = three_levels + entry_table("start", "init");
  const std::string isr = "void isr(void) {\n  if (f == 1) x = 1;\n}\n";
  const std::string task = "void task(void) {\n  y = x;\n  z = x;\n}\n";
  EXPECT_EQ(word("void start(void) { f = 2; }\n" + task + isr, "x<R#3>,<W#7>,<R#4>", toml), "refuted");
  EXPECT_EQ(word("void start(void) { f = 1; }\n" + task + isr, "x<R#3>,<W#7>,<R#4>", toml), "confirmed");
  EXPECT_EQ(word("int main(void) { f = 1; for (;;) {} }\n" + task + isr, "x<R#3>,<W#7>,<R#4>"), "confirmed");
  EXPECT_EQ(
      word("int main(void) {\n  y = x;\n  z = x;\n  for (;;) {}\n}\nvoid task(void) {}\n" + isr, "x<R#2>,<W#8>,<R#3>"),
      "refuted");
  EXPECT_EQ(word("int main(void) {\n  f = 1;\n  for (;;) {\n    y = x;\n    z = x;\n  }\n}\nvoid task(void) {}\n" + isr,
                 "x<R#4>,<W#10>,<R#5>"),
            "confirmed");
}

TEST(Settle, TasksThatNeverEndWaitForTheirTurn) {
  // The strong task goes round for ever; the weak one runs while it waits.
  const std::string toml = entry_table("task", "task", "priority = 1") + entry_table("strong", "task", "priority = 2");
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  z = x;\n}\nvoid strong(void) {\n  for (;;) {\n    x = 1;\n  }\n}\n",
                 "x<R#2>,<W#7>,<R#3>", toml),
            "confirmed");
  EXPECT_EQ(word("void task(void) {\n  f = 1;\n  y = x;\n  z = x;\n  f = 0;\n}\n"
                 "void strong(void) {\n  for (;;) {\n    if (!f) x = 1;\n  }\n}\n",
                 "x<R#3>,<W#9>,<R#4>", toml),
            "refuted");
  EXPECT_EQ(word("void task(void) {\n  f = 1;\n  y = x;\n  z = x;\n  f = 0;\n}\n"
                 "void strong(void) {\n  for (;;) {\n    if (!f) x = 1;\n    send(1);\n  }\n}\n",
                 "x<R#3>,<W#9>,<R#4>", toml),
            "not decided: 'send' may let others run in the middle of 'strong'");
}

TEST(Settle, WhatCannotBeFollowedIsNotRefuted) {
  const std::string isr = "void isr(void) {\n  x = 1;\n}\n";
  const auto masked = [&](const std::string& line) {
    return word(
        "void fill(int *);\nvoid task(void) {\n  off(3);\n  y = x;\n  z = x;\n  on(3);\n  " + line + "\n}\n" + isr,
        "x<R#4>,<W#10>,<R#5>");
  };
  EXPECT_EQ(masked(""), "refuted");
  EXPECT_EQ(masked("fill(&m);"), "not decided: 'fill' gets a pointer");
  EXPECT_EQ(masked("__asm__ volatile(\"frob\");"), "not decided: inline assembly is not followed");
  EXPECT_EQ(masked("__asm__ volatile(\"outb %al, $0x21\");"), "not decided: inline assembly is not followed");
  EXPECT_EQ(masked("if (get() * 3 == 6) send(1);"), "not decided: not every value that 'get' may give is tried");
  EXPECT_EQ(masked("a[get()] = 1;").substr(0, 12), "not decided:");
  EXPECT_EQ(masked("if (port * 3 == 6) y = 1;"), "refuted");  // eight bits: all are tried
  EXPECT_EQ(masked("if (REG & 6) y = 1;"), "refuted");
  EXPECT_EQ(masked("*(int *)0 = 1;").substr(0, 12), "not decided:");
}

TEST(Settle, MasksThatARunLeavesAreSaidToEnd) {
  const std::string task =
      "void task(void) {\n  if (f) {\n    y = x;\n    z = x;\n  }\n}\nvoid high(void) {\n  x = 1;\n}\n";
  const std::string said = "assumed: what 'isr' leaves masked is let in when it ends";
  EXPECT_TRUE(settled(task + "void isr(void) {\n  off(4);\n  f = 1;\n}\n", "x<R#3>,<W#8>,<R#4>").ends_with(said));
  const std::string without =
      settled(task + "void isr(void) {\n  off(4);\n  f = 1;\n  on(4);\n}\n", "x<R#3>,<W#8>,<R#4>");
  EXPECT_TRUE(without.starts_with("confirmed") && !without.contains("assumed")) << without;
}

TEST(Settle, BranchesThatHaveNothingToDoWithIt) {
  const auto guarded = [&](const std::string& isr) {
    return word("void task(void) {\n  f = 1;\n  y = x;\n  z = x;\n  f = 0;\n}\nvoid isr(void) {\n  " + isr +
                    "\n  if (!f)\n    x = 1;\n}\n",
                "x<R#3>,<W#10>,<R#4>");
  };
  EXPECT_EQ(guarded("if (++n % 100000 == 0) m ^= 1;"), "refuted") << "too many to be counted";
  EXPECT_EQ(guarded("if (get() * 3 == 6) { m++; if (m * m > n) a[1] = 2; else a[2] = n; }"), "refuted");
  EXPECT_EQ(guarded("m = get() * 3 == 6 ? 4 : n;"), "refuted");
  // What it stores decides something, here or later.
  EXPECT_EQ(guarded("if (get() * 3 == 6) f = 0;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 == 6) m = 1; if (m) f = 0;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 == 6) m = 1; g = m; if (g) f = 0;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("int k = 0; if (get() * 3 == 6) k = 1; if (k) f = 0;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("int k = 0; if (get() * 3 == 6) { m = 2; k = 1; } f -= k;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 == 6) m = 1; a[m] = 3; if (a[1]) f = 0;").substr(0, 12), "not decided:");
  // It decides more than what is stored.
  EXPECT_EQ(guarded("while (get() * 3 != 6) m++;").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 != 6) { m = 1; send(m); }").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 != 6) { m = 1; off(4); }").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 != 6) { m = 1; return; }").substr(0, 12), "not decided:");
  EXPECT_EQ(guarded("if (get() * 3 != 6) { m = x; }").substr(0, 12), "not decided:");
}

TEST(Settle, SeveralCoresAreNotDecided) {
  EXPECT_EQ(word("void task(void) {\n  y = x;\n  z = x;\n}\nvoid isr(void) {\n  x = 1;\n}\n", "x<R#2>,<W#6>,<R#3>",
                 three_levels + "[system]\ncores = 2\n"),
            "not decided: several cores");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
