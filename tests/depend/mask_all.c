// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All interrupts masked: around both accesses, around each alone, ended too early.
int a, b, c, d;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  off(-1);
  out(a);                       // @a1
  out(a);                       // @a2
  on(-1);
  off(-1);
  out(b);                       // @b1
  on(-1);
  off(-1);
  out(b);                       // @b2
  on(-1);
  off(-1);
  out(c);                       // @c1
  if (in()) on(-1);
  out(c);                       // @c2
  on(-1);
  out(d);                       // @d1
  off(-1);
  out(d);                       // @d2
  on(-1);
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  c = in();                     // @wc
  d = in();                     // @wd
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// BUG: c R@c1 W@wc R@c2
// BUG: d R@d1 W@wd R@d2
