// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that is created detached cannot be joined; the attributes were copied.
#include <pthread.h>
int x;
static void* worker(void* a) {
  x = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_attr_t a, b;
  pthread_attr_init(&a);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  b = a;
  pthread_create(&t, &b, worker, 0);
  pthread_join(t, 0);
  x = 2;
  return 0;
}
