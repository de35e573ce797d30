// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who lets the interrupt in has cleared its flag before, or after.
int may_write_a = 1, may_write_b = 1, a, b;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  off(-1);
  on(1);
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
  on(-1);
}

void isr1(void) {
  may_write_a = 0;
  on(2);
  may_write_b = 0;
}
void isr2(void) {
  if (may_write_a) a = in();    // @wa
  if (may_write_b) b = in();    // @wb
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
