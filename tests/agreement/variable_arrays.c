// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of variable length in loops and as parameters; alloca.
#include <alloca.h>
#include <stdio.h>
#include <string.h>
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
int main(void) { int total = 0; for (int n = 1; n < 20; n++) { int a[n]; for (int i = 0; i < n; i++) a[i] = n * i; total += a[n - 1]; int m[n][n + 1]; memset(m, 0, sizeof m); m[n - 1][n] = n; total += sum(n, n + 1, m) + (int)(sizeof m / sizeof(int)); } char *p = alloca(100); strcpy(p, "on the stack"); printf("%d %s\n", total, p); return 0; }
