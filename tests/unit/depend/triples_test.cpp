// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "depend/risk/triples.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

/// A task, a stronger interrupt with the number 3, and one that is stronger still with the number 4.
const std::string system_text = entry_table("task", "task", "priority = 1") +
                                entry_table("isr", "interrupt", "priority = 2\nnumber = 3") +
                                entry_table("high", "interrupt", "priority = 3\nnumber = 4") +
                                "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 0\nall = 255\n";

const std::string head = "int x, y, a[4]; struct { int p, q; } s; void off(int); void on(int);\n";

/// All triples, one after the other, with a blank between; lines count from the code's first.
std::string triples(const std::string& code, const std::string& toml = system_text) {
  std::string whole = head + code;
  for (const char* name : {"task", "isr", "high"})
    if (toml == system_text && !whole.contains(std::string("void ") + name + "(void)"))
      whole += std::string("\nvoid ") + name + "(void) {}";
  const TestSystem t("#line 0\n" + whole, toml, {"-w"});
  if (!t.system) return t.system.error().message;
  std::string out;
  for (const Triple& triple : found_triples(t).all) out += (out.empty() ? "" : " ") + to_text(t.program, triple);
  return out;
}

TEST(Triples, TheFourOrders) {
  EXPECT_EQ(triples("void task(void) {\n y = x;\n y = x; }\nvoid isr(void) {\n x = 1; }"), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n y = x; }\nvoid isr(void) {\n x = 2; }"), "x<W#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void task(void) {\n int k = x;\n x = 1; }\nvoid isr(void) {\n x = 2; }"), "x<R#2>,<W#5>,<W#3>");
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n x = 2; }\nvoid isr(void) {\n y = x; }"), "x<W#2>,<R#5>,<W#3>");
  EXPECT_EQ(triples("void task(void) {\n x++; }\nvoid isr(void) {\n x = 2; }"), "x<R#2>,<W#4>,<W#2>");
  // Whoever comes between sees, or leaves, what some order without interruption has.
  EXPECT_EQ(triples("void task(void) {\n y = x;\n x = 1; }\nvoid isr(void) {\n int k = x; }"), "");
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n x = 2; }\nvoid isr(void) {\n x = 3; }"), "");
  EXPECT_EQ(triples("void task(void) {\n y = x; }\nvoid isr(void) {\n x = 1; }"), "");
}

TEST(Triples, WhoCanInterruptWhom) {
  EXPECT_EQ(triples("void isr(void) {\n y = x;\n y = x; }\nvoid task(void) {\n x = 1; }"), "");
  EXPECT_EQ(triples("void isr(void) {\n y = x;\n y = x; }\nvoid high(void) {\n x = 1; }"), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void f(void) { int k = x; k = x; }\nvoid g(void) { x = 1; }",
                    entry_table("f", "task", "priority = 1") + entry_table("g", "task", "priority = 1")),
            "");
  EXPECT_EQ(triples("void f(void) { int k = x; k = x; }\nvoid g(void) { x = 1; }",
                    entry_table("f", "task", "priority = 1") + entry_table("g", "task", "priority = 2")),
            "x<R#1>,<W#2>,<R#1>");
}

