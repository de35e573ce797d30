// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A struct that is copied through a pointer, in steps like any other.
struct pair { int a, b; } s, *ps = &s, t, *pt = &t;
int in(void);
void out(int);
void off(int);
void on(int);

void task(void) {
  struct pair copy = *ps;       // @a
  out(copy.a + copy.b);
  off(1);
  copy = *pt;                   // @b
  on(1);
  out(copy.a + copy.b);
}

void isr1(void) {
  s.a = in();                   // @w
  s.b = in();                   // @u
  t.a = in();                   // @v
  t.b = in();
}
// toml: [system]
// toml: atomic_bytes = 4
// BUG: s R@a W@w R@a
// BUG: s R@a W@u R@a
// TRAP: t R@b W@v R@b
