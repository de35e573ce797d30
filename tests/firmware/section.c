// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical section of one core; who lets interrupts in within it ends it.
// toml: [[critical_section]]
// toml: begin = "enter"
// toml: end = "leave"
void enter(void);
void leave(void);
int a, b, c, d;
void off(int);
void on(int);
void task(void) {
  enter();
  a++;  // NORACE: nothing preempts it -> separated(masked)
  leave();
  b++;  // RACE! b: outside
  enter();
  __asm__ volatile("sti" ::: "memory");
  c++;  // RACE! c: interrupts are on again
  leave();
  off(-1);
  __asm__ volatile("sti" ::: "memory");
  d++;  // RACE! d: likewise, if the function sets that flag
  on(-1);
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  b--;  // RACE! b: the other half
  c--;  // RACE! c: the other half
  d--;  // RACE! d: the other half
}
