// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that was freed may be given out again, at the same address.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int x;
char *first, *second;
char kept[sizeof(char *)];

void *work(void *given) {
  (void)given;
  if (!memcmp(kept, &second, sizeof kept)) x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  first = malloc(24);
  memcpy(kept, &first, sizeof kept);
  free(first);
  second = malloc(24);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
