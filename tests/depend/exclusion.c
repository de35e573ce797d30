// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reality rule keeps two apart.
int a, b;
int in(void);
void out(int);

void task(void) {
  out(a);                       // @a1
  out(a);                       // @a2
  out(b);                       // @b1
  out(b);                       // @b2
}
void isr1(void) {
  a = in();                     // @wa
}
void isr2(void) {
  b = in();                     // @wb
}
// toml: [[exclusion]]
// toml: entries = ["task", "isr1"]
// toml: reason = "the one parks, the other drives"
// TRAP: a R@a1 W@wa R@a2
// BUG: b R@b1 W@wb R@b2
