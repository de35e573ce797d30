// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables that others find through a pointer, and a pointer that each one sets for itself.
int *shared, *own;
int in(void);
void out(int);

void task(void) {
  int first = in();
  int second = in();
  shared = &first;
  *shared = in();               // @a1
  first = in();                 // @a2
  own = &second;
  *own = in();                  // @b1
  *own = in();                  // @b2
}

void isr1(void) {
  int third = in();
  out(*shared);                 // @ra
  own = &third;                 // @wo
  out(*own);                    // @rb
}
// BUG: first W@a1 R@ra W@a2
// BUG: own R@b1 W@wo R@b2
// TRAP: second W@b1 R@rb W@b2
// TRAP: third W@b1 R@rb W@b2
