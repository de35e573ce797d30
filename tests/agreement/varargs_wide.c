// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __int128 behind `...`: two registers or none.
#include <stdarg.h>
#include <stdio.h>
struct w { __int128 v; }; struct pair { long a; __int128 b; };
static void show(const char *kinds, ...) {
  va_list l; va_start(l, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': printf(" %d", va_arg(l, int)); break;
    case 'd': printf(" %g", va_arg(l, double)); break;
    case 'w': { __int128 w = va_arg(l, __int128); printf(" %llx:%llx", (unsigned long long)(w >> 64), (unsigned long long)w); break; }
    case 's': { struct w s = va_arg(l, struct w); printf(" {%lld}", (long long)s.v); break; }
    case 'p': { struct pair s = va_arg(l, struct pair); printf(" {%ld %lld}", s.a, (long long)s.b); break; }
  }
  printf("\n"); va_end(l);
}
int main(void) {
  __int128 w = ((__int128)-5 << 64) + 7; struct w s = {8}; struct pair p = {9, 10};
  show("wiwiwiwi", w, 1, w + 1, 2, w + 2, 3, w + 3, 4); show("iwdisdisdispi", 1, w, 2., 3, s, 4., 5, s, 6., 7, s, p, 8); show("iiisdisw", 1, 2, 3, s, 4., 5, s, w); show("iiiiiwswi", 1, 2, 3, 4, 5, w, s, w, 6);
  return 0;
}