TEST(Triples, Masks) {
  EXPECT_EQ(triples("void task(void) {\n off(255); y = x;\n y = x; on(255); }\nvoid isr(void) {\n x = 1; }"), "");
  EXPECT_EQ(triples("void task(void) {\n off(3); y = x;\n y = x; on(3); }\nvoid isr(void) {\n x = 1; }"), "");
  EXPECT_EQ(triples("void task(void) {\n off(4); y = x;\n y = x; on(4); }\nvoid isr(void) {\n x = 1; }"),
            "x<R#2>,<W#5>,<R#3>");
  // Around each access alone.
  EXPECT_EQ(triples("void task(void) {\n off(255); y = x; on(255);\n off(255); y = x; on(255); }\nvoid isr(void) "
                    "{\n x = 1; }"),
            "x<R#2>,<W#5>,<R#3>");
  // Only some ways end it.
  EXPECT_EQ(
      triples("void task(void) {\n off(255); y = x; if (y) on(255);\n y = x; on(255); }\nvoid isr(void) {\n x = 1; }"),
      "x<R#2>,<W#5>,<R#3>");
  // In functions.
  EXPECT_EQ(
      triples("void get(void) {\n y = x;\n y = x; }\nvoid task(void) { off(255); get(); on(255); }\nvoid isr(void) "
              "{\n x = 1; }"),
      "");
  EXPECT_EQ(triples("void get(void) {\n y = x;\n y = x; }\nvoid task(void) { off(255); get(); on(255); get(); }\nvoid "
                    "isr(void) {\n x = 1; }"),
            "x<R#2>,<W#6>,<R#2> x<R#2>,<W#6>,<R#3> x<R#3>,<W#6>,<R#2> x<R#3>,<W#6>,<R#3>");
  EXPECT_EQ(
      triples("void enter(void) { off(255); }\nvoid leave(void) { on(255); }\nvoid task(void) { enter();\n y = x;\n "
              "y = x; leave(); }\nvoid isr(void) {\n x = 1; }"),
      "");
}

TEST(Triples, WaysAndFunctions) {
  EXPECT_EQ(triples("void task(void) { if (y)\n y = x; else\n s.p = x; }\nvoid isr(void) {\n x = 1; }"), "");
  EXPECT_EQ(
      triples("int get(void) {\n return x; }\nvoid task(void) {\n y = get();\n y += x; }\nvoid isr(void) {\n x = 1; }"),
      "x<R#2>,<W#7>,<R#5>");
  EXPECT_EQ(
      triples("void set(int *p) {\n *p = 1; }\nvoid task(void) {\n y = x;\n y = x; }\nvoid isr(void) { set(&x); }"),
      "x<R#4>,<W#2>,<R#5>");
  EXPECT_EQ(triples("void task(void) {\n y = a[0];\n y = a[1]; }\nvoid isr(void) {\n a[0] = 1; a[1] = 2; }"), "");
  EXPECT_EQ(triples("void task(void) {\n y = a[1];\n y = a[1]; }\nvoid isr(void) {\n a[s.q] = 1; }"),
            "a<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void task(void) {\n y = s.p;\n y = s.p; }\nvoid isr(void) {\n s.q = 1; }"), "");
  // One access, two calls.
  EXPECT_EQ(
      triples("int get(void) {\n return x; }\nvoid task(void) { y = get(); y += get(); }\nvoid isr(void) {\n x = 1; }"),
      "x<R#2>,<W#5>,<R#2>");
  EXPECT_EQ(triples("int get(void) {\n return x; }\nvoid task(void) { if (y) s.p = get(); else s.q = get(); }\nvoid "
                    "isr(void) {\n x = 1; }"),
            "");
  EXPECT_EQ(
      triples(
          "int get(void) { off(255);\n int k = x; on(255); return k; }\nvoid task(void) { if (get() > 3) y = get(); "
          "}\nvoid isr(void) {\n x = 1; }"),
      "x<R#2>,<W#5>,<R#2>");
  EXPECT_EQ(triples("int get(void) {\n return x; }\nvoid task(void) { while (!get()); }\nvoid isr(void) {\n x = 1; }"),
            "");
  // The next round is another run.
  EXPECT_EQ(
      triples("void task(void) { for (;;) { off(255);\n y = x;\n y += x; on(255); } }\nvoid isr(void) {\n x = 1; }"),
      "");
  EXPECT_EQ(triples("void task(void) { for (;;) {\n y = x;\n y += x; } }\nvoid isr(void) {\n x = 1; }"),
            "x<R#2>,<W#5>,<R#3>");
  // A flag that is waited for is read again and again.
  EXPECT_EQ(triples("void task(void) {\n while (!x); }\nvoid isr(void) {\n x = 1; }"), "");
}

