// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interrupt that is interrupted by a stronger one, and by none where it masks.
int a, b;
int in(void);
void out(int);
void off(int);
void on(int);

void isr1(void) {
  a++;                          // @a1
  off(2);
  b++;                          // @b1
  on(2);
}
void isr2(void) {
  a++;                          // @wa
  b++;                          // @wb
}
// BUG: a R@a1 W@wa W@a1
// TRAP: b R@b1 W@wb W@b1
// TRAP: a R@wa W@a1 W@wa
