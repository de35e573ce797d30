// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight queens, knights, primes by trial, gcd: plain loops.
#include <stdio.h>
static int c[8], found; static void place(int r) { if (r == 8) { found++; return; } for (int i = 0; i < 8; i++) { int ok = 1; for (int k = 0; k < r; k++) if (c[k] == i || c[k] - i == r - k || i - c[k] == r - k) ok = 0; if (ok) { c[r] = i; place(r + 1); } } }
static int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
int main(void) { place(0); int primes = 0, s = 0; for (int i = 2; i < 2000; i++) { int p = 1; for (int k = 2; k * k <= i; k++) if (i % k == 0) { p = 0; break; } primes += p; } for (int i = 1; i < 60; i++) for (int j = 1; j < 60; j++) s += gcd(i, j); printf("%d %d %d\n", found, primes, s); return 0; }
