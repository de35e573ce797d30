// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdarg.h>
#include <stdio.h>
struct item { int a; double b; long c; };
struct two { int a, b; };
static double total(const char *kinds, ...) {
  va_list list, copy; double sum = 0;
  va_start(list, kinds); va_copy(copy, list);
  for (const char *k = kinds; *k; k++) switch (*k) {
    case 'i': sum += va_arg(list, int); break;
    case 'l': sum += (double)va_arg(list, long long); break;
    case 'd': sum += va_arg(list, double); break;
    case 'D': sum += (double)va_arg(list, long double); break;
    case 'p': sum += *va_arg(list, int *); break;
    case 's': { struct item s = va_arg(list, struct item); sum += s.a + s.b + (double)s.c; break; }
    case 't': { struct two s = va_arg(list, struct two); sum += s.a * 10 + s.b; break; }
  }
  va_end(list);
  if (*kinds == 'i') sum += 1000 * va_arg(copy, int);
  va_end(copy);
  return sum;
}
static int log_text(char *to, const char *format, ...) { va_list a; va_start(a, format); int n = vsprintf(to, format, a); va_end(a); return n; }
int main(void) {
  int x = 5; char text[100]; struct item s = {1, 2.5, 3}; struct two t = {4, 2};
  printf("%g %g\n", total("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), total("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
  printf("%g %g %g\n", total("idlsptD", 1, 2.5, 3LL, s, &x, t, 1.5L), total("st", s, t), total(""));
  int n = log_text(text, "%d %s %g %c %lld", 1, "two", 3.5, '4', 5LL << 33);
  printf("%d %s\n", n, text);
  return 0;
}
