// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three levels: a lower one never comes between, a higher one does.
int a, b, c;
int in(void);
void out(int);

void task(void) {
  a = in();                     // @wa
}
void isr1(void) {
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
  c = in();                     // @wc
}
void isr2(void) {
  b = in();                     // @wb
  out(c);                       // @c1
  out(c);                       // @c2
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
