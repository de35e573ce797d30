// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#define N 24
static double a[N][N], b[N][N], c[N][N];
int main(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i + j, b[i][j] = i - j; for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j]; double t = 0; for (int i = 0; i < N; i++) t += c[i][i]; printf("%g %g\n", t, c[3][7]); return 0; }
