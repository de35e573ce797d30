// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements by constants, sums, loops and conditions.
int a[10], b[10], c[100], d[10], e[10];
int in(void);
void out(int);

void task(void) {
  out(a[1]);                    // @a1
  out(a[2]);                    // @a2
  out(a[1]);                    // @a3
  int p = 1, q = 2;
  b[p + q] = in();              // @b1
  out(b[p * 4]);                // @b2
  out(b[q + 1]);                // @b3
  c[40] = in();                 // @c1
  out(c[p * 20 + q * 10]);      // @c2
  int i = in();
  if (i == 3) d[i] = in();      // @d1
  if (i != 3) d[i] = in();      // @d2
  out(d[3]);                    // @d3
  for (int k = 0; k < 5; k++) e[k] = in();    // @e1
  out(e[7]);                                  // @e2
  out(e[4]);                                  // @e3
}

void isr1(void) {
  a[1] = in();                  // @wa
  b[3] = in();                  // @wb
  for (int k = 0; k < 100; k++) c[k] = in();  // @wc
  d[3] = in();                  // @wd
  e[4] = in();                  // @we
  e[7] = in();                  // @wf
}
// TRAP: a R@a1 W@wa R@a2
// BUG: a R@a1 W@wa R@a3
// TRAP: b W@b1 W@wb R@b2
// BUG: b W@b1 W@wb R@b3
// BUG: c W@c1 W@wc R@c2
// BUG: d W@d1 W@wd R@d3
// TRAP: d W@d2 W@wd R@d3
// BUG: e W@e1 W@we R@e3
// TRAP: e W@e1 W@wf R@e2
