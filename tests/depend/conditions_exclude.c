// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two branches that are never both taken, and two that may be.
int a, b, c, d;
int in(void);
void out(int);

void task(void) {
  int mode = in();
  if (mode == 1) out(a);        // @a1
  if (mode == 2) out(a);        // @a2
  if (mode == 1) out(b);        // @b1
  mode = in();
  if (mode == 2) out(b);        // @b2
  switch (in()) {
    case 1:
      out(c);                   // @c1
      break;
    case 2:
      out(c);                   // @c2
      break;
    default:
      break;
  }
  if (mode > 3) out(d);         // @d1
  if (mode < 9) out(d);         // @d2
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  c = in();                     // @wc
  d = in();                     // @wd
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
// BUG: d R@d1 W@wd R@d2
