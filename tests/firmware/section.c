// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical section of one core; who lets interrupts in within it ends it.
// toml: [[critical_section]]
// toml: begin = "enter"
// toml: end = "leave"
void enter(void);
void leave(void);
int a, b, c;
void task(void) {
  enter();
  a++;  // NORACE: nothing preempts it -> separated(masked)
  leave();
  b++;  // RACE! b: outside
  enter();
  __asm__ volatile("sti" ::: "memory");
  c++;  // RACE! c: interrupts are on again
  leave();
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  b--;  // RACE! b: the other half
  c--;  // RACE! c: the other half
}
