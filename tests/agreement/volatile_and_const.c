// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// volatile accesses, const tables, restrict, inline and _Generic, _Static_assert, alignas.
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#define KIND(x) _Generic((x), int: "int", double: "double", char *: "text", default: "other")
static inline int twice(int v) { return 2 * v; } static void copy(int n, int *restrict a, const int *restrict b) { while (n--) *a++ = *b++; } _Static_assert(sizeof(int) == 4, "int");
int main(void) { volatile int v = 3; v += v * v; int a[4], b[4] = {1, 2, 3, 4}; copy(4, a, b); alignas(64) char c[3]; printf("%d %d %s %s %s %s %d\n", v, a[3], KIND(1), KIND(2.0), KIND("x"), KIND(1u), (int)((uintptr_t)c % 64)); return twice(a[2]); }
