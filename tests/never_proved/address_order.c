// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of two allocations lies first is the allocator's business: in some run both threads write.
#include <pthread.h>
#include <stdlib.h>

int x;
char *first, *second;

void *work(void *given) {
  (void)given;
  if (first > second) x++;
  return 0;
}

int main(void) {
  pthread_t a, b;
  first = malloc(24);
  second = malloc(24);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
