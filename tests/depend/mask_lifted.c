// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interrupt that comes lets in the one that is masked, and that one the next.
int a, b, c, chained;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  off(2);
  off(3);
  out(a);                       // @a1
  out(a);                       // @a2
  on(2);
  on(3);
  off(1);
  off(2);
  out(b);                       // @b1
  out(b);                       // @b2
  on(-1);
}

void isr1(void) {
  on(2);
}
void isr2(void) {
  b = in();                     // @wb
  on(3);
}
void isr3(void) {
  a = in();                     // @wa
}
// BUG: a R@a1 W@wa R@a2
// TRAP: b R@b1 W@wb R@b2
