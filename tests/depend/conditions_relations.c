// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relations between variables that both sides ask for.
int limit, speed, load, a, b, c;
int in(void);
void out(int);

void task(void) {
  limit = in();
  speed = in();
  load = in();
  if (limit + load > speed) {
    out(a);                     // @a1
    out(a);                     // @a2
  }
  if (limit > speed) {
    out(b);                     // @b1
    out(b);                     // @b2
  }
  int x = in(), y = in();
  if (x + y > 10) out(c);       // @c1
  if (x + y < 5) out(c);        // @c2
}

void isr1(void) {
  if (limit + load < speed) a = in();   // @wa
  if (limit > speed) b = in();          // @wb
  c = in();                             // @wc
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
