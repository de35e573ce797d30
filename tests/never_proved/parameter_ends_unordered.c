// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread uses a parameter that was passed by value; main sees that it is done by a relaxed flag alone, so the end of
// the parameter is not ordered behind the use.
#include <pthread.h>
#include <stdatomic.h>
struct large { long a[8]; };
atomic_int done;
pthread_t h;
void *t(void *p) {
  ((struct large *)p)->a[0]++;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return 0;
}
void start(struct large s) {
  pthread_create(&h, 0, t, &s);
  while (!atomic_load_explicit(&done, memory_order_relaxed)) {}
}
int main(void) {
  struct large s = {{0}};
  start(s);
  pthread_join(h, 0);
}
