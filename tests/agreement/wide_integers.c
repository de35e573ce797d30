// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __int128: arithmetic, shifts, division, comparison.
#include <stdio.h>
typedef __int128 s; typedef unsigned __int128 u;
static void show(u v) { printf("%016llx%016llx ", (unsigned long long)(v >> 64), (unsigned long long)v); }
int main(void) {
  u a = ((u)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL, b = 0xdeadbeefcafeULL; show(a + b); show(a - b * 3); show(a * b); show(a / b); show(a % b); show(a << 77); show(a >> 13); s n = -(s)a; show((u)(n >> 40)); show((u)(n / 1000007)); show((u)(n % 1000007)); printf("%d %d %d %g\n", n < 0, a > b, (int)(n == -(s)a), (double)n);
  return 0;
}
