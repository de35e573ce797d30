// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unions, bit-fields, flexible arrays, nested and packed structs.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
union number { float f; unsigned u; unsigned char b[4]; }; struct flags { unsigned a : 3; int b : 4; unsigned : 0; unsigned c : 17; unsigned long long d : 40; };
struct __attribute__((packed)) tight { char a; int b; short c; }; struct tail { int n; int v[]; }; struct deep { struct { union { int x; char y[4]; }; double z; } in[2]; };
int main(void) {
  union number n; n.f = -1.5f; printf("%x %d\n", n.u, n.b[3]); struct flags f = {5, -3, 100000, 0xffffffffffULL}; f.a += 4; f.b -= 6; f.d++; printf("%u %d %u %llu %zu\n", f.a, f.b, f.c, (unsigned long long)f.d, sizeof f);
  struct tight t = {1, 0x01020304, 7}; printf("%zu %zu %d %d\n", sizeof t, offsetof(struct tight, c), t.b, t.c); struct tail *p = malloc(sizeof *p + 3 * sizeof(int)); p->n = 3; for (int i = 0; i < 3; i++) p->v[i] = i * i; printf("%d %d\n", p->v[2], p->n); free(p);
  struct deep d = {{{{.x = 0x41424344}, 2.5}, {{.y = "ab"}, -1}}}; struct deep e = d; e.in[0].y[0] = 'Z'; printf("%c%c %d %g\n", e.in[0].y[0], d.in[0].y[0], d.in[1].y[1], e.in[1].z); printf("%d\n", memcmp(&d, &e, sizeof d) != 0);
  return 0;
}
