// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly that masks.
int a, b;
static void mask(void) { __asm__ volatile("cli" ::: "memory"); }
static void unmask(void) { __asm__ volatile("sti" ::: "memory"); }
void task(void) {
  mask();
  a++;  // NORACE: -> separated(masked)
  unmask();
  b++;  // RACE! b: let in
}
void isr1(void) {
  a--;  // NORACE: -> separated(masked)
  b--;  // RACE! b: the other half
}
