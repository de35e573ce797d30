// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "depend/risk/triples.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

/// A task, and interrupts 1 to 3, each stronger than the one before.
std::string found(const std::string& code, const std::string& more_toml = "", const TripleOptions& options = {}) {
  std::string whole = "int x, y, z, a[10]; int *p; int in(void); void out(int); void off(int); void on(int);\n" + code;
  std::string toml = entry_table("task", "task", "priority = 1");
  for (const std::string number : {"1", "2", "3"}) {
    const std::string name = "isr" + number;
    toml +=
        entry_table(name, "interrupt", "number = " + number + "\npriority = " + std::to_string(1 + std::stoi(number)));
    if (!whole.contains("void " + name + "(void)")) whole += "\nvoid " + name + "(void) {}";
  }
  if (!whole.contains("void task(void)")) whole += "\nvoid task(void) {}";
  toml += "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 0\nall = -1\n" + more_toml;
  const TestSystem t("#line 0\n" + whole, toml, {"-w"});
  if (!t.system) return t.system.error().message;
  std::string out;
  for (const Triple& triple : found_triples(t, options).all)
    out += (out.empty() ? "" : " ") + to_text(t.program, triple);
  return out;
}

const std::string isr = "\nvoid isr1(void) {\n x = in(); }";
const std::string read_twice = "\n out(x);\n out(x);";

TEST(TripleLoops, WhatStandsBehindALoopComesBehindItsBody) {
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 9; i++) if (i == 8)\n out(x);\n out(x); }" + isr),
            "x<R#2>,<W#5>,<R#3>");
}

TEST(TripleLoops, RoundsThatCountAreOneRun) {
  EXPECT_EQ(
      found("void task(void) { for (int i = 0; i < 9; i++) { if (i == 2)\n out(x); if (i == 7)\n out(x); } }" + isr),
      "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(
      found("void task(void) { for (int i = 0; i < 9; i++) { if (i == 2)\n out(x); if (i == 12)\n out(x); } }" + isr),
      "");
  EXPECT_EQ(found("void task(void) { while (in()) {\n out(x); } }" + isr), "");
}

TEST(TripleLoops, WhatIsAskedAgainAndAgain) {
  EXPECT_EQ(found("void task(void) {\n while (x != y) y++; }" + isr), "");
  EXPECT_EQ(found("void task(void) {\n while (x != 9) x++; }\nvoid isr1(void) {\n x = in(); }"),
            "x<R#2>,<W#4>,<R#2> x<R#2>,<W#4>,<W#2> x<W#2>,<W#4>,<R#2>");
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 9; i++)\n y += x; }" + isr), "x<R#2>,<W#4>,<R#2>");
}

TEST(TripleLoops, ARoundThatMasksBothBelongsTogether) {
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 9; i++) { off(1);\n out(x);\n out(x); on(1); } }" + isr), "");
  // With a mask of somebody else it is as if there were none.
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 9; i++) { off(2);\n out(x);\n out(x); on(2); } }" + isr),
            found("void task(void) { for (int i = 0; i < 9; i++) {\n out(x);\n out(x); } }" + isr));
}

TEST(TripleLoops, AConditionOfTwoPartsCounts) {
  const std::string body = " { if (i == 2)\n out(x); if (i == 7)\n out(x); } }" + isr;
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 9 && y == 0; i++)" + body), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) { for (int i = 0; y == 0 && z == 0 && i < 9; i++)" + body), "x<R#2>,<W#5>,<R#3>");
  // Nobody counts: each round is a run of its own.
  EXPECT_EQ(found("void task(void) { int i = in(); while (y == 0 && z == 0)" + body), "");
}

TEST(TripleMasks, OneThatEndsFurtherDownInALoop) {
  EXPECT_EQ(found("void task(void) { off(1);\n x = 1; for (int i = 0; i < 9; i++) {\n out(x); on(1); } }" + isr),
            "x<W#2>,<W#5>,<R#3> x<R#3>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) { off(1);\n x = 1; for (int i = 0; i < 9; i++) {\n out(x); } on(1); }" + isr), "");
}

TEST(TripleMasks, OneAroundALoopThatAnotherLifts) {
  const std::string masked =
      "void task(void) { off(1); for (int i = 0; i < 9; i++) {\n out(x);\n out(x); } on(1); }" + isr;
  EXPECT_EQ(found(masked), "");
  EXPECT_EQ(found(masked + "\nvoid isr2(void) { on(1); }"),
            "x<R#2>,<W#5>,<R#2> x<R#2>,<W#5>,<R#3> x<R#3>,<W#5>,<R#2> x<R#3>,<W#5>,<R#3>");
}

