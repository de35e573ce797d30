// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// goto into loops, Duff's device, nested switches, labels.
#include <stdio.h>
static int duff(int n) { int c = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c++; case 2: c++; case 1: c++; } while (--k > 0); } return c; }
int main(void) { int i = 0; again: if (i++ < 3) { printf("%d ", i); goto again; } for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) { switch (a) { case 1: switch (b) { case 2: continue; default: printf("x"); } break; case 2: case 3: if (b == 1) goto out; printf("y"); } } out: printf(" %d\n", duff(11)); return 0; }
