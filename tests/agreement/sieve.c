// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
static char composite[20001];
int main(void) { int n = 0; for (int i = 2; i <= 20000; i++) { if (composite[i]) continue; n++; for (long j = (long)i * i; j <= 20000; j += i) composite[j] = 1; } printf("%d\n", n); return n % 100; }