TEST(TripleMasks, RoundsThatMaskEachAloneProtectNothing) {
  EXPECT_EQ(
      found("void task(void) { for (int i = 0; i < 9; i++) { off(1);\n out(x); on(1); off(1);\n out(x); on(1); } }" +
            isr),
      "x<R#2>,<W#5>,<R#3> x<R#3>,<W#5>,<R#2>");
}

TEST(TripleMasks, WhoLiftsOneMayComeBeforeAnotherBegins) {
  const std::string isrs = "\nvoid isr1(void) { on(2); }\nvoid isr2(void) {\n x = in(); }";
  EXPECT_EQ(found("void task(void) { off(2); off(1);" + read_twice + " on(-1); }" + isrs), "x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(found("void task(void) { off(1); off(2);" + read_twice + " on(-1); }" + isrs), "");
  EXPECT_EQ(found("void task(void) { off(1); off(2); on(1); off(1);" + read_twice + " on(-1); }" + isrs),
            "x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(found("void task(void) { off(2); on(2); off(1); off(2);" + read_twice + " on(-1); }" + isrs), "");
  EXPECT_EQ(found("void task(void) { off(2); if (y) on(2); off(1); off(2);" + read_twice + " on(-1); }" + isrs),
            "x<R#2>,<W#6>,<R#3>");
}

TEST(TripleMasks, AFunctionOfTheProgramIsWhatItsBodyDoes) {
  const std::string own =
      "static void irq_disable(int n) { off(n); } static void irq_enable(int n) { on(n); }\n#line 0\n\n";
  EXPECT_EQ(found(own + "void task(void) { irq_disable(2);" + read_twice + " irq_enable(2); }" + isr),
            "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found(own + "void task(void) { irq_disable(1);" + read_twice + " irq_enable(1); }" + isr), "");
  // Assembly, or what is not seen, is what the profile says.
  const std::string driver =
      "void cpu(void); void irq_disable(void) { cpu(); } void irq_enable(void) { cpu(); }\n#line 0\n\n";
  EXPECT_EQ(found(driver + "void task(void) { irq_disable();" + read_twice + " irq_enable(); }" + isr), "");
}

TEST(TripleMasks, AllButOne) {
  EXPECT_EQ(found("void task(void) { off(-1); on(2);" + read_twice + " }" + isr), "");
  EXPECT_EQ(found("void task(void) { off(-1); on(1);" + read_twice + " }" + isr), "x<R#2>,<W#5>,<R#3>");
}

TEST(TripleMasks, OthersLiftThem) {
  const std::string second = "\nvoid isr2(void) {\n x = in(); }";
  EXPECT_EQ(found("void task(void) { off(2);" + read_twice + " }\nvoid isr1(void) { on(2); }" + second),
            "x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(found("void task(void) { off(1); off(2);" + read_twice + " }\nvoid isr1(void) { on(2); }" + second), "");
  // What the one did that let it in is true for it.
  const std::string asks = "\nvoid isr2(void) {\n if (y) x = in(); }";
  EXPECT_EQ(found("void task(void) { off(2);" + read_twice + " }\nvoid isr1(void) { y = 0; on(2); } " + asks), "");
  EXPECT_EQ(found("void task(void) { y = 1; off(2);" + read_twice + " }\nvoid isr1(void) { y = 0; on(2); } " + asks),
            "");
  EXPECT_EQ(found("void task(void) { y = 1; off(2);" + read_twice + " }\nvoid isr1(void) { on(2); y = 0; } " + asks),
            "x<R#2>,<W#6>,<R#3>");
  // Behind the end of the mask it may do more, until it ends.
  EXPECT_EQ(found("void task(void) { off(2);" + read_twice + " }\nvoid isr1(void) { y = 0; on(2); y = 1; } " + asks),
            "x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(found("void task(void) { off(2);" + read_twice +
                  " }\nvoid isr1(void) { y = 0; on(2); } \nvoid isr3(void) { y "
                  "= 1; }" +
                  asks),
            "x<R#2>,<W#7>,<R#3>");
}

TEST(TripleMasks, ByTheNumberThatAFunctionIsTold) {
  const std::string hold = "void hold(int n) { off(n); }\n";
  EXPECT_EQ(found(hold + "void task(void) { hold(1);" + read_twice + " }" + isr), "");
  EXPECT_EQ(found(hold + "void task(void) { hold(2);" + read_twice + " }" + isr), "x<R#3>,<W#6>,<R#4>");
}

TEST(TripleOrder, AFlagThatMakesTheOtherOneDoSomething) {
  const std::string set = "void task(void) {\n x = 1;\n x = 0; }\nvoid isr1(void) {\n ";
  EXPECT_EQ(found(set + "if (!x) y = 1; }"), "");
  EXPECT_EQ(found(set + "if (x == 0) y = 1; }"), "");
  EXPECT_EQ(found(set + "if (x) y = 1; }"), "x<W#2>,<R#5>,<W#3>");
  EXPECT_EQ(found(set + "if (x == 1) y = 1; else y = 2; }"), "x<W#2>,<R#5>,<W#3>");
  EXPECT_EQ(found(set + "if (x != 1) y = 1; }"), "");
  EXPECT_EQ(found(set + "if (x > 1) y = 1; }"), "");
  // What was there at the beginning is no news.
  EXPECT_EQ(found("void task(void) {\n x = 0;\n x = 1; }\nvoid isr1(void) {\n if (!x) y = 1; }"), "");
}

TEST(TripleLocks, TheSameOneOnBothSides) {
  const std::string head = "int GetResource(int); int ReleaseResource(int);\n";
  const std::string task = "void task(void) { GetResource(4);" + read_twice + " ReleaseResource(4); }\n";
  EXPECT_EQ(found(head + task + "void isr1(void) { GetResource(4);\n x = in(); ReleaseResource(4); }"), "");
  EXPECT_EQ(found(head + task + "void isr1(void) { GetResource(5);\n x = in(); ReleaseResource(5); }"),
            "x<R#3>,<W#6>,<R#4>");
  EXPECT_EQ(found(head + task + "void isr1(void) { GetResource(4); ReleaseResource(4);\n x = in(); }"),
            "x<R#3>,<W#6>,<R#4>");
}

TEST(TripleLocks, TriedAndAsked) {
  const std::string head =
      "typedef struct lock *handle; handle m; int xSemaphoreTake(handle, int); int xSemaphoreGive(handle);\n";
  const std::string other = "\nvoid isr1(void) { if (xSemaphoreTake(m, 0)) {\n x = in(); xSemaphoreGive(m); } }";
  EXPECT_EQ(
      found(head + "void task(void) { if (xSemaphoreTake(m, 9)) {" + read_twice + " xSemaphoreGive(m); } }" + other),
      "");
  EXPECT_EQ(found(head + "void task(void) { if (!xSemaphoreTake(m, 9)) {" + read_twice + " } }" + other),
            "x<R#3>,<W#6>,<R#4>");
  EXPECT_EQ(found(head + "void task(void) { xSemaphoreTake(m, 9);" + read_twice + " }" + other), "x<R#3>,<W#6>,<R#4>");
}

TEST(TripleValues, NumbersThatAVariableCanHold) {
  EXPECT_EQ(found("void task(void) {" + read_twice + " }\nvoid isr1(void) { if (y == 3)\n x = in(); }"), "");
  EXPECT_EQ(found("void task(void) {" + read_twice +
                  " }\nvoid isr1(void) { if (y == 3)\n x = in(); }\nvoid isr2(void) { y "
                  "= 3; }"),
            "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) {" + read_twice +
                  " }\nvoid isr1(void) { if (y == 3)\n x = in(); }\nvoid isr2(void) { y "
                  "= in(); }"),
            "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void fill(int *); void task(void) { fill(&y);" + read_twice +
                  " }\nvoid isr1(void) { if (y == 3)\n x = in(); }"),
            "x<R#2>,<W#5>,<R#3>");
}

TEST(TripleValues, NumbersThatAreLeft) {
  const std::string head = "void task(void) { unsigned u = in(); int n = in();";
  EXPECT_EQ(found(head + " if (n % 10 > 9) {" + read_twice + " } }" + isr), "");
  EXPECT_EQ(found(head + " if (n % 10 > 8) {" + read_twice + " } }" + isr), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found(head + " if (n % 10 < -9) {" + read_twice + " } }" + isr), "");
  EXPECT_EQ(found(head + " if (n % 10 < -8) {" + read_twice + " } }" + isr), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found(head + " if ((n & 6) == 7) {" + read_twice + " } }" + isr), "");
  EXPECT_EQ(found(head + " if (u >> 28 == 16) {" + read_twice + " } }" + isr), "");
  EXPECT_EQ(found(head + " if (u >> 28 == 15) {" + read_twice + " } }" + isr), "x<R#2>,<W#5>,<R#3>");
}

TEST(TripleValues, RelationsOfBothSides) {
  const std::string asks = " }\nvoid isr1(void) { if (y + 1 < z)\n x = in(); }";
  EXPECT_EQ(found("void task(void) { y = in(); z = in(); if (y + 1 > z) {" + read_twice + " }" + asks), "");
  EXPECT_EQ(found("void task(void) { y = in(); z = in(); if (y + 1 > z) { y = in();" + read_twice + " }" + asks),
            "y<W#1>,<R#4>,<W#1> x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) { y = in(); z = in(); if (y + 1 > z) {" + read_twice + " }" + asks +
                  "\nvoid isr2(void) { y = in(); }"),
            "y<W#1>,<W#6>,<R#1> x<R#2>,<W#5>,<R#3>");
}

TEST(TriplePlaces, ElementsByIndex) {
  const std::string writes = "\nvoid isr1(void) {\n a[3] = in(); }";
  EXPECT_EQ(found("void task(void) { int i = 1, j = 2;\n out(a[i + j]);\n out(a[j * 2]); }" + writes), "");
  EXPECT_EQ(found("void task(void) { int i = 1, j = 2;\n out(a[i + j]);\n out(a[j + 1]); }" + writes),
            "a<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) { int i = in(); if (i != 3)\n a[i] = 1;\n out(a[3]); }" + writes), "");
  EXPECT_EQ(found("void task(void) { int i = in(); if (i != 4)\n a[i] = 1;\n out(a[3]); }" + writes),
            "a<W#2>,<W#5>,<R#3>");
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 3; i++)\n a[i] = 1;\n out(a[3]); }" + writes), "");
  EXPECT_EQ(found("void task(void) { for (int i = 0; i < 4; i++)\n a[i] = 1;\n out(a[3]); }" + writes),
            "a<W#2>,<W#5>,<R#3>");
}

