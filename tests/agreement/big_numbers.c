// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factorials and Fibonacci numbers with many digits.
#include <stdio.h>
#include <string.h>
static unsigned char d[200]; static int n = 1;
static void times(int k) { int c = 0; for (int i = 0; i < n; i++) { c += d[i] * k; d[i] = (unsigned char)(c % 10); c /= 10; } while (c) { d[n++] = (unsigned char)(c % 10); c /= 10; } }
int main(void) { d[0] = 1; for (int i = 2; i <= 60; i++) times(i); for (int i = n; i--;) putchar('0' + d[i]); putchar('\n'); unsigned long long a = 0, b = 1; for (int i = 0; i < 90; i++) { unsigned long long c = a + b; a = b; b = c; } printf("%llu\n", a); return n; }
