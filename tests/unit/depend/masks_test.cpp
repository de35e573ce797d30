// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/asm_masks.h"
#include "depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

using Step = MaskStep::Step;
using Of = MaskStep::Of;

TEST(AsmMasks, OfSeveralMachines) {
  const auto step = [](std::string_view text, std::optional<std::int64_t> value = std::nullopt) -> std::optional<Step> {
    const auto found = asm_mask(text, value);
    return found ? std::optional(found->step) : std::nullopt;
  };
  for (const char* text : {"cpsid i|~{memory}", "CPSID  I", "cpsid if", "cli", "\tcli\n", "nop; dint; nop",
                           "csrci mstatus, 8", "csrrci $0, mstatus, 8|=r", "csrc mstatus, $0", "di"})
    EXPECT_EQ(step(text), Step::Begin) << text;
  for (const char* text : {"cpsie i", "sei", "sti", "eint", "csrsi mstatus, 8", "csrrsi $0, mstatus, 0x8", "ei"})
    EXPECT_EQ(step(text), Step::End) << text;
  for (const char* text :
       {"msr primask, $0|r", "csrw mstatus, $0", "csrs mstatus, $0", "out __SREG__, $0", "out 0x3f, $0"})
    EXPECT_EQ(step(text), Step::Restore) << text;
  EXPECT_EQ(step("msr PRIMASK, $0", 1), Step::Begin);
  EXPECT_EQ(step("msr primask, $0", 0), Step::End);
  for (const char* text :
       {"", "nop", "mrs $0, primask|=r", "cpsid f", "csrr $0, mstatus", "csrci mie, 8", "client", "wfi"})
    EXPECT_EQ(step(text), std::nullopt) << text;
  EXPECT_EQ(step("cli; nop; sei"), Step::End) << "the last one counts";
  EXPECT_EQ(asm_mask("msr basepri, $0", 32)->of, Of::Unknown) << "which interrupts are below is not known";
}

/// What each call of `f` does, in order.
std::vector<MaskStep> steps_of(const TestSystem& t) {
  std::vector<MaskStep> out;
  const Function& f = t.program.functions[t.program.find_function("f")];
  for (const Instruction& i : f.instructions)
    if (const auto step = t.system->mask_step(f, i)) out.push_back(*step);
  return out;
}

TEST(Masks, WritesOfTheStatusRegister) {
  const std::string code =
      "#define SREG (*(volatile unsigned char *)0x5f)\n#define PORTB (*(volatile unsigned char *)0x25)\n"
      "void f(void) { unsigned char old = SREG; __asm__ volatile(\"cli\"); PORTB = old; SREG = old;\n"
      "  SREG |= 0x80; SREG &= 0x7f; SREG = 0; SREG = 0x80; }\n";
  std::vector<Step> steps;
  for (const MaskStep& step : steps_of(TestSystem(code, "", {"--target=avr"}))) steps.push_back(step.step);
  EXPECT_EQ(steps, (std::vector<Step>{Step::Begin, Step::Restore, Step::End, Step::Begin, Step::Begin, Step::End}));
  EXPECT_TRUE(steps_of(TestSystem("void f(void) { *(volatile char *)0x5f = 0; }", "", {})).empty()) << "AVR only";
}

TEST(Masks, CallsByNumberAndAll) {
  const TestSystem t(
      "void off(int, int); void on(int, int); void enter(void); void leave(void); void other(void);\n"
      "void f(int n) { off(0, 3); off(0, 255); off(0, n); on(1, 3); enter(); leave(); other(); }\n"
      "void i3(void) {} void i4(void) {} void t(void) {}\n",
      entry_table("i3", "interrupt", "number = 3") + entry_table("i4", "interrupt", "number = 4") +
          entry_table("t", "task") +
          "[[mask]]\ndisable = \"off\"\nenable = \"on\"\nargument = 1\nall = 255\n"
          "[[critical_section]]\nname = \"bus\"\nbegin = \"enter\"\nend = \"leave\"\n");
  const std::vector<MaskStep> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 6U);
  EXPECT_EQ(steps[0].of, Of::Interrupt);
  EXPECT_EQ(steps[0].number, 3);
  EXPECT_EQ(steps[1].of, Of::Everything);
  EXPECT_EQ(steps[2].of, Of::Unknown);
  EXPECT_EQ(steps[3].step, Step::End);
  EXPECT_EQ(steps[0].mask, steps[3].mask);
  EXPECT_NE(steps[0].mask, steps[4].mask);
  EXPECT_EQ(steps[4].section, "bus");
  EXPECT_EQ(steps[5].step, Step::Restore);
  const std::size_t i3 = t.entry("i3"), i4 = t.entry("i4"), task = t.entry("t");
  EXPECT_TRUE(t.system->keeps_out(steps[0], i3));
  EXPECT_FALSE(t.system->keeps_out(steps[0], i4)) << "another number";
  EXPECT_FALSE(t.system->keeps_out(steps[0], task)) << "the scheduler runs on";
  for (const std::size_t entry : {i3, i4, task}) {
    EXPECT_TRUE(t.system->keeps_out(steps[1], entry));
    EXPECT_FALSE(t.system->keeps_out(steps[2], entry)) << "nobody knows whom";
    EXPECT_TRUE(t.system->keeps_out(steps[4], entry)) << "a critical section";
  }
}

TEST(Masks, AreOfOneCore) {
  const TestSystem t(
      "void off(void); void on(void); void f(void) { off(); on(); } void i(void) {}",
      entry_table("i", "interrupt") + "[[mask]]\ndisable = \"off\"\nenable = \"on\"\n[system]\ncores = 2\n");
  ASSERT_EQ(steps_of(t).size(), 2U);
  EXPECT_FALSE(t.system->keeps_out(steps_of(t)[0], t.entry("i")));
}

TEST(Masks, OfTheShippedProfile) {
  const TestSystem t(
      "static void __disable_irq(void) { __asm__ volatile(\"cli\"); }\n"
      "void vTaskSuspendAll(void); void xTaskResumeAll(void); void NVIC_DisableIRQ(int); void "
      "vPortExitCritical(void);\n"
      "void f(void) { __disable_irq(); vTaskSuspendAll(); xTaskResumeAll(); NVIC_DisableIRQ(2); vPortExitCritical();\n"
      "  __asm__ volatile(\"sti\"); }\n"
      "void i(void) {} void t(void) {}",
      entry_table("i", "interrupt", "number = 18") + entry_table("t", "task"));
  const std::vector<MaskStep> steps = steps_of(t);
  ASSERT_EQ(steps.size(), 6U);
  EXPECT_EQ(steps[0], MaskStep{Step::Begin}) << "by its name, although it has a body";
  EXPECT_EQ(steps[1].of, Of::Tasks);
  EXPECT_TRUE(t.system->keeps_out(steps[1], t.entry("t")));
  EXPECT_FALSE(t.system->keeps_out(steps[1], t.entry("i")));
  EXPECT_EQ(steps[2].step, Step::Restore);
  EXPECT_TRUE(t.system->keeps_out(steps[3], t.entry("i"))) << "interrupt 2 of the device is number 18";
  EXPECT_EQ(steps[4].step, Step::Restore);
  EXPECT_EQ(steps[5], MaskStep{Step::End});
  EXPECT_EQ(steps[0].mask, steps[5].mask) << "the processor has one flag, whoever sets it";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
