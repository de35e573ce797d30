// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisation runs before the others.
int a, b;
int in(void);
void out(int);

void setup(void) {
  a = in();                     // @a1
  out(a);                       // @a2
}
void task(void) {
  b = in();                     // @b1
  out(b);                       // @b2
}
void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
}
// toml: [[entry]]
// toml: function = "setup"
// toml: kind = "init"
// TRAP: a W@a1 W@wa R@a2
// BUG: b W@b1 W@wb R@b2
