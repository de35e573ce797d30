// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The task says that it is busy, and the interrupt asks.
int busy, half_busy, a, b, c;
int in(void);
void out(int);
static void read_c(void) {
  out(c);                       // @c1
  out(c);                       // @c2
}

void task(void) {
  busy = 1;
  out(a);                       // @a1
  out(a);                       // @a2
  busy = 0;
  half_busy = 1;
  out(b);                       // @b1
  half_busy = 0;
  out(b);                       // @b2
  busy = 1;
  read_c();
  busy = 0;
}

void isr1(void) {
  if (!busy) a = in();          // @wa
  if (!half_busy) b = in();     // @wb
  if (!busy) c = in();          // @wc
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
