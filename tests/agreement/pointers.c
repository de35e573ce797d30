// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointer arithmetic, tables of functions, pointers to pointers, arrays of arrays.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int (*pick(char c))(int, int) { return c == '+' ? add : sub; }
static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; } static int total(int n, int m[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += m[i][j] * (i + 1); return s; }
int main(void) {
  int a[10]; for (int i = 0; i < 10; i++) a[i] = i * i; int *p = a + 3, *q = &a[8]; printf("%td %d %d %d\n", q - p, *p++, *++p, p[-1]); swap(&p, &q); printf("%d %d %d\n", *p, *q, p > q);
  int (*ops[])(int, int) = {add, sub, pick('+')}; for (int i = 0; i < 3; i++) printf("%d ", ops[i](7, 4)); int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; printf("%d %d %td\n", total(3, m), *(*(m + 1) + 2), &m[2][1] - &m[0][0]);
  const char *w[] = {"zero", "one", "two"}; const char **e = w + 3; while (e-- > w) printf("%s ", *e); uintptr_t u = (uintptr_t)&a[2]; printf("%d %d\n", *(int *)(u + sizeof(int)), (int)(((uintptr_t)&a[4] - u) / sizeof(int))); char *c = (char *)a; c[5] = 1; printf("%d\n", a[1]);
  return 0;
}
