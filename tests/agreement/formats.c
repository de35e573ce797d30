// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
int main(void) {
  printf("%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%u\n", 42, 42, 42, 42, 42, 255, 255, 255, 8, -1);
  printf("%ld %lld %hd %hhd %zu %jd\n", -1L, 1LL << 40, (short)70000, (char)300, sizeof(int), (long long)7);
  printf("%f %.2f %10.3f %-10.1f| %e %g %g %G\n", 1.5, 2.345, 3.14159, 2.5, 12345.678, 0.0001, 1e10, 1e-10);
  printf("%s|%10s|%-10s|%.3s|%c%c|%%\n", "abc", "abc", "abc", "abcdef", 'x', 'y');
  printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 3, 2.71828);
  printf("%Lf %Lg\n", 1.25L, 3.5L);
  char text[8]; int n = snprintf(text, sizeof text, "%d-%d", 12345, 67890);
  printf("%s %d %p\n", text, n, (void *)0);
  return 0;
}
