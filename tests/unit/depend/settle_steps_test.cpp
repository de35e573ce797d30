// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "tests/unit/depend/settled.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

const std::string narrow = three_levels + "[system]\natomic_bytes = 4\n";
const std::string wide_names =
    "long long w, v; struct pair { int low, high; } s; struct large { long long a[4]; } t;\n";

std::string step_word(const std::string& code, const std::string& text) {
  const std::string all = settled(wide_names + code, text, narrow);
  return all.substr(0, all.find('\n'));
}

TEST(SettleSteps, TheStoryShowsBothParts) {
  EXPECT_EQ(settled(wide_names + "void task(void) {\n  v = w;\n}\nvoid isr(void) {\n  w = 0x700000009;\n}\n",
                    "~w<R#3>,<W#6>,<R#3>", narrow),
            "confirmed\n'task' begins\n'task' reads 4 bytes of w = 0 at line 4\n'isr' comes, before line 4 of 'task'\n"
            "'isr' writes w = 30064771081 at line 7\n'isr' ends\n"
            "'task' reads the rest of w = 7, which makes 30064771072 at line 4");
  EXPECT_EQ(settled(wide_names + "void task(void) {\n  w = 0x700000009;\n}\nvoid isr(void) {\n  v = w;\n}\n",
                    "~w<W#3>,<R#6>,<W#3>", narrow),
            "confirmed\n'task' begins\n'task' writes 4 bytes of w = 9 at line 4\n'isr' comes, before line 4 of 'task'\n"
            "'isr' reads w = 9 at line 7\n'isr' ends\n'task' writes the rest of w = 7 at line 4");
}

TEST(SettleSteps, MasksAndFlagsProtectThem) {
  const std::string isr = "void isr(void) {\n  w = 1;\n}\n";
  EXPECT_EQ(step_word("void task(void) {\n  off(3);\n  v = w;\n  on(3);\n}\n" + isr, "~w<R#4>,<W#8>,<R#4>"), "refuted");
  EXPECT_EQ(step_word("void task(void) {\n  off(4);\n  v = w;\n  on(4);\n}\n" + isr, "~w<R#4>,<W#8>,<R#4>"),
            "confirmed");
  EXPECT_EQ(
      step_word("void task(void) {\n  f = 1;\n  v = w;\n  f = 0;\n}\nvoid isr(void) {\n  if (f) return;\n  w = 1;\n}\n",
                "~w<R#4>,<W#9>,<R#4>"),
      "refuted");
  // The mask ends before the read.
  EXPECT_EQ(step_word("void task(void) {\n  off(3);\n  on(3);\n  v = w;\n}\n" + isr, "~w<R#5>,<W#8>,<R#5>"),
            "confirmed");
}

TEST(SettleSteps, RoundsOfALoop) {
  const auto in = [](const std::string& loop) {
    return step_word("void task(void) {\n  " + loop + " {\n    off(3);\n    v = w;\n    on(3);\n  }\n}\n" +
                         "void isr(void) {\n  w = 1;\n}\n",
                     "~w<R#5>,<W#10>,<R#5>");
  };
  // The interrupt comes between the rounds, and is masked in each read.
  EXPECT_EQ(in("while (get())"), "refuted");
  EXPECT_EQ(in("for (int i = 0; i < 2; i++)"), "confirmed");  // rounds that are counted belong together
}

