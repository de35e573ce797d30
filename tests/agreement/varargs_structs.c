// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs, homogeneous aggregates and long doubles among integers and doubles, before and beyond the registers.
#include <stdarg.h>
#include <stdio.h>
struct f2 { float a, b; }; struct f3 { float a, b, c; }; struct d2 { double a, b; }; struct d4 { double v[4]; }; struct q2 { long double a, b; };
struct mix { int a; double b; }; struct fi { float a; int b; }; struct c3 { char a[3]; }; struct big { long v[5]; }; struct one { long double v; }; struct s16 { _Alignas(16) long a; long b; };
struct p16 { long a, b; } __attribute__((aligned(16))); struct l1 { long a; }; struct deep { struct f2 x; struct { float y; } z; }; struct none {}; union u { int i; double d; }; struct bits { unsigned a : 3, b : 29; long long c; };
typedef double pairs __attribute__((vector_size(16)));
static void show(const char *kinds, va_list *l) {
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': printf(" %d", va_arg(*l, int)); break;
    case 'l': printf(" %ld", va_arg(*l, long)); break;
    case 'x': printf(" %lld", va_arg(*l, long long)); break;
    case 'd': printf(" %g", va_arg(*l, double)); break;
    case 'D': printf(" %Lg", va_arg(*l, long double)); break;
    case 'p': printf(" %s", va_arg(*l, char *)); break;
    case 'a': { struct f2 s = va_arg(*l, struct f2); printf(" {%g %g}", s.a, s.b); break; }
    case 'b': { struct f3 s = va_arg(*l, struct f3); printf(" {%g %g %g}", s.a, s.b, s.c); break; }
    case 'c': { struct d2 s = va_arg(*l, struct d2); printf(" {%g %g}", s.a, s.b); break; }
    case 'e': { struct d4 s = va_arg(*l, struct d4); printf(" {%g %g %g %g}", s.v[0], s.v[1], s.v[2], s.v[3]); break; }
    case 'q': { struct q2 s = va_arg(*l, struct q2); printf(" {%Lg %Lg}", s.a, s.b); break; }
    case 'm': { struct mix s = va_arg(*l, struct mix); printf(" {%d %g}", s.a, s.b); break; }
    case 'f': { struct fi s = va_arg(*l, struct fi); printf(" {%g %d}", s.a, s.b); break; }
    case 'h': { struct c3 s = va_arg(*l, struct c3); printf(" {%d %d %d}", s.a[0], s.a[1], s.a[2]); break; }
    case 'B': { struct big s = va_arg(*l, struct big); printf(" {%ld %ld}", s.v[0], s.v[4]); break; }
    case 'o': { struct one s = va_arg(*l, struct one); printf(" {%Lg}", s.v); break; }
    case 's': { struct s16 s = va_arg(*l, struct s16); printf(" {%ld %ld}", s.a, s.b); break; }
    case 'P': { struct p16 s = va_arg(*l, struct p16); printf(" {%ld %ld}", s.a, s.b); break; }
    case 'L': { struct l1 s = va_arg(*l, struct l1); printf(" {%ld}", s.a); break; }
    case 'z': { struct deep s = va_arg(*l, struct deep); printf(" {%g %g %g}", s.x.a, s.x.b, s.z.y); break; }
    case 'n': { (void)va_arg(*l, struct none); printf(" {}"); break; }
    case 'u': { union u s = va_arg(*l, union u); printf(" {%d}", s.i); break; }
    case 't': { struct bits s = va_arg(*l, struct bits); printf(" {%d %d %lld}", (int)s.a, (int)s.b, s.c); break; }
    case 'v': { pairs s = va_arg(*l, pairs); printf(" <%g %g>", s[0], s[1]); break; }
  }
  printf("\n");
}
static void none(const char *kinds, ...) { va_list l; va_start(l, kinds); show(kinds, &l); va_end(l); }
static void some(int a, double b, const char *kinds, ...) { va_list l, c; va_start(l, kinds); va_copy(c, l); printf("%d %g", a, b); show(kinds, &l); show(kinds, &c); va_end(c); va_end(l); }
static void many(int a, int b, int c, int d, int e, double f, double g, struct mix m, long double n, const char *kinds, ...) { va_list l; va_start(l, kinds); printf("%d %g %g %d %g %Lg", a + b + c + d + e, f, g, m.a, m.b, n); show(kinds, &l); va_end(l); }
static struct big returned(const char *kinds, ...) { va_list l; struct big out = {{1, 2, 3, 4, 5}}; va_start(l, kinds); show(kinds, &l); va_end(l); return out; }
int main(void) {
  struct f2 a = {1, 2}; struct f3 b = {3, 4, 5}; struct d2 c = {6, 7}; struct d4 e = {{8, 9, 10, 11}}; struct q2 q = {12, 13}; struct mix m = {14, 15}; struct fi f = {16, 17}; struct c3 h = {{18, 19, 20}}; struct big B = {{21, 22, 23, 24, 25}};
  struct one o = {26}; struct s16 s = {27, 28}; struct p16 P = {29, 30}; struct l1 L = {31}; struct deep z = {{32, 33}, {34}}; struct none n; union u u = {35}; struct bits t = {5, 36, 37}; pairs v = {38, 39};
  none("iaibicieidididid", 1, a, 2, b, 3, c, 4, e, 5, .5, 6, .25, 7, .125, 8, .0625);
  none("qiqdoDiD", q, 1, q, 1.5, o, 2.5L, 3, 4.5L); none("mfhBoLzutv", m, f, h, B, o, L, z, u, t, v); none("isisisisisi", 1, s, 2, s, 3, s, 4, s, 5, s, 6); none("iPiPiPiPiPi", 1, P, 2, P, 3, P, 4, P, 5, P, 6);
  none("sPsP", s, P, s, P); none("iiiiisPi", 1, 2, 3, 4, 5, s, P, 6); none("dddddddaecd", 1., 2., 3., 4., 5., 6., 7., a, e, c, 8.); none("lllllllmflxl", 1L, 2L, 3L, 4L, 5L, 6L, 7L, m, f, 8L, 9LL, 10L);
  none("ixixixDxDix", 1, 2LL, 3, 4LL, 5, 6LL, 7.5L, 8LL, 9.5L, 10, 11LL); none("inBnin", 1, n, B, n, 2, n); none("vivdvvvvvvvvi", v, 1, v, 2., v, v, v, v, v, v, v, v, 3);
  some(1, 2, "idDsaepP", 3, 4., 5.L, s, a, e, "six", P); some(1, 2, "iiiiiiiiddddddddddDi", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.L, 12);
  many(1, 2, 3, 4, 5, 6, 7, m, 8, "isPaeDiBmd", 9, s, P, a, e, 10.L, 11, B, m, 12.); struct big r = returned("isdPD", 1, s, 2., P, 3.L); printf("%ld\n", r.v[4]);
  return 0;
}