TEST(Triples, Conditions) {
  const std::string isr = "\nvoid isr(void) {\n x = 1; }";
  EXPECT_EQ(triples("int in(void); void task(void) { int m = in(); if (m == 1)\n y = x; if (m == 2)\n y += x; }" + isr),
            "");
  EXPECT_EQ(triples("int in(void); void task(void) { int m = in(); if (m == 1)\n y = x; if (m < 2)\n y += x; }" + isr),
            "x<R#2>,<W#5>,<R#3>");
  // Another value the second time.
  EXPECT_EQ(
      triples("int in(void); void task(void) { int m = in(); if (m == 1)\n y = x; m = in(); if (m == 2)\n y += x; }" +
              isr),
      "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(
      triples("int in(void); void task(void) { for (;;) { int m = in(); if (m == 1)\n y = x; if (m == 2)\n y += x; "
              "} }" +
              isr),
      "");
  EXPECT_EQ(
      triples("int in(void); void task(void) { switch (in()) { case 1:\n y = x; break; case 2:\n y += x; } }" + isr),
      "");
  EXPECT_EQ(triples("int in(void); void task(void) { s.p = in(); if (s.p > 5)\n y = x; if (s.p < 3)\n y += x; }" + isr),
            "");
  EXPECT_EQ(
      triples("int in(void); void task(void) { if (s.p > 5)\n y = x; if (s.p < 3)\n y += x; }\nvoid high(void) { s.p = "
              "in(); }" +
              isr),
      "s<R#1>,<W#4>,<R#2> x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(
      triples("int in(void); void task(void) { s.p = in(); if (s.p > 5)\n y = x; s.p = 0; if (s.p < 3)\n y += x; }" +
              isr),
      "x<R#2>,<W#5>,<R#3>");
}

TEST(Triples, Flags) {
  const std::string guarded = "\nvoid isr(void) { if (!s.p)\n x = 1; }";
  EXPECT_EQ(triples("void task(void) { s.p = 1;\n y = x;\n y += x; s.p = 0; }" + guarded), "");
  EXPECT_EQ(triples("void task(void) { s.p = 1;\n y = x; s.p = 0;\n y += x; s.p = 0; }" + guarded),
            "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void task(void) { if (y) s.p = 1;\n y = x;\n y += x; s.p = 0; }" + guarded), "x<R#2>,<W#5>,<R#3>");
  EXPECT_EQ(triples("void task(void) { s.p = 1;\n y = x;\n y += x; s.p = 0; }\nvoid high(void) { s.p = 0; }" + guarded),
            "x<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(triples("void clear(void) { s.p = 0; } void task(void) { s.p = 1;\n y = x; clear();\n y += x; s.p = 0; }" +
                    guarded),
            "x<R#2>,<W#5>,<R#3>");
}

TEST(Triples, AFlagThatIsOnlyAskedMayBeSetAndCleared) {
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n x = 0; }\nvoid isr(void) {\n if (!x) y = 1; }"), "");
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n x = 0; }\nvoid isr(void) {\n if (x) y = x; }"), "x<W#2>,<R#5>,<W#3>");
  EXPECT_EQ(triples("void task(void) {\n x = y;\n x = 0; }\nvoid isr(void) {\n if (x) s.p = 1; }"),
            "x<W#2>,<R#5>,<W#3>");
}

