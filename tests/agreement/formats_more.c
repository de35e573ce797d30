// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags, widths, precisions and lengths of printf; %n.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
int main(void) {
  printf("[%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d]\n", 42, 42, 42, 42, 42, 7, 7, 7);
  printf("[%x][%X][%#x][%o][%#o][%u][%#X]\n", 255, 255, 255, 8, 8, 4000000000u, 48879);
  printf("[%hhd][%hd][%ld][%lld][%jd][%zd][%td]\n", (signed char)-3, (short)-3, -3L, -3LL, (intmax_t)-3, (size_t)3, (ptrdiff_t)-3);
  printf("[%c][%5c][%-5c][%s][%10s][%-10s][%.2s][%*s][%-*s]\n", 'a', 'b', 'c', "text", "text", "text", "text", 6, "ab", 6, "cd");
  printf("[%f][%.2f][%10.3f][%-10.1f][%e][%.0e][%g][%G][%a]\n", 3.14159, 2.5, 2.5, 2.5, 12345.678, 5.5, 0.0001, 1e-10, 1.0);
  printf("[%g][%g][%g][%f]\n", 1e20, 100000.0, 1e6, -0.0); printf("[%.*f][%+.1e]\n", 3, 2.0, 3.0);
  int n = 0; printf("12345%n678\n", &n); printf("%d %%\n", n); printf("%" PRIu64 " %" PRIx32 "\n", UINT64_MAX, 0xabcu);
  char b[16]; printf("%d [%s]\n", snprintf(b, 5, "%s", "overflowing"), b); printf("%Lf %.3Le\n", 1.5L, 12.25L);
  printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5); printf("%i|\n", -1);
  return 0;
}
