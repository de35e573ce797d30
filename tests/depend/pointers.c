// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to variables: local ones, in variables, as parameters.
int a, b, c, d, e;
int *cursor;
int in(void);
void out(int);

static int read_through(const int *from) { return *from; }    // @t

void task(void) {
  int *p = &a, *q = &a;
  out(*p);                      // @a1
  out(*q);                      // @a2
  cursor = &b;
  *cursor = in();               // @b1
  cursor = &c;
  *cursor = in();               // @c1
  out(b);                       // @b2
  out(read_through(&d));
  out(d);                       // @d2
  out(e);                       // @e1
  out(read_through(&e));
}

void isr1(void) {
  a = in();                     // @wa
  int *m = &b;
  *m = in();                    // @wb
  d = in();                     // @wd
}
// BUG: a R@a1 W@wa R@a2
// BUG: b W@b1 W@wb R@b2
// TRAP: b W@c1 W@wb R@b2
// BUG: d R@t W@wd R@d2