TEST(TriplePlaces, ElementsByParameter) {
  EXPECT_EQ(
      found("int get(int i) {\n return a[i]; }\nvoid task(void) { out(get(3) + get(4)); }\nvoid isr1(void) {\n a[3] = "
            "in(); }"),
      "");
  EXPECT_EQ(
      found("int get(int i) {\n return a[i]; }\nvoid task(void) { out(get(3) + get(3)); }\nvoid isr1(void) {\n a[3] = "
            "in(); }"),
      "a<R#2>,<W#5>,<R#2>");
}

TEST(TriplePlaces, AParameterIsOfTheFunctionThatIsCalled) {
  // What `below` is told first, `get` is not told.
  EXPECT_EQ(found("int get(int i) {\n return a[i]; }\nint below(int i, int other) { return get(other) + i; }\n"
                  "void task(void) { out(below(4, 3)); out(get(3)); }\nvoid isr1(void) {\n a[3] = in(); }"),
            "a<R#2>,<W#6>,<R#2>");
}

TEST(TriplePlaces, PointersInVariables) {
  EXPECT_EQ(found("void task(void) { p = &y;\n *p = 1; p = &z;\n *p = 1; }\nvoid isr1(void) {\n out(y); out(z); }"),
            "");
  EXPECT_EQ(found("void task(void) { p = &y;\n *p = 1;\n *p = 1; }\nvoid isr1(void) {\n out(y); }"),
            "y<W#2>,<R#5>,<W#3>");
  EXPECT_EQ(found("void task(void) { int n; p = &n;\n n = 1;\n n = 2; }\nvoid isr1(void) {\n out(*p); }"),
            "n<W#2>,<R#5>,<W#3>");
}

