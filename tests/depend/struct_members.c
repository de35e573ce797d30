// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members are variables of their own; a copy of the whole reads them all.
struct state { int speed, gear; } s, t, u;
int in(void);
void out(int);
void out_state(struct state);

void task(void) {
  out(s.speed);                 // @a1
  out(s.gear);                  // @a2
  out(t.speed);                 // @b1
  out(t.speed);                 // @b2
  struct state copy = u;        // @c1
  out(copy.gear);
  out(u.gear);                  // @c2
}

void isr1(void) {
  s.speed = in();               // @wa
  t.speed = in();               // @wb
  u.gear = in();                // @wc
}
// TRAP: s R@a1 W@wa R@a2
// BUG: t R@b1 W@wb R@b2
// BUG: u R@c1 W@wc R@c2
