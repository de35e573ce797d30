// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each round of a task's own loop is a run; a flag that is waited for is read again and again.
int ready, a, b, running;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  while (!ready)                // @r
    ;
  for (;;) {
    off(-1);
    out(a);                     // @a1
    out(a);                     // @a2
    on(-1);
    out(b);                     // @b1
    out(b);                     // @b2
  }
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
  ready = 1;                    // @wr
}
// TRAP: ready R@r W@wr R@r
// TRAP: a R@a1 W@wa R@a2
// TRAP: a R@a2 W@wa R@a1
// BUG: b R@b1 W@wb R@b2