TEST(SettleSteps, StructsAreCopiedInSteps) {
  // Also if nobody has said so: the place behind the pointer was not known.
  EXPECT_EQ(step_word("struct pair *ps = &s;\nvoid task(void) {\n  struct pair c = *ps;\n  send(c.low + c.high);\n}\n"
                      "void isr(void) {\n  s.low = 1;\n  s.high = 2;\n}\n",
                      "s<R#4>,<W#8>,<R#4>"),
            "confirmed");
  EXPECT_EQ(step_word("void task(void) {\n  send(s.low); send(s.high);\n}\nvoid isr(void) {\n  s.low = 1;\n}\n",
                      "s<R#3>,<W#6>,<R#3>"),
            "refuted");
  EXPECT_EQ(step_word("void task(void) {\n  struct pair c = s;\n  send(c.low + c.high);\n}\n"
                      "void isr(void) {\n  s.low = 1;\n  s.high = 2;\n}\n",
                      "~s<R#3>,<W#7>,<R#3>"),
            "confirmed");
  EXPECT_EQ(step_word("void task(void) {\n  struct large c = t;\n  send(c.a[0] + c.a[3]);\n}\n"
                      "void isr(void) {\n  t.a[3] = 1;\n}\n",
                      "~t<R#3>,<W#7>,<R#3>"),
            "confirmed");
  EXPECT_EQ(step_word("void task(void) {\n  struct large c = {{1, 2, 3, 4}};\n  t = c;\n}\n"
                      "void isr(void) {\n  v = t.a[3];\n}\n",
                      "~t<W#4>,<R#7>,<W#4>"),
            "confirmed");
}

TEST(SettleSteps, WhatIsReadInPartsMayDecideSomething) {
  const std::string isr = "void isr(void) {\n  if (f) return;\n  w = 1;\n}\n";
  const auto of = [&](const std::string& read) {
    return step_word("void task(void) {\n  f = 1;\n  " + read + "\n  f = 0;\n}\n" + isr, "~w<R#4>,<W#9>,<R#4>");
  };
  EXPECT_EQ(of("v = w;"), "refuted");
  EXPECT_EQ(of("if (w == 5) send(1);"), "not decided: an access in several steps decides something");
}

TEST(SettleSteps, WideAccessesElsewhereThatDecideAreNotRefuted) {
  // Half of w may be seen, which no single access leaves there: 7 with nothing above it.
  const std::string code =
      "void task(void) {\n  f = 1;\n  y = x;\n  z = x;\n  f = 0;\n  w = 0x700000007;\n  w = 0;\n}\n"
      "void isr(void) {\n  if (w == 7 || !f) x = 1;\n}\n";
  EXPECT_EQ(step_word(code, "x<R#4>,<W#11>,<R#5>"), "not decided: an access in several steps decides something");
}

// --- device registers

const std::string registers = "#define PORT (*(volatile int *)0x40020000)\n";

TEST(SettleRegisters, AChangeThatIsInterruptedIsConfirmed) {
  const std::string isr = "void isr(void) {\n  PORT ^= 2;\n}\n";
  const auto of = [&](const std::string& task, const std::string& lines) {
    const std::string all = settled(registers + task + isr, lines);
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(settled(registers + "void task(void) {\n  PORT |= 4;\n}\n" + isr, "PORT<R#3>,<W#6>,<W#3>"),
            "confirmed\n'task' begins\n'PORT' gives 1 to 'task' at line 4\n'task' reads PORT = 1 at line 4\n"
            "'isr' comes, before line 4 of 'task'\n'PORT' gives 2 to 'isr' at line 7\n'isr' writes PORT = 0 at line 7\n"
            "'isr' ends\n'task' writes PORT = 5 at line 4");
  EXPECT_EQ(of("void task(void) {\n  off(3);\n  PORT |= 4;\n  on(3);\n}\n", "PORT<R#4>,<W#8>,<W#4>"), "refuted");
}

TEST(SettleRegisters, TheDeviceChangesThemAtAnyTime) {
  // What was written there need not be what is read.
  const std::string task = "void task(void) {\n  PORT = 0;\n  if (PORT == 7) {\n    y = x;\n    z = x;\n  }\n}\n";
  const std::string all = settled(registers + task + "void isr(void) {\n  x = 1;\n}\n", "x<R#5>,<W#10>,<R#6>");
  EXPECT_EQ(all.substr(0, all.find('\n')), "confirmed");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
