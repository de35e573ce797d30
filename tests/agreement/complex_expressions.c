// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order of short circuits, nested conditionals, compound assignments on narrow types.
#include <stdio.h>
static int t(int v) { printf("t%d ", v); return v; }
int main(void) { int a = t(0) && t(1), b = t(2) || t(3), c = t(0) ? t(4) : t(5); printf("| %d %d %d\n", a, b, c); unsigned char u = 250; signed char s = 100; short h = -32768; u += 10; s += 100; h -= 1; printf("%d %d %d\n", u, s, h); u <<= 3; s ^= 0x55; h >>= 3; printf("%d %d %d %d\n", u, s, h, (u *= 77) % 10); int i = 5; int k = (i > 3) + (i < 9) * 2 - !i; printf("%d\n", k); int v[3] = {1, 2, 3}, j = 0; v[j++] += 10; v[j] *= v[j - 1]; printf("%d %d %d %d\n", v[0], v[1], v[2], j); return a + b + c; }
