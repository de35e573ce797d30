// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rand and random as the C library has them.
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  for (int i = 0; i < 5; i++) printf("%d ", rand()); srand(42); for (int i = 0; i < 5; i++) printf("%d ", rand() % 100);
  srandom(7); for (int i = 0; i < 40; i++) random(); printf("%ld\n", random()); srand(0); printf("%d\n", rand());
  return 0;
}
