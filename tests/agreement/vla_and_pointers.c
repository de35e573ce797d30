// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct inner { char c; int v; }; struct outer { long tag; struct inner in; };
static int sum(int n, int a[n][n]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * (i + 1); return s; }
int main(void) {
  int total = 0;
  for (int n = 1; n < 6; n++) { int a[n][n]; for (int i = 0; i < n * n; i++) ((int *)a)[i] = i; total += sum(n, a); }
  struct outer o = {5, {'x', 77}}; struct inner *p = &o.in;
  struct outer *back = (struct outer *)((char *)p - offsetof(struct outer, in));
  uintptr_t bits = (uintptr_t)&o; bits |= 1; struct outer *again = (struct outer *)(bits & ~(uintptr_t)1);
  int **pp, *q = &total, deep = 4; pp = &q; **pp += deep; pp[0] = &deep; *q *= 3;
  char bytes[sizeof o]; memcpy(bytes, &o, sizeof o); struct outer copy; memcpy(&copy, bytes, sizeof copy);
  printf("%d %ld %ld %d %d %d %d\n", total, back->tag, again->tag, deep, copy.in.v, (int)((char *)&p[1] - (char *)p), &bytes[3] > &bytes[1]);
  unsigned char *raw = (unsigned char *)&deep; printf("%d %d\n", raw[0], raw[3]);
  return total & 127;
}
