// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions on variables that hold few numbers, or one.
int fixed = 1, set = 0, config = 3;
int a, b, c, d;
int in(void);
void out(int);

void task(void) {
  if (fixed == 1) {
    out(a);                     // @a1
    out(a);                     // @a2
  }
  if (fixed == 0) {
    out(b);                     // @b1
    out(b);                     // @b2
  }
  out(c);                       // @c1
  out(c);                       // @c2
  out(d);                       // @d1
  out(d);                       // @d2
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  if (set == 2) c = in();       // @wc
  if (config == 4) d = in();    // @wd
}
void isr2(void) { set = 2; }
// BUG: a R@a1 W@wa R@a2
// TRAP: b R@b1 W@wb R@b2
// BUG: c R@c1 W@wc R@c2
// TRAP: d R@d1 W@wd R@d2
