// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds of a loop that counts belong to one run.
int a, b, c, d, e;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  for (int i = 0; i < 10; i++)
    if (i == 9) out(a);         // @a1
  out(a);                       // @a2
  for (int i = 0; i < 10; i++) {
    if (i == 2) out(b);         // @b1
    if (i == 7) out(b);         // @b2
    if (i == 12) out(b);        // @b3
  }
  for (int i = 0; i < 10; i++) {
    off(-1);
    out(c);                     // @c1
    out(c);                     // @c2
    on(-1);
  }
  for (d = 0;                   // @d0
       d < 10;                  // @d1
       d++)                     // @d2
    out(in());
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  c = in();                     // @wc
  d = in();                     // @wd
}
// BUG: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: b R@b2 W@wb R@b3
// TRAP: c R@c1 W@wc R@c2
// TRAP: c R@c2 W@wc R@c1
// BUG: d R@d1 W@wd W@d2
// BUG: d W@d2 W@wd R@d1
