// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was overwritten in between does not count; what was counted up does.
int a, b, c;
int in(void);
void out(int);

static void reset(void) {
  if (in())
    b = 1;                      // @b2
  else
    b = 2;                      // @b3
}

void task(void) {
  a = in();                     // @a1
  a = in();                     // @a2
  out(a);                       // @a3
  b = in();                     // @b1
  reset();
  out(b);                       // @b4
  c = in();                     // @c1
  c += 5;                       // @c2
  out(c);                       // @c3
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  c = in();                     // @wc
}
// TRAP: a W@a1 W@wa R@a3
// BUG: a W@a2 W@wa R@a3
// TRAP: b W@b1 W@wb R@b4
// BUG: b W@b2 W@wb R@b4
// BUG: b W@b3 W@wb R@b4
// BUG: c W@c1 W@wc R@c2
// BUG: c W@c2 W@wc R@c3
