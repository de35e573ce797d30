// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler that the task calls as well runs twice at once.
void off(int);
void on(int);
int a, b;
void isr1(void) {
  a++;  // RACE! a: the interrupt comes into the task's own call
  b++;  // RACE! b: likewise
}
void task(void) {
  isr1();
}
