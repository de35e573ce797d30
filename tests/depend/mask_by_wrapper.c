// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that mask the interrupt that they are told.
int a, b, c;
int in(void);
void out(int);
void off(int);
void on(int);

static void hold(int which) { off(which); }
static void release(int which) { on(which); }
static void hold_long(int unused, int which) { hold(which); }

void task(void) {
  hold(1);
  out(a);                       // @a1
  out(a);                       // @a2
  release(1);
  hold_long(1, 2);
  out(b);                       // @b1
  out(b);                       // @b2
  out(c);                       // @c1
  out(c);                       // @c2
  release(2);
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
}
void isr2(void) {
  c = in();                     // @wc
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
// TRAP: c R@c1 W@wc R@c2
