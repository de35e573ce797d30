// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static locals, shadowing, initialisers, compound literals, comma and sizeof.
#include <stdio.h>
static int next(void) { static int n = 10; return n++; } int x = 1; struct p { int a, b; }; static int sum(struct p v) { return v.a + v.b; }
static const int table[][3] = {[1] = {1, 2, 3}, [0] = {[2] = 9}}; static const struct { const char *n; int v; } names[] = {{"a", 1}, {.v = 5, .n = "b"}};
int main(void) { next(); next(); printf("%d %d\n", next(), x); { int x = 2; printf("%d\n", x); { extern int x; printf("%d\n", x); } } int y = (x++, x * 10); printf("%d %zu %zu\n", y, sizeof "hello", sizeof(int[y > 5 ? 3 : 4])); printf("%d %d %d %s %d\n", sum((struct p){.b = 4, .a = 3}), table[0][2], table[1][1], names[1].n, names[1].v); int *q = (int[]){5, 6, 7}; printf("%d %d\n", q[2], *q); return 0; }