TEST(TripleOrder, WhatIsOverwrittenDoesNotCount) {
  EXPECT_EQ(found("void task(void) {\n x = in();\n x = in();\n out(x); }" + isr), "x<W#3>,<W#6>,<R#4>");
  EXPECT_EQ(
      found("void set(void) {\n if (in()) x = 1; else x = 2; }\nvoid task(void) {\n x = in(); set();\n out(x); }" +
            isr),
      "x<W#2>,<W#7>,<R#5>");
  EXPECT_EQ(found("void task(void) {\n x = in();\n x = in();\n }\nvoid isr1(void) { x = 1;\n out(x); }"), "");
}

TEST(TripleWidth, WithoutSynchronisationMasksCountHereToo) {
  const TripleOptions without{.knows_synchronisation = false};
  const std::string wide = "long long t; void task(void) { off(1);\n out(t); on(1); }\nvoid isr1(void) {\n t = in(); }";
  EXPECT_EQ(found(wide, "[system]\natomic_bytes = 4\n", without), "t<R#2>,<W#4>,<R#2>");
  const std::string copy =
      "struct pair { int p, q; } s; void task(void) { off(1);\n struct pair c = s; on(1); out(c.p + c.q); }\n"
      "void isr1(void) {\n s.p = in();\n s.q = in(); }";
  EXPECT_EQ(found(copy), "");
  EXPECT_EQ(found(copy, "", without), "s<R#2>,<W#4>,<R#2> s<R#2>,<W#5>,<R#2>");
}

TEST(TripleWidth, AccessesInSteps) {
  const std::string code = "long long t; void task(void) {\n out(t); }\nvoid isr1(void) {\n t = in(); }";
  EXPECT_EQ(found(code, "[system]\natomic_bytes = 4\n"), "t<R#2>,<W#4>,<R#2>");
  EXPECT_EQ(found(code, "[system]\natomic_bytes = 8\n"), "");
  EXPECT_EQ(found("long long t; void task(void) { off(1);\n out(t); on(1); }\nvoid isr1(void) {\n t = in(); }",
                  "[system]\natomic_bytes = 4\n"),
            "");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
