// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read once into a local variable; and so every time but one.
int a, b;
int in(void);
void out(int);

void task(void) {
  int once = a;                 // @a1
  if (once > 3) out(once);
  int copy = b;                 // @b1
  if (copy > 3) out(b);         // @b2
}

void isr1(void) {
  a = in();                     // @wa
  b = in();                     // @wb
}
// BUG: b R@b1 W@wb R@b2
