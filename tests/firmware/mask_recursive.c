// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that calls itself may have ended every mask.
void off(int);
void on(int);
int a, b;
static void deep(int n) {
  if (n == 3) on(1);
  if (n) deep(n - 1);
  b++;  // RACE! b: behind a call of its own
}
void task(void) {
  off(1);
  deep(5);
  a++;  // RACE! a: ended inside
  on(1);
}
void isr1(void) {
  a--;  // RACE! a: the other half
  b--;  // RACE! b: the other half
}
