// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found in the code alone, without a heddle.toml.
#include "depend/system_of.h"

namespace heddle::depend {
namespace HEDDLE_TEST_FILE {

std::string found_in(const std::string& code, const std::vector<std::string>& flags = {}) {
  return TestSystem(code, "", flags).listing();
}

TEST(Discovery, AttributesOfSeveralMachines) {
  const std::string handler = "volatile int x; __attribute__((interrupt)) void h(void) { x++; }";
  EXPECT_EQ(found_in("volatile int x; __attribute__((interrupt(\"IRQ\"))) void h(void) { x++; }",
                     {"--target=armv7m-none-eabi"}),
            "h interrupt: __attribute__((interrupt(IRQ)))\n");
  EXPECT_EQ(found_in("volatile int x; __attribute__((interrupt(5))) void h(void) { x++; }", {"--target=msp430"}),
            "h interrupt n5: __attribute__((interrupt(5)))\n");
  EXPECT_EQ(found_in(handler, {"--target=riscv32-unknown-elf"}), "h interrupt: __attribute__((interrupt(machine)))\n");
  EXPECT_EQ(found_in("__attribute__((interrupt)) void h(void *frame) {}",
                     {"--target=x86_64-none-elf", "-mgeneral-regs-only"}),
            "h interrupt: __attribute__((interrupt))\n");
  EXPECT_EQ(found_in("void h(void) {}"), "") << "nothing says that it is one";
}

TEST(Discovery, VectorsOfAvr) {
  const TestSystem t(
      "volatile int x;\n"
      "__attribute__((signal)) void __vector_7(void) { x++; }\n"
      "__attribute__((signal, interrupt)) void __vector_9(void) { x++; }\n"
      "int main(void) { for (;;) x++; }\n",
      "", {"--target=avr"});
  EXPECT_EQ(t.listing(),
            "__vector_7 interrupt n7: name '__vector_7'; __attribute__((signal))\n"
            "__vector_9 interrupt n9: name '__vector_9'; __attribute__((interrupt))\n"
            "main main: name 'main'\n");
  EXPECT_TRUE(t.interrupts("__vector_7", "main"));
  EXPECT_TRUE(t.interrupts("__vector_7", "__vector_9")) << "it lets others in at once";
  EXPECT_FALSE(t.interrupts("__vector_9", "__vector_7"));
}

TEST(Discovery, TablesOfVectors) {
  EXPECT_EQ(found_in("void isr_a(void) {} void isr_none(void) {} void dflt(void) {} void Reset_Handler(void) {}\n"
                     "extern int stack; typedef void (*handler)(void);\n"
                     "__attribute__((section(\".isr_vector\"))) const handler mine[] =\n"
                     "  {(handler)&stack, Reset_Handler, isr_a, dflt, dflt};\n"
                     "const handler others[] = {0, isr_none};\n"),
            "Reset_Handler main n1: name 'Reset_Handler'; vector table 'mine' [1]\n"
            "dflt interrupt: vector table 'mine' [3, …]\n"
            "isr_a interrupt n2: vector table 'mine' [2]\n");
  EXPECT_EQ(found_in("void a(void) {} void (*const g_pfnVectors[])(void) = {0, 0, 0, a};"),
            "a interrupt n3: vector table 'g_pfnVectors' [3]\n");
}

TEST(Discovery, NamesOfCmsis) {
  EXPECT_EQ(found_in("void SysTick_Handler(void) {} void USART1_IRQHandler(void) {} void TC0_Handler(void) {}\n"
                     "void Error_Handler(void) {} void helper(void) {}\n"
                     "int main(void) { Error_Handler(); helper(); return 0; }\n"),
            "SysTick_Handler interrupt n15: name 'SysTick_Handler'\n"
            "TC0_Handler interrupt: nobody in the program uses it\n"
            "USART1_IRQHandler interrupt: name 'USART1_IRQHandler'\n"
            "main main: name 'main'\n")
      << "Error_Handler is called";
}

TEST(Discovery, TheOneThatLeadsToMainIsMain) {
  EXPECT_EQ(found_in("int main(void) { return 0; } void Reset_Handler(void) { main(); }\n"),
            "main main: name 'main'\n");
}

TEST(Discovery, FreeRtos) {
  EXPECT_EQ(found_in("int xTaskCreate(void (*)(void *), const char *, short, void *, unsigned long, void **);\n"
                     "void *xTimerCreate(const char *, int, int, void *, void (*)(void *));\n"
                     "void a(void *p) {} void b(void *p) {} void c(void *p) {} void late(void *t) {}\n"
                     "int main(void) { extern unsigned long n;\n"
                     "  xTaskCreate(a, \"a\", 100, 0, 2 + 1, 0);\n"
                     "  xTaskCreate(b, \"b\", 100, 0, 1, 0); xTaskCreate(b, \"b\", 100, 0, 1, 0);\n"
                     "  xTaskCreate(c, \"c\", 100, 0, 4, 0); xTaskCreate(c, \"c\", 100, 0, n, 0);\n"
                     "  xTimerCreate(\"t\", 1, 1, 0, late); return 0; }\n"),
            "a task p3: call of 'xTaskCreate' at unit.c:5:3\n"
            "b task p1 several: call of 'xTaskCreate' at unit.c:6:3\n"
            "c task p4: call of 'xTaskCreate' at unit.c:7:3\n"
            "c task: call of 'xTaskCreate' at unit.c:7:38\n"
            "late task: call of 'xTimerCreate' at unit.c:8:3\n"
            "main main: name 'main'\n");
}

TEST(Discovery, ZephyrHasLowerNumbersFirst) {
  const TestSystem t(
      "typedef void (*entry)(void *, void *, void *);\n"
      "void *k_thread_create(void *, void *, int, entry, void *, void *, void *, int, int, long);\n"
      "int irq_connect_dynamic(unsigned, unsigned, void (*)(const void *), const void *, unsigned);\n"
      "struct _static_thread_data { void *thread; int init_prio; entry init_entry; };\n"
      "struct _isr_list { int irq; int flags; void *func; const void *param; };\n"
      "void a(void *x, void *y, void *z) {} void b(void *x, void *y, void *z) {}\n"
      "void dyn(const void *p) {} void fixed(const void *p) {}\n"
      "struct _static_thread_data data = {0, -2, b}; struct _isr_list list = {17, 0, (void *)fixed, 0};\n"
      "int main(void) { k_thread_create(0, 0, 0, a, 0, 0, 0, 5, 0, 0); irq_connect_dynamic(9, 1, dyn, 0, 0);\n"
      "  return 0; }\n",
      "");
  EXPECT_EQ(t.listing(),
            "a task p-5: call of 'k_thread_create' at unit.c:9:18\n"
            "b task p2: member of '_static_thread_data'\n"
            "dyn interrupt p-1 n9: call of 'irq_connect_dynamic' at unit.c:9:65\n"
            "fixed interrupt n17: member of '_isr_list'\n"
            "main main: name 'main'\n");
  EXPECT_TRUE(t.interrupts("b", "a"));
  EXPECT_FALSE(t.interrupts("a", "b"));
}

TEST(Discovery, RiotAndCmsisRtos) {
  EXPECT_EQ(found_in("int thread_create(char *, int, unsigned char, int, void *(*)(void *), void *, const char *);\n"
                     "typedef struct { const char *name; int bits; int priority; } osThreadAttr_t;\n"
                     "void *osThreadNew(void (*)(void *), void *, const osThreadAttr_t *);\n"
                     "struct os_thread_def { void (*pthread)(void const *); int tpriority; };\n"
                     "void *riot(void *p) { return 0; } void two(void *p) {} void one(void const *p) {}\n"
                     "const osThreadAttr_t attributes = {\"two\", 0, 24};\n"
                     "const struct os_thread_def os_thread_def_one = {one, -1};\n"
                     "int main(void) { thread_create(0, 0, 7, 0, riot, 0, \"r\"); osThreadNew(two, 0, &attributes);\n"
                     "  return 0; }\n"),
            "main main: name 'main'\n"
            "one task p-1: member of 'os_thread_def'\n"
            "riot task p-7: call of 'thread_create' at unit.c:8:18\n"
            "two task p24: call of 'osThreadNew' at unit.c:8:59\n");
}

TEST(Discovery, HandlersMadeKnownByCallsAndMembers) {
  EXPECT_EQ(found_in("void attachInterrupt(unsigned char, void (*)(void), int);\n"
                     "struct k_timer { int n; void (*expiry_fn)(void *); void (*stop_fn)(void *); };\n"
                     "void pin(void) {} void expired(void *t) {}\n"
                     "struct k_timer timer = {0, expired, 0};\n"
                     "int main(void) { attachInterrupt(2, pin, 1); return 0; }\n"),
            "expired interrupt: member of 'k_timer'\nmain main: name 'main'\n"
            "pin interrupt n2: call of 'attachInterrupt' at unit.c:5:18\n");
}

TEST(Discovery, ThreadsAndConstructors) {
  const TestSystem t(
      "typedef unsigned long pthread_t; int pthread_create(pthread_t *, void *, void *(*)(void *), void *);\n"
      "void *run(void *p) { return 0; } __attribute__((constructor)) void early(void) {}\n"
      "int main(void) { pthread_t h; pthread_create(&h, 0, run, 0); return 0; }\n",
      "");
  EXPECT_EQ(t.listing(),
            "early init: constructor\nmain main: name 'main'\n"
            "run task: call of 'pthread_create' at unit.c:3:31\n");
  EXPECT_FALSE(t.interrupts("run", "early"));
}

TEST(Discovery, ATaskThatIsCreatedInALoopIsSeveral) {
  const std::string create =
      "int xTaskCreate(void (*)(void *), const char *, unsigned short, void *, unsigned long, void *);\n"
      "void once(void *p) {} void many(void *p) {} void twice(void *p) {}\n";
  const TestSystem found(create +
                             "static void start(void) { xTaskCreate(twice, \"t\", 9, 0, 1, 0); }\n"
                             "int main(int n, char **v) { xTaskCreate(once, \"o\", 9, 0, 1, 0); start(); start();\n"
                             "  while (n--) xTaskCreate(many, \"m\", 9, 0, 1, 0); return 0; }",
                         "");
  const std::string listing = found.listing();
  EXPECT_TRUE(listing.contains("once task p1:")) << listing;
  EXPECT_TRUE(listing.contains("many task p1 several:")) << listing;
  EXPECT_TRUE(listing.contains("twice task p1 several:")) << listing;
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::depend
