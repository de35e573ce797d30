// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masks begin and end in functions; one of two callers does not mask.
int a, b;
int in(void);
void out(int);
void off(int);
void on(int);

static void enter(void) { off(-1); }
static void leave(void) { on(-1); }
static void both_a(void) {
  out(a);                       // @a1
  out(a);                       // @a2
}
static void both_b(void) {
  out(b);                       // @b1
  out(b);                       // @b2
}

void task(void) {
  enter();
  both_a();
  leave();
  if (in()) {
    enter();
    both_b();
    leave();
  } else {
    both_b();
  }
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
}
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