TEST(Triples, VariablesThatHoldTheSameInformation) {
  const std::string code =
      "void task(void) {\n int a = x;\n int b = y; s.p = a == b; }\nvoid isr(void) {\n x = 1;\n y = 1; }";
  EXPECT_EQ(triples(code), "");
  const std::string redundant = system_text + "[system]\nredundant = [[\"x\", \"y\"]]\n";
  EXPECT_EQ(triples(code + "\nvoid high(void) {}", redundant), "x/y<R#2>,<W#5>,<R#3> x/y<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(
      triples("void task(void) { off(255);\n int a = x;\n int b = y; on(255); s.p = a == b; }\nvoid isr(void) {\n x = "
              "1;\n y = 1; }\nvoid high(void) {}",
              redundant),
      "");
  // Half of it was written.
  EXPECT_EQ(triples("void task(void) {\n x = 1;\n y = 1; }\nvoid isr(void) {\n s.p = x == y; }\nvoid high(void) {}",
                    redundant),
            "x/y<W#2>,<R#5>,<W#3>");
}

TEST(Triples, MembersThatHoldTheSameInformation) {
  const std::string declared = "struct { int speed, other, copy; } car; int sum;\n#line 1\n";
  const std::string both = system_text + "[system]\nredundant = [[\"car.speed\", \"car.copy\"]]\n";
  const std::string isr = "void isr(void) {\n car.speed = 1;\n car.copy = 1;\n car.other = 1; }\nvoid high(void) {}";
  EXPECT_EQ(triples(declared + "void task(void) {\n sum = car.speed;\n sum += car.copy; }\n" + isr, both),
            "car.speed/car.copy<R#2>,<W#5>,<R#3> car.speed/car.copy<R#2>,<W#6>,<R#3>");
  EXPECT_EQ(triples(declared + "void task(void) {\n sum = car.speed;\n sum += car.other; }\n" + isr, both), "");
}

TEST(Triples, FiguresOfDforce) {
  const std::string figure10 =
      "#line 1\nint a, b, c, x, x1, x2;\nint DI0;\nunsigned char errflg=0;\n\nvoid calc1(void);\nvoid calc2(void);\n"
      "void input(void);\n\nvoid func(){\n calc1();\n calc2();\n if (x1 !=c || x2!=c) {\n errflg=1;\n }\n else {\n "
      "x=x1;\n "
      "}\n}\n\nvoid calc1(){\n x1=a*2;\n b=x1;\n}\n\nvoid calc2(){\n x2=a<<1;\n b=x2;\n}\n\nvoid input(){\n "
      "a=DI0;\n}\n";
  const TestSystem ten(figure10,
                       entry_table("func", "task", "priority = 1") + entry_table("input", "task", "priority = 2"));
  std::string found;
  for (const Triple& one : found_triples(ten).all) found += to_text(ten.program, one);
  EXPECT_EQ(found, "a<R#21>,<W#31>,<R#26>");
  const TestSystem twelve(
      "#line 1\nint a;\nvoid calc(int *pt);\nint main(void){\n a=0;\n calc(&a);\n return 0; }\nvoid "
      "calc(int *pt){\n *pt=3;\n}\n",
      entry_table("main", "main") + entry_table("calc", "interrupt"));
  EXPECT_TRUE(found_triples(twelve).all.empty());
}

TEST(Triples, OfDeviceRegisters) {
  const std::string ports = "#define PORTB (*(volatile char *)0x25)\n#define PORTC (*(volatile char *)0x28)\n#line 1\n";
  EXPECT_EQ(triples(ports + "void task(void) {\n PORTB |= 1; PORTC |= 1; }\nvoid isr(void) {\n PORTB |= 2; }"),
            "PORTB<R#2>,<W#4>,<W#2>");
  EXPECT_EQ(triples(ports + "void task(void) {\n off(3); PORTB |= 1; on(3); }\nvoid isr(void) {\n PORTB |= 2; }"), "");
}

