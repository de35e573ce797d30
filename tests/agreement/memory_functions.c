// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// calloc, realloc, aligned_alloc, memset, memmove, memchr on heap memory.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  int *z = calloc(10, sizeof *z); int s = 0; for (int i = 0; i < 10; i++) s += z[i]; z = realloc(z, 100 * sizeof *z); for (int i = 0; i < 100; i++) z[i] = i; memmove(z + 10, z, 40 * sizeof *z); printf("%d %d %d %d\n", s, z[10], z[49], z[60]); z = realloc(z, 5 * sizeof *z); printf("%d\n", z[4]); free(z); free(0);
  char *p = malloc(64); memset(p, 'x', 63); p[63] = 0; p[10] = 'y'; printf("%td %zu\n", (char *)memchr(p, 'y', 63) - p, strlen(p)); free(p); void *a = aligned_alloc(64, 128), *b = 0; printf("%d %d %d\n", (int)((uintptr_t)a % 64), posix_memalign(&b, 32, 10), (int)((uintptr_t)b % 32)); free(a); free(b); char *q = realloc(0, 8); strcpy(q, "seven!!"); printf("%s\n", q); free(q);
  return 0;
}
