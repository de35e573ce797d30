// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>
struct small { char a; short b; };
struct pair { double x, y; };
struct floats { float x, y, z; };
struct mixed { int i; double d; };
struct big { int values[20]; struct small s; };
struct nested { struct small s[3]; union { int i; float f; } u; struct { unsigned a : 3, b : 5; signed c : 4; } bits; };
static struct small make_small(int a) { struct small s = {(char)a, (short)(a * 2)}; return s; }
static struct pair swap(struct pair p) { struct pair q = {p.y, p.x}; return q; }
static struct floats scale(struct floats f, float k) { f.x *= k; f.y *= k; f.z *= k; return f; }
static struct mixed bump(struct mixed m) { m.i++; m.d += 0.5; return m; }
static struct big fill(struct big b, int k) { for (int i = 0; i < 20; i++) b.values[i] += k * i; b.s.a = (char)k; return b; }
int main(void) {
  struct small s = make_small(7);
  struct pair p = swap((struct pair){1.5, 2.5});
  struct floats f = scale((struct floats){1, 2, 3}, 1.5f);
  struct mixed m = bump((struct mixed){1, 2});
  struct big b = {{0}}, c;
  memset(&c, 0, sizeof c);
  b = fill(b, 3); c = fill(b, 2);
  printf("%d %d %g %g %g %g %g %d %g %d %d %d\n", s.a, s.b, p.x, p.y, f.x, f.y, f.z, m.i, m.d, b.values[19], c.values[19], c.s.a);
  struct nested n;
  memset(&n, 0, sizeof n);
  n.u.f = 1.0f; n.bits.a = 9; n.bits.b = 33; n.bits.c = 15; n.s[1] = s;
  struct nested *q = &n;
  printf("%x %u %u %d %d %zu %zu\n", q->u.i, q->bits.a, q->bits.b, q->bits.c, q->s[1].b, sizeof *q, sizeof(struct big));
  return n.s[1].a;
}
