// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two accesses in two functions, at different depths.
int a, b, c;
int in(void);
void out(int);

static void deep(void) { out(a); }        // @a2
static void middle(void) { deep(); }
static int first(void) { return a; }      // @a1
static void either(int which) {
  if (which)
    out(b);                               // @b1
  else
    out(b);                               // @b2
}

void task(void) {
  out(first());
  middle();
  either(in());
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
}
// BUG: a R@a1 W@wa R@a2
// TRAP: b R@b1 W@wb R@b2
