// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// va_list handed on, copied, printed; doubles, long long, pointers and structs among the arguments.
#include <stdarg.h>
#include <stdio.h>
struct pair { int a; double b; }; struct big { long v[5]; };
static void say(const char *f, ...) { va_list a, b; va_start(a, f); va_copy(b, a); vprintf(f, a); char s[80]; vsnprintf(s, sizeof s, f, b); printf("|%s\n", s); va_end(a); va_end(b); }
static double add(const char *kinds, va_list *l) { double s = 0; for (; *kinds; kinds++) switch (*kinds) { case 'i': s += va_arg(*l, int); break; case 'd': s += va_arg(*l, double); break;
  case 'l': s += (double)va_arg(*l, long long); break; case 'p': s += *va_arg(*l, int *); break; case 's': { struct pair p = va_arg(*l, struct pair); s += p.a + p.b; break; } case 'b': { struct big b = va_arg(*l, struct big); s += (double)b.v[4]; break; } } return s; }
static double sum(const char *kinds, ...) { va_list l; va_start(l, kinds); double s = add(kinds, &l); va_end(l); return s; }
int main(void) {
  int x = 100; struct pair p = {3, 0.5}; struct big b = {{1, 2, 3, 4, 50}};
  say("%d %s %.1f %lld %c", 1, "two", 3.0, 4LL, '5'); say("%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9); say("%g %g %g %g %g %g %g %g %g %g", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
  printf("%g %g %g %g\n", sum("iidd", 1, 2, .5, .25), sum("lpi", 10LL, &x, 1), sum("sdsi", p, 1.0, p, 2), sum("ibdb", 1, b, 2.5, b));
  return 0;
}
