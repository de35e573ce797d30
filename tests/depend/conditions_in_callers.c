// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition in the function that calls the one with the access.
int on_trip = 0, never = 0, a, b;
int in(void);
void out(int);

static void set_a(void) { a = in(); }   // @wa
static void set_b(void) { b = in(); }   // @wb

void task(void) {
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
}

void isr1(void) {
  if (on_trip) set_a();
  if (never) set_b();
}
void isr2(void) { on_trip = 1; }
// BUG: a R@a1 W@wa R@a2
// TRAP: b R@b1 W@wb R@b2