TEST(Triples, AVRsStatusRegisterBelongsToEachEntry) {
  const std::string code =
      "#define SREG (*(volatile unsigned char *)0x5f)\nint x;\n"
      "void isr(void) { SREG = SREG; x = 1; }\n"
      "void task(void) {\n unsigned char old = SREG; __asm__ volatile(\"cli\");\n x++;\n SREG = old;\n x++; }\n";
  const TestSystem t(
      code, entry_table("task", "task", "priority = 1") + entry_table("isr", "interrupt", "priority = 2\nnumber = 3"),
      {"--target=avr"});
  ASSERT_TRUE(t.system.has_value()) << t.message();
  std::string found;
  for (const Triple& triple : found_triples(t).all) found += to_text(t.program, triple) + " ";
  EXPECT_TRUE(found.contains("x<R#8>,<W#3>,<W#8> ")) << found;
  EXPECT_FALSE(found.contains("x<R#6>,<W#3>,<W#6> ")) << found << "masked";
  EXPECT_FALSE(found.contains("SREG")) << found;
}

/// Triples of AVR code, in which `isr` is the interrupt 3.
std::string avr_triples(const std::string& code) {
  const TestSystem t(code, entry_table("isr", "interrupt", "number = 3"), {"--target=avr", "-w"});
  if (!t.system) return t.message();
  std::string out;
  for (const Triple& triple : found_triples(t).all) out += (out.empty() ? "" : " ") + to_text(t.program, triple);
  return out;
}

TEST(Triples, OnlyAnUpdateOfADeviceRegisterCanBeBroken) {
  const std::string ports =
      "#define PORTB (*(volatile char *)0x25)\n#define UCSRB (*(volatile char *)0xc1)\nchar y; void isr(void) {\n"
      "PORTB = UCSRB = 1; }\n";
  EXPECT_EQ(avr_triples(ports + "int main(void) {\n PORTB |= 6; }"), "PORTB<R#6>,<W#4>,<W#6>");
  EXPECT_EQ(avr_triples(ports + "int main(void) {\n char k = PORTB;\n k ^= 4;\n PORTB = k; }"),
            "PORTB<R#6>,<W#4>,<W#8>");
  EXPECT_EQ(avr_triples(ports + "int main(void) { y = PORTB; PORTB = 1; PORTB = 2; y = PORTB; y = PORTB; }"), "");
  // sbi and cbi cannot be interrupted; beyond 0x3f there are none.
  EXPECT_EQ(avr_triples(ports + "int main(void) {\n PORTB |= 4; PORTB &= ~8; }"), "");
  EXPECT_EQ(avr_triples(ports + "int main(void) {\n UCSRB |= 4; }"), "UCSRB<R#6>,<W#4>,<W#6>");
  std::string calls;
  for (int i = 0; i < 20; ++i) calls += " f();";
  EXPECT_EQ(avr_triples(ports + "void f(void) {\n UCSRB |= 4; }\nint main(void) {" + calls + " }"),
            "UCSRB<R#6>,<W#4>,<W#6>")
      << "however many other ways there are";
  // What one call reads another one does not write back.
  EXPECT_EQ(avr_triples(ports + "void f(void) { __asm__(\"cli\"); PORTB |= 6; __asm__(\"sei\"); }\n"
                                "int main(void) { f(); f(); }"),
            "");
}

TEST(Triples, WhatMainDoesBeforeItLetsInterruptsInIsInitialisation) {
  const std::string head_of_avr =
      "char x, y; void isr(void) {\n x = 1; }\nvoid init(void) { x++; }\nvoid on(void) { __asm__(\"sei\"); }\n";
  EXPECT_EQ(avr_triples(head_of_avr + "int main(void) { init(); on(); for (;;) y = x; }"), "");
  EXPECT_EQ(avr_triples(head_of_avr + "int main(void) { on(); init(); for (;;) ; }"), "x<R#3>,<W#2>,<W#3>");
  EXPECT_EQ(avr_triples(head_of_avr + "int main(void) { init(); on(); init(); for (;;) ; }"),
            "x<R#3>,<W#2>,<R#3> x<R#3>,<W#2>,<W#3> x<W#3>,<W#2>,<R#3>");
  EXPECT_EQ(avr_triples(head_of_avr + "int main(void) { init(); for (;;) ; }"), "x<R#3>,<W#2>,<W#3>")
      << "who lets them in is not seen";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
