// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any element means any of them, also for a member that is not the first.
#include <pthread.h>
#include <stdlib.h>

struct pair {
  long x, y;
} a[10];

void *work(void *given) {
  (void)given;
  const long i = atol(getenv("INDEX"));
  a[i].y = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  a[3].y = 2;
  pthread_join(t, 0);
  return 0;
}
